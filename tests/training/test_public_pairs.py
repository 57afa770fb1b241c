"""The public training pairs: labels, texts and drawing, and what is said of a repository that cannot be had."""

import io
import json
import random
import subprocess
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.training.public_pairs.__main__ import main, refusal
from tests.training.public_pairs.catalogue import CATALOGUE, NOT_TRAINED_ON
from tests.training.public_pairs.contracts import windows
from tests.training.public_pairs.json_lines import vitamin_c
from tests.training.public_pairs.pairs import LABELS, Pair, detokenised, label_of, usable, without_repeats
from tests.training.public_pairs.repositories import Repositories, RepositoryMissing
from tests.training.public_pairs.stages import (
    HELPDESK_DRAWS,
    PART_ONE_DRAWS,
    PART_ONE_WHOLE,
    PART_THREE,
    PART_TWO_DRAWS,
    RAGTRUTH,
    Draw,
    drawn,
    first_part,
    helpdesk_stage,
    sampled,
    second_part,
    third_part,
)
from tests.training.public_pairs.tables import box_text, table_text


def _pairs(count: int, premise: str = "premise") -> list[Pair]:
    return [Pair(f"{premise} {number}", f"hypothesis {number}", LABELS[number % 4], "o/n p") for number in range(count)]


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("entailment", "entailed"),
        (" SUPPORTS ", "entailed"),
        ("E", "entailed"),
        ("REFUTES", "contradicted"),
        ("NOT ENOUGH INFO", "neutral"),
        ("NotMentioned", "neutral"),
        ("not_entailment", "not_entailed"),
        ("non_entailment", "not_entailed"),
        ("not-entailed", "not_entailed"),
        ("-", None),
        ("", None),
        (None, None),
    ],
)
def test_each_word_for_a_label_means_one_of_ours_or_none(written: object, label: str | None) -> None:
    assert label_of(written) == label


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("It is new , he said .", "It is new, he said."),
        ("Telemundo -LRB- a network -RRB- is big .", "Telemundo (a network) is big."),
        ("They do n't know Ann 's price : $ 5", "They don't know Ann's price: $5"),
        ("`` Yes '' -- twice", '"Yes" – twice'),
        ("Nothing to do.", "Nothing to do."),
    ],
)
def test_words_are_put_together_as_people_write_them(text: str, written: str) -> None:
    assert detokenised(text) == written


def test_rows_without_a_text_or_a_label_and_repeated_ones_are_left_out() -> None:
    rows = [
        (" A cat sat. ", "A cat.", "entailed", "s"),
        ("A cat sat.", "A cat.", "neutral", "s"),
        ("A cat sat.", None, "entailed", "s"),
        (None, "A cat.", "entailed", "s"),
        ("A cat sat.", "A dog.", None, "s"),
        ("A cat sat.", "Cat", "entailed", "s"),
    ]
    assert list(usable(rows)) == [Pair("A cat sat.", "A cat.", "entailed", "s")]


def test_the_first_data_set_keeps_a_pair_that_a_later_one_writes_otherwise() -> None:
    seen: set[tuple[str, str]] = set()
    first = [Pair("A cat sat.", "A cat.", "entailed", "a")]
    later = [Pair("a cat sat", "A  CAT", "neutral", "b"), Pair("a cat sat", "a dog", "neutral", "b")]
    assert without_repeats(first, seen) == first
    assert without_repeats(later, seen) == later[1:]


def test_a_line_says_what_was_asked_only_where_something_was() -> None:
    assert list(json.loads(_pairs(1)[0].as_line())) == ["premise", "hypothesis", "label", "source"]
    assert json.loads(_pairs(1)[0]._replace(asked="Which?").as_line())["asked"] == "Which?"
    assert json.loads(_pairs(1)[0]._replace(group="page/1").as_line())["group"] == "page/1"


def test_a_table_is_markdown_under_its_caption_and_a_long_one_is_left_out() -> None:
    assert table_text("year#goals\r\n1998#5 &amp; 6\r\n", ["a season", "x"]) == (
        "a season\n| year | goals |\n|---|---|\n| 1998 | 5 & 6 |"
    )
    assert table_text("\n".join(["a#b"] * 41), None) is None
    assert table_text(" \n", None) is None


def test_a_box_of_facts_is_its_title_and_a_line_for_each_fact() -> None:
    assert (
        box_text('{"title": ["Ann"], "Born": ["1900", "Oslo"], "Died": "1990"}') == "Ann\nBorn: 1900, Oslo\nDied: 1990"
    )
    assert box_text("no JSON") is None


def test_clauses_come_with_two_neighbours_and_dots_for_what_is_between() -> None:
    clauses = [f"clause  {number}" for number in range(12)]
    assert windows(clauses, [0, 9]).split("\n") == [
        *(f"clause {number}" for number in (0, 1, 2)),
        "...",
        *(f"clause {number}" for number in (7, 8, 9, 10, 11)),
    ]


@pytest.mark.parametrize("how", [drawn, sampled])
def test_a_draw_repeats_itself_and_does_not_change_the_next_one(
    how: Callable[[Draw, Sequence[Pair], random.Random], list[Pair]],
) -> None:
    draw, following = Draw("a", 5, 9, 40), Draw("b", 5, 9, 30)
    chosen = []
    for pairs in (_pairs(40), _pairs(40), []):
        rng = random.Random(3)
        chosen.append((how(draw, pairs, rng), how(following, _pairs(30, "other"), rng)))
    assert chosen[0] == chosen[1]
    assert len(set(chosen[0][0])) == 5
    assert chosen[0][0] != _pairs(40)[:5]
    assert chosen[2] == ([], chosen[0][1])


