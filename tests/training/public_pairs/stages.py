"""Which pairs each stage of the training is given, and how they are drawn."""

import random
import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tests.training.public_pairs.pairs import ENTAILED, Pair

RAGTRUTH = "ragtruth"

_PART_ONE_SEED = 1
_PART_TWO_SEED = 11
_HELPDESK_SEED = 5


class Draw(NamedTuple):
    """At most `most` pairs of a data set, in a random order, of those with at most `longest` words of premise.

    `usual` is how many such pairs there were when the reader was trained.
    """

    data_set: str
    most: int
    longest: int
    usual: int


_ANY_LENGTH = 1_000_000

# Data sets of the first part that are taken whole, in their own order.
PART_ONE_WHOLE = (
    "cad_nli",
    "docnli_binary_fever_nli",
    "fs_mnli",
    "fs_rte",
    "fs_scitail",
    "fs_snli",
    "negation_nli",
)
# Of these two all pairs are drawn from, also those that other data sets have.
PART_ONE_DRAWS = (
    Draw("conjnli", 5000, _ANY_LENGTH, 15606),
    Draw("docnli_mctest_nli", 1500, _ANY_LENGTH, 5760),
)
PART_TWO_DRAWS = (
    Draw("infotabs", 7000, 150, 23103),
    Draw("fool_me_twice", 5097, 160, 4991),
    Draw("fever_gold", 5000, 120, 17900),
    Draw("tabfact_pairs", 2500, 130, 2856),
    Draw("cl_drop", 3500, 170, 5915),
    Draw("contractnli", 1500, 200, 1362),
    Draw("cl_negation", 900, 99, 2500),
    Draw("cl_conditional", 900, 99, 2500),
    Draw("cl_quantifier", 900, 99, 2472),
    Draw("cl_comparative", 900, 99, 2500),
    Draw("cl_counting", 900, 99, 2500),
    Draw("cl_temporal", 1500, 120, 5402),
    Draw("cl_monotonicity_infer", 2000, 99, 8650),
    Draw("cl_boolean", 600, 99, 2500),
    Draw("cl_spatial", 600, 99, 3078),
    Draw("cl_lexical", 1500, 99, 3000),
    Draw("folio", 1207, 150, 1184),
    Draw("snli_subsamples", 5000, 99, 32783),
    Draw("fever_symmetric", 1416, 99, 1416),
    Draw("conjnli", 4000, 99, 15584),
    Draw("glue_diagnostic", 1100, 99, 1100),
    Draw("cl_entailment_tree", 1200, 120, 1642),
)
# Drawn from the files of part two.
HELPDESK_DRAWS = (
    Draw(RAGTRUTH, 1600, _ANY_LENGTH, 4000),
    Draw("infotabs", 500, _ANY_LENGTH, 7000),
    Draw("fool_me_twice", 600, _ANY_LENGTH, 4991),
    Draw("cl_drop", 400, _ANY_LENGTH, 3500),
    Draw("contractnli", 300, _ANY_LENGTH, 1362),
)

# Data sets of the third part, whose pages are kept aside for one in fifty. The others are taken whole.
PART_THREE = ("vitaminc_real", "vitaminc_synthetic")
_ASIDE = 50

# Of the half of RAGTruth that the reader may see.
_MOST_WRONG, _MOST_RIGHT = 1500, 2500

Files = dict[str, list[Pair]]


def drawn(draw: Draw, pairs: Sequence[Pair], rng: random.Random) -> list[Pair]:
    """Return the pairs of a draw.

    The generator is used as for `draw.usual` pairs, however many there are, so that a data set that is missing or has
    changed does not change what is drawn of the next one.
    """
    order = list(range(draw.usual))
    rng.shuffle(order)
    return _in_order(order, draw, pairs)


def sampled(draw: Draw, pairs: Sequence[Pair], rng: random.Random) -> list[Pair]:
    """Return the pairs of a draw as `drawn` does, by the other way of drawing that the first part was made with."""
    return _in_order(rng.sample(range(draw.usual), draw.most), draw, pairs)


def _in_order(order: Sequence[int], draw: Draw, pairs: Sequence[Pair]) -> list[Pair]:
    short = [pair for pair in pairs if len(pair.premise.split()) <= draw.longest]
    return [short[number] for number in order if number < len(short)][: draw.most]


def first_part(whole: Mapping[str, Sequence[Pair]], distinct: Mapping[str, Sequence[Pair]]) -> Files:
    """Return the files of the public stage's first part, without those of data sets that are missing."""
    rng = random.Random(_PART_ONE_SEED)
    files = {name: list(distinct.get(name, ())) for name in PART_ONE_WHOLE}
    for draw in PART_ONE_DRAWS:
        files[draw.data_set] = sampled(draw, whole.get(draw.data_set, ()), rng)
    return _made(files)


def second_part(distinct: Mapping[str, Sequence[Pair]], ragtruth: Sequence[Pair]) -> Files:
    """Return the files of the public stage's second part, with one of RAGTruth when there are pairs of it."""
    rng = random.Random(_PART_TWO_SEED)
    files = {draw.data_set: drawn(draw, distinct.get(draw.data_set, ()), rng) for draw in PART_TWO_DRAWS}
    wrong = [pair for pair in ragtruth if pair.label != ENTAILED]
    right = [pair for pair in ragtruth if pair.label == ENTAILED]
    rng.shuffle(wrong)
    rng.shuffle(right)
    files[RAGTRUTH] = wrong[:_MOST_WRONG] + right[:_MOST_RIGHT]
    rng.shuffle(files[RAGTRUTH])
    return _made(files)


def third_part(distinct: Mapping[str, Sequence[Pair]]) -> tuple[Files, Files]:
    """Return the files of the public stage's third part, and those of the pages kept aside to measure on."""
    files = {name: distinct.get(name, ()) for name in PART_THREE}
    trained = {name: [pair for pair in pairs if not _is_aside(pair)] for name, pairs in files.items()}
    aside = {name: [pair for pair in pairs if _is_aside(pair)] for name, pairs in files.items()}
    return _made(trained), _made(aside)


def _is_aside(pair: Pair) -> bool:
    page = pair.group.rpartition("/")[0]
    return zlib.crc32(page.encode()) % _ASIDE == 0


def helpdesk_stage(second: Mapping[str, Sequence[Pair]]) -> Files:
    """Return the public files of the help-desk stage, drawn from those of the public stage's second part."""
    rng = random.Random(_HELPDESK_SEED)
    return _made({draw.data_set: drawn(draw, second.get(draw.data_set, ()), rng) for draw in HELPDESK_DRAWS})


def _made(files: Files) -> Files:
    return {name: pairs for name, pairs in files.items() if pairs}
