"""What a row and a version are, what changed between two versions, and which questions are held out."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview import Sample
from faithview.domain.content_hashes import rows_hash
from faithview.domain.dataset import (
    RowIdentity,
    VersionChange,
    compare_versions,
    draw_subjects,
    row_identity,
    shared_share,
)

ROW = Sample.of("Twenty.", ["up to 20"], question="How many?", key="a")


def _rows(*names: str) -> list[RowIdentity]:
    """Rows named "question/answer"."""
    return [RowIdentity(row_hash=name, subject=name.partition("/")[0]) for name in names]


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        pytest.param(replace(ROW, key="b", segment="s", extra={"n": 1}), True, id="id, segment and other columns"),
        pytest.param(replace(ROW, answer=" Twenty. "), True, id="white space"),
        pytest.param(replace(ROW, reference=" "), True, id="an empty reference"),
        pytest.param(replace(ROW, reference="20"), False, id="a reference"),
        pytest.param(replace(ROW, answer="twenty."), False, id="case of the answer"),
        pytest.param(Sample.of("Twenty.", ["up to 20", "more"], question="How many?"), False, id="a chunk more"),
    ],
)
def test_a_row_is_its_texts(other: Sample, is_same: bool) -> None:
    assert (row_identity(other).row_hash == row_identity(ROW).row_hash) is is_same


def test_a_row_is_about_its_question_else_its_chunks_else_itself() -> None:
    again = Sample.of("Fifty.", ["other"], question=" how  MANY? ")
    assert row_identity(again).subject == row_identity(ROW).subject
    without = [Sample.of(answer, ["b", "a"]) for answer in ("x", "y")]
    assert row_identity(without[0]).subject == row_identity(without[1]).subject
    bare = [Sample(answer=answer) for answer in ("x", "y")]
    assert row_identity(bare[0]).subject != row_identity(bare[1]).subject


@given(st.lists(st.text(alphabet="abc", min_size=1, max_size=2), max_size=8), st.randoms())
def test_the_order_of_rows_does_not_count_and_repetition_does(hashes: list[str], random: object) -> None:
    shuffled = sorted(hashes, key=lambda _: random.random())  # type: ignore[attr-defined]  # a Random of hypothesis
    assert rows_hash(shuffled) == rows_hash(hashes)
    assert rows_hash([*hashes, "a"]) != rows_hash(hashes)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("a/1 b/1", "b/1 a/1", (2, 0, 0, 0), id="the same rows"),
        pytest.param("a/1 b/1", "a/2 b/1 c/1", (1, 1, 1, 0), id="one answered anew, one added"),
        pytest.param("a/1 a/2 b/1", "a/1", (1, 0, 0, 2), id="two removed, one of a question that stays"),
        pytest.param("a/1 a/1", "a/1 a/3", (1, 1, 0, 0), id="one of two equal rows changed"),
    ],
)
def test_what_changed_between_two_versions(before: str, after: str, expected: tuple[int, int, int, int]) -> None:
    kept, changed, added, removed = expected
    assert compare_versions(_rows(*before.split()), _rows(*after.split())) == VersionChange(
        kept=kept, changed=changed, added=added, removed=removed
    )


def test_rows_are_shared_by_what_they_are_about_and_counted_for_the_smaller_set() -> None:
    assert shared_share(_rows("a/1", "b/1"), _rows("a/9", "c/1", "d/1")) == 0.5
    assert shared_share([], _rows("a/1")) == 0.0


def test_a_share_is_held_out_by_question_the_same_one_each_time() -> None:
    subjects = [f"q{number % 10}" for number in range(25)]
    first = draw_subjects(subjects, held_out=frozenset(), share=0.25)
    assert len(first) == 3
    assert draw_subjects(subjects[::-1], held_out=frozenset(), share=0.25) == first
    more = draw_subjects(subjects, held_out=frozenset(first), share=0.5)
    assert len(more) == 2
    assert not set(more) & set(first)
    assert draw_subjects(subjects, held_out=frozenset(first), share=0.2) == []
    assert len(draw_subjects([*subjects, "new"], held_out=frozenset(), share=0.25)) == 3