def test_long_premises_are_not_drawn() -> None:
    pairs = [*_pairs(3, "one two three"), *_pairs(3)]
    assert set(drawn(Draw("a", 9, 2, 3), pairs, random.Random(1))) == set(_pairs(3))


def test_stages_leave_out_what_is_missing_and_ragtruth_that_was_not_given() -> None:
    distinct = {"fs_rte": _pairs(8), "infotabs": _pairs(60)}
    assert first_part(distinct, distinct) == {"fs_rte": _pairs(8)}
    assert list(second_part(distinct, [])) == ["infotabs"]
    second = second_part(distinct, _pairs(20, "answer"))
    assert sorted(second) == ["infotabs", RAGTRUTH]
    assert sorted(second[RAGTRUTH]) == sorted(_pairs(20, "answer"))
    assert set(helpdesk_stage(second)[RAGTRUTH]) <= set(second[RAGTRUTH])


def test_a_page_of_vitamin_c_is_trained_on_or_kept_aside_as_a_whole() -> None:
    pairs = [pair._replace(group=f"page {number // 4}/case {number}") for number, pair in enumerate(_pairs(800))]
    trained, aside = (set(files["vitaminc_real"]) for files in third_part({"vitaminc_real": pairs}))
    assert trained | aside == set(pairs)
    pages = [{pair.group.partition("/")[0] for pair in part} for part in (trained, aside)]
    assert 0 < len(pages[1]) < len(pages[0]) / 10
    assert not pages[0] & pages[1]


def test_vitamin_c_is_read_as_people_write_with_the_versions_of_a_claim_in_one_group() -> None:
    row = {"page": "The Rasmus", "case_id": "5e", "claim": "It sold 5\ufffdmillion .", "evidence": "A -LRB- B -RRB- ."}
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as opened:
        lines = [json.dumps(row | {"label": label}) for label in ("SUPPORTS", "NOT ENOUGH INFO")]
        opened.writestr("vitaminc_real/LICENSE", "of the annotations")
        opened.writestr("vitaminc_real/test.jsonl", "\n".join(lines))
    repositories = Mock(spec=Repositories, read=Mock(return_value=archive.getvalue()))
    read = list(vitamin_c("static/vitaminc_real.zip")(repositories, "owner/name"))
    source = "owner/name static/vitaminc_real.zip:test.jsonl"
    assert read == [
        ("A (B).", "It sold 5 million.", label, source, "The Rasmus/5e") for label in ("entailed", "neutral")
    ]
    assert next(usable(read)).group == "The Rasmus/5e"


def test_every_data_set_is_drawn_from_or_named_as_one_that_is_not() -> None:
    draws = {draw.data_set for draw in (*PART_ONE_DRAWS, *PART_TWO_DRAWS)} - {RAGTRUTH}
    assert {data_set.name for data_set in CATALOGUE} == {*draws, *PART_ONE_WHOLE, *PART_THREE, *NOT_TRAINED_ON}
    assert {draw.data_set for draw in HELPDESK_DRAWS} <= {*draws, RAGTRUTH}


def test_files_are_read_from_the_newest_commit_without_a_work_tree(tmp_path: Path) -> None:
    place = tmp_path / "owner+name" / "repo"
    place.mkdir(parents=True)
    git = ("git", "-C", str(place), "-c", "user.name=a", "-c", "user.email=a@example.com")
    subprocess.run([*git, "init", "--quiet"], check=True)
    (place / "rows.txt").write_text("\ufeffone\n", encoding="utf-8")
    subprocess.run([*git, "add", "rows.txt"], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "Add rows"], check=True)
    (place / "rows.txt").unlink()
    repositories = Repositories(tmp_path, is_mirror=True)
    assert repositories.read_text("owner/name", "rows.txt") == "one\n"
    assert list(repositories.read_texts("owner/name", ["none.txt", "rows.txt"])) == ["rows.txt"]
    assert len(repositories.commit("owner/name")) == 40
    with pytest.raises(RepositoryMissing, match=r"owner/name could not be read.*none\.txt"):
        repositories.read("owner/name", "none.txt")


def test_a_repository_that_cannot_be_had_is_named_with_the_files_it_would_give(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mirror").mkdir()
    assert main(["-o", str(tmp_path / "pairs"), "--mirror", str(tmp_path / "mirror")]) == 1
    said = capsys.readouterr().err
    assert f"{len(CATALOGUE)} of {len(CATALOGUE)} data sets could not be had" in said
    assert "- Yale-LILY/FOLIO is not in the mirror: there is no folder " in said
    assert "Left out: docnli_mctest_nli.jsonl, docnli_binary_fever_nli.jsonl.\n" in said
    assert list((tmp_path / "pairs").rglob("*.jsonl")) == []


def test_nothing_is_said_when_all_could_be_had() -> None:
    assert refusal({}) == ""


def test_a_file_that_is_not_there_is_refused_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-o", str(tmp_path / "pairs"), "--ragtruth", str(tmp_path / "none.gz")]) == 2
    assert "none.gz; name RAGTruth's labelled file with --ragtruth." in capsys.readouterr().err
    assert not (tmp_path / "pairs").exists()
