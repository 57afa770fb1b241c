"""Figures of a claim's words: which are in the chunks, in which order, what is added, and how it is written."""

from collections.abc import Iterable, Sequence, Set
from itertools import pairwise
from math import log1p

from faithview.judges.lexical.passages.index import Window
from faithview.judges.lexical.scoring.claim_view import ClaimView, Family, claim_feature, share_of_words_found
from faithview.judges.text.lexicon import NEGATIONS, word_set
from faithview.judges.text.tokens import Token

_ADJECTIVE = ("al", "ous", "ive", "able", "ible", "ful", "ic", "ary", "ent", "ant")


@claim_feature()
def window_recall(claim: ClaimView) -> float:
    """The share of its weight that the best window or the question holds."""
    return claim.window_recall


@claim_feature()
def sentence_recall(claim: ClaimView) -> float:
    """The share of its weight that the best sentence holds."""
    return _best_recall(claim.windows, 1)


@claim_feature()
def pair_window_recall(claim: ClaimView) -> float:
    """The share of its weight that the best one or two sentences hold."""
    return _best_recall(claim.windows, 2)


@claim_feature()
def context_recall(claim: ClaimView) -> float:
    """The share of its weight that the chunks or the question hold anywhere."""
    if not claim.content:
        return 1.0
    known = claim.comparison.known
    return sum([t.word.weight for t in claim.content if t.start in known]) / claim.weight


@claim_feature()
def second_window_recall(claim: ClaimView) -> float:
    """The share of its weight that the second-best window holds."""
    return claim.windows[1].recall if len(claim.windows) > 1 else 0.0


@claim_feature()
def missing_words(claim: ClaimView) -> float:
    """The logarithm of how many words are missing."""
    return log1p(len(claim.missing))


@claim_feature()
def missing_share(claim: ClaimView) -> float:
    """The share of the words with meaning that are missing."""
    return len(claim.missing) / claim.size


@claim_feature()
def missing_weight(claim: ClaimView) -> float:
    """The logarithm of what the missing words weigh."""
    return claim.missing_weight


@claim_feature()
def longest_missing_run(claim: ClaimView) -> float:
    """The logarithm of how many words are missing in a row."""
    return log1p(_longest_run(claim.content, claim.comparison.known))


@claim_feature()
def rarest_missing(claim: ClaimView) -> float:
    """The weight of the rarest missing word."""
    return claim.rarest[0]


@claim_feature()
def second_rarest_missing(claim: ClaimView) -> float:
    """The weight of the second-rarest missing word."""
    return claim.rarest[1]


@claim_feature()
def unlike_words(claim: ClaimView) -> float:
    """The logarithm of how many missing words have no other form in the chunks."""
    return claim.unlike_words


@claim_feature()
def unlike_weight(claim: ClaimView) -> float:
    """The logarithm of what those words weigh."""
    return log1p(sum([t.word.weight for t in claim.unlike]))


@claim_feature()
def first_missing_at(claim: ClaimView) -> float:
    """The place of the first missing word, 0 to 1; 1.5 if none is missing."""
    return claim.positions[claim.missing[0].start] / len(claim.tokens) if claim.missing else 1.5


@claim_feature()
def last_missing_at(claim: ClaimView) -> float:
    """The place of the last missing word, 0 to 1; -0.5 if none is missing."""
    return claim.positions[claim.missing[-1].start] / len(claim.tokens) if claim.missing else -0.5


@claim_feature(cap=4)
def missing_in_last_third(claim: ClaimView) -> float:
    """How many words of the last third are missing."""
    last_third = 2 * len(claim.tokens) / 3
    return sum([claim.positions[t.start] >= last_third for t in claim.missing])


@claim_feature(cap=4)
def missing_capitalised(claim: ClaimView) -> float:
    """How many missing words are capitalised within the sentence."""
    return sum([t.word.is_capitalised and claim.positions[t.start] > 0 for t in claim.missing])


@claim_feature(cap=3)
def missing_ing(claim: ClaimView) -> float:
    """How many missing words end in "ing" or "ed"."""
    return sum([t.word.lower.endswith(("ing", "ed")) for t in claim.missing])


@claim_feature(cap=3)
def missing_ly(claim: ClaimView) -> float:
    """How many missing words end in "ly"."""
    return sum([t.word.lower.endswith("ly") for t in claim.missing])


