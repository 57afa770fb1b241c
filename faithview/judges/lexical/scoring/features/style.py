"""How a claim is written: its length, its marks, and words of advice, of doubt and of praise."""

from math import log1p

from faithview.judges.lexical.scoring.claim_view import ClaimView
from faithview.judges.lexical.scoring.feature import Family, claim_feature
from faithview.judges.text.lexicon import NEGATIONS, word_set

_ADVISES = word_set(
    """important importantly ensure ensuring recommended recommend remember advisable consult always careful crucial
    essential proper properly additional help helps tip avoid make sure should note consider enjoy desired any best"""
)
_HEDGES = word_set(
    """may might could possibly perhaps likely suggests suggest imply implies seems appears probably unclear assumed
    assume potentially generally typically usually often sometimes"""
)
_INTENSIFIES = word_set(
    """very highly extremely significantly greatly most best largest first only all every always never completely
    entire entirely especially particularly various numerous many several unique great excellent perfect popular"""
)
_CONNECTS = word_set(
    "overall therefore thus hence additionally furthermore moreover however finally conclusion summary also instead"
)
_EXAMPLES = word_set("such including like example e.g instance include includes")
_CONSEQUENCE = word_set(
    "because since so which making allowing leading causing resulting helping providing ensuring due thereby therefore"
)
_ADDRESSES = word_set("you your yourself i we our us my")
_MODAL = word_set("can could may might should would will must shall")


@claim_feature()
def words(claim: ClaimView) -> float:
    """The logarithm of how many words there are."""
    return log1p(len(claim.tokens))


@claim_feature()
def mean_weight(claim: ClaimView) -> float:
    """What a word with meaning weighs on average."""
    return claim.weight / claim.size


@claim_feature()
def question_share(claim: ClaimView) -> float:
    """The share of its weight that the question holds."""
    asked = claim.context.question_stems
    return sum([t.word.weight for t in claim.content if t.word.stem in asked]) / claim.weight


@claim_feature()
def is_item(claim: ClaimView) -> float:
    """Whether it stands in a list."""
    return claim.is_item


@claim_feature(cap=3)
def advises(claim: ClaimView) -> float:
    """How many words give advice."""
    return len(claim.lowers & _ADVISES)


@claim_feature(cap=2)
def hedges(claim: ClaimView) -> float:
    """How many words say that it may be otherwise."""
    return len(claim.lowers & _HEDGES)


@claim_feature(cap=3)
def intensifies(claim: ClaimView) -> float:
    """How many words make it stronger."""
    return len(claim.lowers & _INTENSIFIES)


@claim_feature()
def connects(claim: ClaimView) -> float:
    """Whether it begins with a word that goes on from the last sentence."""
    return bool(claim.tokens) and claim.tokens[0].word.lower in _CONNECTS


@claim_feature()
def examples(claim: ClaimView) -> float:
    """Whether it gives examples."""
    return not claim.lowers.isdisjoint(_EXAMPLES)


@claim_feature(cap=3)
def consequence(claim: ClaimView) -> float:
    """How many words tell of a cause or a consequence."""
    return len(claim.lowers & _CONSEQUENCE)


@claim_feature()
def denies(claim: ClaimView) -> float:
    """Whether it denies something."""
    return not claim.lowers.isdisjoint(NEGATIONS)


@claim_feature()
def addresses(claim: ClaimView) -> float:
    """Whether it speaks to somebody, or of the one who speaks."""
    return not claim.lowers.isdisjoint(_ADDRESSES)


@claim_feature(cap=3)
def cites(claim: ClaimView) -> float:
    """How many words point at a source."""
    return claim.citing_words


@claim_feature(cap=3)
def modal(claim: ClaimView) -> float:
    """How many modal verbs there are."""
    return len(claim.lowers & _MODAL)


@claim_feature(cap=6)
def commas(claim: ClaimView) -> float:
    """How many commas there are."""
    return claim.text.count(",")


@claim_feature(cap=3)
def brackets(claim: ClaimView) -> float:
    """How many brackets are opened."""
    return claim.text.count("(")


@claim_feature()
def colon(claim: ClaimView) -> float:
    """Whether there is a colon."""
    return ":" in claim.text


@claim_feature()
def quotes(claim: ClaimView) -> float:
    """Whether it quotes something."""
    return '"' in claim.text or "“" in claim.text


@claim_feature()
def function_share(claim: ClaimView) -> float:
    """The share of the words that have meaning."""
    return len(claim.content) / (len(claim.tokens) or 1)


FAMILY = Family(
    name="style",
    features=(
        words,
        mean_weight,
        question_share,
        is_item,
        advises,
        hedges,
        intensifies,
        connects,
        examples,
        consequence,
        denies,
        addresses,
        cites,
        modal,
        commas,
        brackets,
        colon,
        quotes,
        function_share,
    ),
)
