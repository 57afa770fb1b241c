"""The data sets: which repository holds each, under which licence and at which commit, and how it is read.

Files are named one by one. A repository often has more of the same data, and pairs of it would be others.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.training.public_pairs.contracts import contract_nli
from tests.training.public_pairs.json_lines import (
    curriculum,
    fever_symmetric,
    folio,
    fool_me_twice,
    sentence_pairs,
    vitamin_c,
)
from tests.training.public_pairs.pairs import Pair, Row, usable, without_repeats
from tests.training.public_pairs.repositories import Repositories, RepositoryMissing
from tests.training.public_pairs.separated import commas, fever_evidence, nameless_tabs, tabs
from tests.training.public_pairs.tables import infotabs, tabfact


class Source(NamedTuple):
    """A repository of GitHub.

    `licence` is what its licence file says, with that of the data where its makers state another. `commit` is the one
    that the pairs were made from; another one may give others.
    """

    name: str
    licence: str
    commit: str


class DataSet(NamedTuple):
    """Pairs that stand in one repository; `read` gets its rows."""

    name: str
    source: Source
    read: Callable[[Repositories, str], Iterator[Row]]


_CAD = Source(
    "acmi-lab/counterfactually-augmented-data",
    "Apache-2.0 (its sentences are of SNLI, CC BY-SA 4.0)",
    "6f232a1d2a11462a30ce08fb4825b734ab30828e",
)
_CONJ = Source("swarnaHub/ConjNLI", "MIT", "10e0515c0d1777651b5084d9cca4664ead8162a4")
_CONTRACT = Source(
    "shu7bh/Contract-NLI", "MIT (ContractNLI itself CC BY 4.0)", "e6f53de2c7b4e62dcca1c389861a81043fb162fa"
)
_DOCNLI = Source("salesforce/DocNLI", "BSD-3-Clause", "492992a4d3fbf4bb96a7a48c4c6c95ee11c3234a")
_FEVER = Source("GGKorn/fever-nli", "none stated (FEVER itself CC BY-SA)", "cc8b3aa20d4007e2eb87c642c8158d8fcefe5fdf")
_SYMMETRIC = Source("TalSchuster/FeverSymmetric", "CC BY-SA", "fa25d17e73ea0694edc78133ec654b9f32f6db73")
_FOLIO = Source("Yale-LILY/FOLIO", "CC BY-SA", "5d7bb84c7edab3fb358e057d2807f19cf5cf5e2d")
_FOOL = Source("google-research/fool-me-twice", "Apache-2.0", "d9db753e5acf91c0d9bf543db327ab655661eb94")
_SALVATORE = Source(
    "felipessalvatore/NLI_datasets",
    "MIT (MultiNLI, SNLI, RTE and SciTail have their own)",
    "9551b739a830fafb2ec4b98d49a9ecd4bf3dcbd0",
)
_CNLI = Source(
    "nyu-mll/CNLI-generalization",
    "MIT (SNLI itself CC BY-SA 4.0)",
    "5c6d4df5f6a7e58d23c6db1a9dbc50eb9bcfda2b",
)
_INFOTABS = Source("infotabs/infotabs", "Apache-2.0", "34e7dc0900a0d861ad62be3d7371d8eb0aace4fe")
_NEGATION = Source("mosharafhossain/negation-and-nli", "MIT", "e7848fb621c32ec43511a5bfc406fc9208baf4f8")
_TABFACT = Source("wenhuchen/Table-Fact-Checking", "MIT", "2ab782ba42b5808076ac91fec846473aa5315a79")
_CURRICULUM = Source(
    "eric11eca/curriculum-ling",
    "MIT (the data sets in it have their own)",
    "34d86ad7ac2e563eaeb6b2dc4b308015f6d2b6b9",
)
_MED = Source("verypluming/MED", "CC BY-SA", "860ba36ce95ecba9f1ebe348d3d8cf1b3cba435a")
_HELP = Source("verypluming/HELP", "CC BY-SA", "3ee5c298d48549704629a3687ccd8a00168281b8")
_VITAMIN_C = Source(
    "TalSchuster/talschuster.github.io",
    "none stated (VitaminC itself CC BY-SA 3.0)",
    "152c9639f1e33ca295d0776b618c17884088f72f",
)

_MCTEST = tuple(
    f"Data/MCTest-NLI/{part}_in_entail.txt"
    for part in ("mc160.dev", "mc160.test", "mc160.train", "mc500.dev", "mc500.test")
)
_SNLI_SAMPLES = tuple(f"data/preprocessed/data/snlisub{number}/train.jsonl" for number in (0, 1, 3, 4))
_SNLI_COLUMNS = ("sentence1", "sentence2", "gold_label")
_FS_COLUMNS = ("premise", "hypothesis", "label")

# Nothing is trained on these three: they were once gathered with the others, which lost the pairs that these have too.
NOT_TRAINED_ON = ("fs_joci", "med_monotonicity", "help_monotonicity")

# The order decides which file keeps a pair that several have: the first. Those that were made from others come last.
CATALOGUE = (
    DataSet(
        "cad_nli",
        _CAD,
        tabs(*_SNLI_COLUMNS, *(f"NLI/all_combined/{part}.tsv" for part in ("train", "dev", "test"))),
    ),
    DataSet(
        "conjnli",
        _CONJ,
        tabs("Premise", "Hypothesis", "Label", "data/NLI/adversarial_train_15k.tsv", "data/NLI/conj_dev.tsv"),
    ),
    DataSet("contractnli", _CONTRACT, contract_nli),
    DataSet("docnli_mctest_nli", _DOCNLI, nameless_tabs(*_MCTEST)),
    DataSet(
        "fever_gold",
        _FEVER,
        fever_evidence(
            "data/vanilla_wiki_data/eval_data_vanilla.csv",
            "data/vanilla_wiki_data/test_data_vanilla.csv",
        ),
    ),
    DataSet(
        "fever_symmetric",
        _SYMMETRIC,
        fever_symmetric(
            "symmetric_v0.1/fever_symmetric_full.jsonl",
            "symmetric_v0.1/fever_symmetric_generated.jsonl",
            "symmetric_v0.2/fever_symmetric_dev.jsonl",
            "symmetric_v0.2/fever_symmetric_test.jsonl",
        ),
    ),
    DataSet("folio", _FOLIO, folio("data/v0.0/folio-train.jsonl", "data/v0.0/folio-validation.jsonl")),
    DataSet("fool_me_twice", _FOOL, fool_me_twice("dataset/dev.jsonl", "dataset/test.jsonl")),
    DataSet(
        "fs_joci",
        _SALVATORE,
        commas(*_FS_COLUMNS, "nli_datasets/joci/dev.csv", "nli_datasets/joci/train.csv"),
    ),
    DataSet("fs_mnli", _SALVATORE, commas(*_FS_COLUMNS, "nli_datasets/mnli/dev.csv")),
    DataSet("fs_rte", _SALVATORE, commas(*_FS_COLUMNS, "nli_datasets/rte/dev.csv", "nli_datasets/rte/train.csv")),
    DataSet("fs_snli", _SALVATORE, commas(*_FS_COLUMNS, "nli_datasets/snli/dev.csv")),
    DataSet("glue_diagnostic", _CNLI, sentence_pairs("data/preprocessed/data/val/glue_diagnostic/snli.jsonl")),
    DataSet(
        "help_monotonicity",
        _HELP,
        tabs(
            "ori_sentence",
            "new_sentence",
            "gold_label",
            "output_en/leskexppmb_and.tsv",
            "output_en/leskexppmb_or.tsv",
        ),
    ),
    DataSet("infotabs", _INFOTABS, infotabs),
    DataSet("med_monotonicity", _MED, tabs(*_SNLI_COLUMNS, "MED.tsv")),
    DataSet(
        "negation_nli",
        _NEGATION,
        tabs(
            "Text",
            "Hypothesis",
            "gold_label",
            *(f"data/new_benchmarks/clean_data/{part}.txt" for part in ("RTE", "SNLI", "MNLI")),
        ),
    ),
    DataSet("snli_subsamples", _CNLI, sentence_pairs(*_SNLI_SAMPLES)),
    DataSet("tabfact_pairs", _TABFACT, tabfact),
    DataSet("cl_boolean", _CURRICULUM, curriculum("boolean", 2500)),
    DataSet("cl_comparative", _CURRICULUM, curriculum("comparative", 2500)),
    DataSet("cl_conditional", _CURRICULUM, curriculum("conditional", 2500)),
    DataSet("cl_counting", _CURRICULUM, curriculum("counting", 2500)),
    DataSet("cl_drop", _CURRICULUM, curriculum("drop", 16_000)),
    DataSet("cl_entailment_tree", _CURRICULUM, curriculum("entailment_tree")),
    DataSet("cl_negation", _CURRICULUM, curriculum("negation", 2500)),
    DataSet("cl_quantifier", _CURRICULUM, curriculum("quantifier", 2500)),
    DataSet("cl_spatial", _CURRICULUM, curriculum("spatial", 4000, split_into_words="premise")),
    DataSet("cl_temporal", _CURRICULUM, curriculum("temporal", split_into_words="both")),
    DataSet(
        "docnli_binary_fever_nli",
        _DOCNLI,
        nameless_tabs("Data/binary-FEVER-NLI/dev.txt", "Data/binary-FEVER-NLI/test.txt", split_into_words=True),
    ),
    DataSet(
        "cl_monotonicity_infer",
        _CURRICULUM,
        curriculum("monotonicity_infer", 12_000, split_into_words="both"),
    ),
    DataSet("cl_lexical", _CURRICULUM, curriculum("lexical", 3000)),
    DataSet("fs_scitail", _SALVATORE, commas(*_FS_COLUMNS, "nli_datasets/scitail/dev.csv")),
    DataSet("vitaminc_real", _VITAMIN_C, vitamin_c("static/vitaminc_real.zip")),
    DataSet("vitaminc_synthetic", _VITAMIN_C, vitamin_c("static/vitaminc_synthetic.zip")),
)


class Gathered(NamedTuple):
    """The pairs of each data set that could be read, and why the others could not.

    `whole` has all pairs of a data set, `distinct` those that no earlier data set has.
    """

    whole: dict[str, list[Pair]]
    distinct: dict[str, list[Pair]]
    missing: dict[str, str]


def read_all(repositories: Repositories) -> Gathered:
    """Return the pairs of all data sets."""
    whole: dict[str, list[Pair]] = {}
    distinct: dict[str, list[Pair]] = {}
    missing: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    for data_set in CATALOGUE:
        try:
            whole[data_set.name] = list(usable(data_set.read(repositories, data_set.source.name)))
        except RepositoryMissing as error:
            missing[data_set.name] = str(error)
            continue
        distinct[data_set.name] = without_repeats(whole[data_set.name], seen)
    return Gathered(whole, distinct, missing)