@claim_feature(cap=3)
def missing_adjective(claim: ClaimView) -> float:
    """How many missing words end as adjectives do."""
    return sum([t.word.lower.endswith(_ADJECTIVE) for t in claim.missing])


def _best_recall(windows: Sequence[Window], size: int) -> float:
    return max((w.recall for w in windows if w.last - w.first < size), default=0.0)


def _longest_run(content: Sequence[Token], known: frozenset[int]) -> int:
    longest = run = 0
    for token in content:
        run = 0 if token.start in known else run + 1
        longest = max(longest, run)
    return longest


WORDS = Family(
    name="words",
    features=(
        window_recall,
        sentence_recall,
        pair_window_recall,
        context_recall,
        second_window_recall,
        missing_words,
        missing_share,
        missing_weight,
        longest_missing_run,
        rarest_missing,
        second_rarest_missing,
        unlike_words,
        unlike_weight,
        first_missing_at,
        last_missing_at,
        missing_in_last_third,
        missing_capitalised,
        missing_ing,
        missing_ly,
        missing_adjective,
    ),
)


@claim_feature()
def bigram_recall(claim: ClaimView) -> float:
    """The share of neighbouring words with meaning that are neighbours in a chunk."""
    return _share_of_grams(claim, pairwise(claim.telling), claim.context.bigrams)


@claim_feature()
def trigram_recall(claim: ClaimView) -> float:
    """The same of three words in a row."""
    stems = claim.telling
    return _share_of_grams(claim, zip(stems, stems[1:], stems[2:], strict=False), claim.context.trigrams)


@claim_feature()
def word_pair_recall(claim: ClaimView) -> float:
    """The share of neighbouring words, including plain ones, that are also neighbours in a chunk."""
    return claim.word_pair_recall


@claim_feature()
def word_four_recall(claim: ClaimView) -> float:
    """The same of four words in a row."""
    stems = claim.stems
    fours = list(map(claim.context.word_fours.__contains__, zip(stems, stems[1:], stems[2:], stems[3:], strict=False)))
    return sum(fours) / (len(fours) or 1)


@claim_feature()
def longest_copy(claim: ClaimView) -> float:
    """The logarithm of the longest run of word pairs that are also neighbours in a chunk."""
    return log1p(claim.copied[0])


@claim_feature()
def longest_copy_share(claim: ClaimView) -> float:
    """The share of the word pairs that are in that run."""
    return claim.copied[0] / (len(claim.known_pairs) or 1)


@claim_feature()
def copied_pieces(claim: ClaimView) -> float:
    """How many such runs there are, as a share of the word pairs."""
    return claim.copied[1] / (len(claim.known_pairs) or 1)


@claim_feature()
def together_recall(claim: ClaimView) -> float:
    """The share of neighbouring words with meaning that one sentence of the chunks holds both of."""
    if not claim.linked:
        return 1.0 if claim.telling and claim.context.knows(claim.telling[0]) else 0.0
    return sum(claim.linked) / len(claim.linked)


@claim_feature()
def absent_from_window(claim: ClaimView) -> float:
    """The logarithm of how many words the chunks hold, but not in the best window."""
    known = claim.comparison.known
    return log1p(sum([t.start in known and t.word.stem not in claim.window_stems for t in claim.content]))


def _share_of_grams(claim: ClaimView, grams: Iterable[object], known: Set[object]) -> float:
    is_known = list(map(known.__contains__, grams))
    if not is_known:
        return 1.0 if claim.telling and all(claim.context.knows(stem) for stem in claim.telling) else 0.0
    return sum(is_known) / len(is_known)


WORD_ORDER = Family(
    name="word_order",
    features=(
        bigram_recall,
        trigram_recall,
        word_pair_recall,
        word_four_recall,
        longest_copy,
        longest_copy_share,
        copied_pieces,
        together_recall,
        absent_from_window,
    ),
)


_ARTICLES = word_set("the a an its their his her our my your this these that those some any")
_SHORT = 5


@claim_feature()
def known_pairs_apart(claim: ClaimView) -> float:
    """The logarithm of how many neighbouring words the chunks hold, but never in one sentence."""
    postings = claim.context.postings
    apart = (pair for pair, linked in zip(pairwise(claim.telling), claim.linked, strict=True) if not linked)
    return log1p(sum([a in postings and b in postings for a, b in apart]))


