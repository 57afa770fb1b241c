"""A claim beside the chunks, as numbers: what the words, names and values of the claim alone tell of it.

What the rest of its answer tells is added by `surroundings`. Figures are shares of rounded weights, counts and
logarithms of counts; a model's thresholds have four digits, so that the last bit of a logarithm, in which machines
differ, decides nothing.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import pairwise
from math import log1p

from faithview.judges.lexical.comparison.comparison import Comparison
from faithview.judges.lexical.retrieval.index import Context
from faithview.judges.lexical.retrieval.passage import Window
from faithview.judges.lexical.splitting.citations import Cited
from faithview.judges.text.lexicon import NEGATIONS, word_set
from faithview.judges.text.tokens import Token

# The order of the figures that `claim_features` returns.
FEATURES = (
    "window_recall",
    "sentence_recall",
    "pair_window_recall",
    "context_recall",
    "second_window_recall",
    "missing_words",
    "missing_share",
    "missing_weight",
    "longest_missing_run",
    "rarest_missing",
    "second_rarest_missing",
    "unlike_words",
    "unlike_weight",
    "first_missing_at",
    "last_missing_at",
    "missing_in_last_third",
    "missing_capitalised",
    "missing_ing",
    "missing_ly",
    "missing_adjective",
    "bigram_recall",
    "trigram_recall",
    "word_pair_recall",
    "word_four_recall",
    "longest_copy",
    "longest_copy_share",
    "copied_pieces",
    "together_recall",
    "absent_from_window",
    "names",
    "missing_names",
    "names_not_in_window",
    "values",
    "missing_values",
    "values_not_in_window",
    "has_conflict",
    "words",
    "mean_weight",
    "question_share",
    "is_item",
    "advises",
    "hedges",
    "intensifies",
    "connects",
    "examples",
    "consequence",
    "denies",
    "addresses",
    "cites",
    "modal",
    "commas",
    "brackets",
    "colon",
    "quotes",
    "function_share",
    "known_pairs_apart",
    "words_found",
    "missing_after_article",
    "missing_alone",
    "missing_at_end",
    "missing_neighbours",
    "missing_short",
    "cited",
    "cited_beyond",
    "cited_behind_best",
    "cited_without",
    "carried",
    "carried_behind_best",
    "carried_without",
    "best_chunk",
    "second_chunk",
    "fields_agreed",
    "fields_against",
    "fields_untold",
    "added_units",
    "missing_praise",
    "sums_up",
    "tells_of_people",
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
_CITES = word_set("passage passages according stated mentioned states mentions provided based context text article")
# What is easily added to make a thing sound better; only where the chunks do not say it.
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
_MODAL = word_set("can could may might should would will must shall")


def claim_features(
    comparison: Comparison, context: Context, answer: str, cited: Cited, *, is_item: bool
) -> list[float]:
    """Return the figures of one claim, in the order of `FEATURES`.

    Args:
        comparison: the claim beside the chunks.
        context: the chunks and the question.
        answer: the whole answer, which the comparison's offsets point into.
        cited: the chunks that the claim cites.
        is_item: the claim stands in a list.
    """
    tokens = comparison.tokens
    content = [t for t in tokens if t.word.is_content]
    size = len(content) or 1
    weight = sum([t.word.weight for t in content]) or 1.0
    known = comparison.known
    in_question = context.question_stems
    windows = comparison.windows
    missing = comparison.missing
    unlike = [t for t in missing if not context.resembles(t.word.stem)]
    rarest = [*sorted((t.word.weight for t in missing), reverse=True)[:2], 0.0, 0.0]
    places = {t.start: number for number, t in enumerate(tokens)}
    last_third = 2 * len(tokens) / 3
    stems = [t.word.stem for t in tokens]
    telling = [t.word.stem for t in tokens if t.word.is_content or t.word.is_number]
    linked = [context.share_a_passage(a, b) for a, b in pairwise(telling)]
    pairs = list(map(context.word_pairs.__contains__, pairwise(stems)))
    fours = list(map(context.word_fours.__contains__, zip(stems, stems[1:], stems[2:], stems[3:], strict=False)))
    longest, pieces = _copied(pairs)
    window_stems = windows[0].found if windows else frozenset[str]()
    lowers = {t.word.lower for t in tokens}
    text = answer[comparison.start : comparison.end]
    return [
        sum([t.word.weight for t in content if t.word.stem in window_stems or t.word.stem in in_question]) / weight,
        _best_recall(windows, 1),
        _best_recall(windows, 2),
        sum([t.word.weight for t in content if t.start in known]) / weight if content else 1.0,
        windows[1].recall if len(windows) > 1 else 0.0,
        log1p(len(missing)),
        len(missing) / size,
        log1p(sum([t.word.weight for t in missing])),
        log1p(_longest_run(content, known)),
        rarest[0],
        rarest[1],
        log1p(len(unlike)),
        log1p(sum([t.word.weight for t in unlike])),
        places[missing[0].start] / len(tokens) if missing else 1.5,
        places[missing[-1].start] / len(tokens) if missing else -0.5,
        float(min(4, sum([places[t.start] >= last_third for t in missing]))),
        float(min(4, sum([t.word.is_capitalised and places[t.start] > 0 for t in missing]))),
        float(min(3, sum([t.word.lower.endswith(("ing", "ed")) for t in missing]))),
        float(min(3, sum([t.word.lower.endswith("ly") for t in missing]))),
        float(min(3, sum([t.word.lower.endswith(_ADJECTIVE) for t in missing]))),
        _share_of_grams(pairwise(telling), context.bigrams, telling, context),
        _share_of_grams(zip(telling, telling[1:], telling[2:], strict=False), context.trigrams, telling, context),
        sum(pairs) / (len(pairs) or 1),
        sum(fours) / (len(fours) or 1),
        log1p(longest),
        longest / (len(pairs) or 1),
        pieces / (len(pairs) or 1),
        _together(telling, linked, context),
        log1p(sum([t.start in known and t.word.stem not in window_stems for t in content])),
        float(min(4, len(comparison.names))),
        float(min(4, len(comparison.missing_names))),
        float(min(3, sum([not window_stems.intersection(name.stems) for name in comparison.names]))),
        float(min(6, len(comparison.values))),
        float(min(4, len(comparison.missing_values))),
        float(min(4, _values_elsewhere(comparison, context))),
        float(comparison.conflict is not None),
        log1p(len(tokens)),
        weight / size,
        sum([t.word.weight for t in content if t.word.stem in in_question]) / weight,
        float(is_item),
        float(min(3, len(lowers & _ADVISES))),
        float(min(2, len(lowers & _HEDGES))),
        float(min(3, len(lowers & _INTENSIFIES))),
        float(bool(tokens) and tokens[0].word.lower in _CONNECTS),
        float(not lowers.isdisjoint(_EXAMPLES)),
        float(min(3, len(lowers & _CONSEQUENCE))),
        float(not lowers.isdisjoint(NEGATIONS)),
        float(not lowers.isdisjoint(_ADDRESSES)),
        float(min(3, len(lowers & _CITES))),
        float(min(3, len(lowers & _MODAL))),
        float(min(6, text.count(","))),
        float(min(3, text.count("("))),
        float(":" in text),
        float('"' in text or "“" in text),
        len(content) / (len(tokens) or 1),
        _apart(telling, linked, context),
        share_of_words_found(tokens, context, also=in_question),
        *_missing_figures(tokens, content, missing, places),
        *_citation_figures(tokens, context, cited),
        *(float(min(4, count)) for count in comparison.fields),
        float(min(3, comparison.added_units)),
        float(min(3, sum([t.word.lower in _PRAISE for t in missing]))),
        float(min(3, len(lowers & _SUMS_UP))),
        float(not lowers.isdisjoint(_PEOPLE)),
    ]


_ARTICLES = word_set("the a an its their his her our my your this these that those some any")
_SHORT = 5
_SHORTEST = 3


def share_of_words_found(tokens: Sequence[Token], context: Context, also: Set[str] = frozenset()) -> float:
    """Return the share of all words of three letters and more, plain ones too, that a chunk or `also` holds."""
    words = [t.word.stem for t in tokens if t.end - t.start >= _SHORTEST]
    return sum([stem in context.stems or stem in also for stem in words]) / len(words) if words else 1.0


def _missing_figures(
    tokens: Sequence[Token], content: Sequence[Token], missing: Sequence[Token], places: Mapping[int, int]
) -> list[float]:
    """Return where the missing words stand: after an article, alone, at the end, beside each other; and short ones."""
    if not missing:
        return [0.0] * 5
    lost = {token.start for token in missing}
    is_lost = [token.start in lost for token in content]
    neighbours = sum([a and b for a, b in pairwise(is_lost)])
    alone = sum(
        [
            is_lost[at] and not any(is_lost[max(0, at - 1) : at]) and not any(is_lost[at + 1 : at + 2])
            for at in range(len(is_lost))
        ]
    )
    after_article = sum([places[t.start] > 0 and tokens[places[t.start] - 1].word.lower in _ARTICLES for t in missing])
    return [
        float(min(4, after_article)),
        float(min(4, alone)),
        float(bool(is_lost) and is_lost[-1]),
        float(min(8, neighbours)),
        float(min(6, sum([t.end - t.start <= _SHORT for t in missing]))),
    ]


def _citation_figures(tokens: Sequence[Token], context: Context, cited: Cited) -> list[float]:
    """Return what the cited chunks say less of the claim than others, and how much the two best chunks say.

    For the claim's own citations and for those it takes over: how much less of its weight the best of the cited chunks
    says than the best of all, and how much less all the cited ones say than all chunks.
    """
    ranges = cited.ranges
    weights = {
        t.word.stem: round(1000 * (t.word.weight or _NUMBER_WEIGHT))
        for t in tokens
        if (t.word.is_content or t.word.is_number) and not (ranges and any(a <= t.start < b for a, b in ranges))
    }
    total = sum(weights.values()) or 1
    chunks_with = {stem: context.chunks_with(stem) for stem in weights}
    shares = [0] * len(context.texts)
    known = 0
    for stem, weight in weights.items():
        chunks = chunks_with[stem]
        known += weight if chunks else 0
        for chunk in chunks:
            shares[chunk] += weight
    best = sorted(shares, reverse=True)[:2]

    def behind(numbers: Sequence[int]) -> tuple[float, float]:
        places = {number - 1 for number in numbers if 1 <= number <= len(shares)}
        if not places:
            return 0.0, 0.0
        said = sum(w for s, w in weights.items() if not places.isdisjoint(chunks_with[s]))
        return (best[0] - max(shares[place] for place in places)) / total, (known - said) / total

    return [
        float(min(3, len(cited.own))),
        float(any(not 1 <= number <= len(shares) for number in cited.own)),
        *behind(cited.own),
        float(min(3, len(cited.carried))),
        *behind(cited.carried),
        best[0] / total if best else 0.0,
        best[1] / total if len(best) > 1 else 0.0,
    ]


_NUMBER_WEIGHT = 3.0

_ADJECTIVE = ("al", "ous", "ive", "able", "ible", "ful", "ic", "ary", "ent", "ant")


def _best_recall(windows: Sequence[Window], size: int) -> float:
    return max((w.recall for w in windows if w.last - w.first < size), default=0.0)


def _longest_run(content: Sequence[Token], known: frozenset[int]) -> int:
    longest = run = 0
    for token in content:
        run = 0 if token.start in known else run + 1
        longest = max(longest, run)
    return longest


def _copied(pairs: Sequence[bool]) -> tuple[int, int]:
    """Return the longest run of word pairs that a chunk holds, and how many runs there are."""
    longest = run = pieces = 0
    for is_known in pairs:
        if is_known:
            pieces += not run
            run += 1
            longest = max(longest, run)
        else:
            run = 0
    return longest, pieces


def _share_of_grams(grams: Iterable[object], known: Set[object], stems: Sequence[str], context: Context) -> float:
    found = list(map(known.__contains__, grams))
    if not found:
        return 1.0 if stems and all(context.knows(stem) for stem in stems) else 0.0
    return sum(found) / len(found)


def _together(stems: Sequence[str], linked: Sequence[bool], context: Context) -> float:
    """Return the share of neighbouring words with meaning that one sentence of the chunks holds both of."""
    if not linked:
        return 1.0 if stems and context.knows(stems[0]) else 0.0
    return sum(linked) / len(linked)


def _apart(stems: Sequence[str], linked: Sequence[bool], context: Context) -> float:
    """Return how many neighbouring words with meaning the chunks hold, but never in one sentence."""
    postings = context.postings
    apart = (pair for pair, is_linked in zip(pairwise(stems), linked, strict=True) if not is_linked)
    return log1p(sum([a in postings and b in postings for a, b in apart]))


def _values_elsewhere(comparison: Comparison, context: Context) -> int:
    """Return how many values of the claim the chunks hold, but not in its best window."""
    if not comparison.windows or not comparison.values:
        return 0
    window = comparison.windows[0]
    words = {t.word.stem for p in context.passages[window.first : window.last + 1] for t in p.tokens}
    lost = {value.start for value in comparison.missing_values}
    stems = {t.start: t.word.stem for t in comparison.tokens}
    return sum([value.start not in lost and stems.get(value.start, "") not in words for value in comparison.values])