@claim_feature()
def words_found(claim: ClaimView) -> float:
    """The share of all words, plain ones too, that the chunks or the question hold."""
    return share_of_words_found(claim.tokens, claim.context, also=claim.context.question_stems)


@claim_feature(cap=4)
def missing_after_article(claim: ClaimView) -> float:
    """How many missing words come after an article."""
    numbers = [claim.positions[t.start] for t in claim.missing]
    return sum([number > 0 and claim.tokens[number - 1].word.lower in _ARTICLES for number in numbers])


@claim_feature(cap=4)
def missing_alone(claim: ClaimView) -> float:
    """The number of missing words without a missing neighbour."""
    gaps = claim.is_missing
    return sum(
        [gaps[at] and not any(gaps[max(0, at - 1) : at]) and not any(gaps[at + 1 : at + 2]) for at in range(len(gaps))]
    )


@claim_feature()
def missing_at_end(claim: ClaimView) -> float:
    """Whether the last word with meaning is missing."""
    return bool(claim.is_missing) and claim.is_missing[-1]


@claim_feature(cap=8)
def missing_neighbours(claim: ClaimView) -> float:
    """How many pairs of neighbouring words are missing both."""
    return sum([a and b for a, b in pairwise(claim.is_missing)])


@claim_feature(cap=6)
def missing_short(claim: ClaimView) -> float:
    """How many missing words are short."""
    return sum([t.end - t.start <= _SHORT for t in claim.missing])


GAPS = Family(
    name="gaps",
    features=(
        known_pairs_apart,
        words_found,
        missing_after_article,
        missing_alone,
        missing_at_end,
        missing_neighbours,
        missing_short,
    ),
)


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
    """The average weight of a word with meaning."""
    return claim.weight / claim.size


@claim_feature()
def question_share(claim: ClaimView) -> float:
    """The share of its weight that the question holds."""
    asked = claim.context.question_stems
    return sum([t.word.weight for t in claim.content if t.word.stem in asked]) / claim.weight


@claim_feature()
def is_item(claim: ClaimView) -> float:
    """Whether it is in a list."""
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
    """Whether it uses the first or second person."""
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


STYLE = Family(
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


# Embellishing words; counted only if the chunks do not have them.
_PRAISE = word_set(
    """popular beloved renowned famous acclaimed cozy charming inviting welcoming warm friendly attentive
    knowledgeable talented skilled dedicated passionate exceptional outstanding impressive delightful wonderful
    fantastic amazing perfect ideal vibrant lively bustling unique authentic homemade fresh quality diverse wide
    variety range extensive generous convenient conveniently prime family owned locally prompt efficient courteous
    professional clean spacious comfortable relaxing relaxed memorable satisfying mouthwatering delicious
    flavorful tasty excellent stunning beautiful picturesque elegant stylish gem favorite prides known reputation
    commitment hidden must modern"""
)
_SUMS_UP = word_set(
    """overall feedback opinion opinions mixed varied vary varies positive negative favorable experience experiences
    impression impressions generally largely mostly satisfied dissatisfied summary consensus"""
)
_PEOPLE = word_set(
    """reviewer reviewers customer customers guest guests patron patrons diner diners visitor visitors another reviews
    review users user"""
)


@claim_feature(cap=3)
def added_units(claim: ClaimView) -> float:
    """How many values the chunks have only without the unit."""
    return claim.comparison.added_units


@claim_feature(cap=3)
def missing_praise(claim: ClaimView) -> float:
    """How many missing words make a thing sound better."""
    return sum([t.word.lower in _PRAISE for t in claim.missing])


@claim_feature(cap=3)
def sums_up(claim: ClaimView) -> float:
    """How many words sum up what several people think."""
    return len(claim.lowers & _SUMS_UP)


@claim_feature()
def tells_of_people(claim: ClaimView) -> float:
    """Whether it tells of guests, reviewers or users."""
    return not claim.lowers.isdisjoint(_PEOPLE)


ADDITIONS = Family(
    name="additions",
    features=(
        added_units,
        missing_praise,
        sums_up,
        tells_of_people,
    ),
)
