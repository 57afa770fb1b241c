"""Edits made to a made-up knowledge base are the ones that are reported, each in its document, and no others."""

from collections import Counter
from collections.abc import Sequence
from hashlib import md5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.comparison import ChunkChange
from faithview.domain.content_hashes import chunk_hash
from faithview.domain.knowledge import DocumentChangeKind, Passage
from faithview.services.knowledge import documents
from faithview.services.knowledge.documents import DocumentChanges, compare_documents

_WORDS = 12
ADDED, EDITED, REMOVED = DocumentChangeKind


class Library:
    """Passages with their texts, as the store would hand them out."""

    def __init__(self) -> None:
        self.texts: dict[int, str] = {}
        self._ids: dict[str, int] = {}

    def passage(self, text: str, *, chunk_id: str = "1", document: str | None = None, rank: int = 1) -> Passage:
        text_id = self._ids.setdefault(text, len(self._ids) + 1)
        self.texts[text_id] = text
        return Passage(
            chunk_id=chunk_id, chunk_hash=chunk_hash(text), rank=rank, text_id=text_id, document=document, title=None
        )

    def compare(self, before: Sequence[Passage], after: Sequence[Passage], *, is_whole: bool = True) -> DocumentChanges:
        return compare_documents(
            before, after, texts_of=lambda wanted: [self.texts[p.text_id] for p in wanted], is_whole=is_whole
        )


def _text(document: int, passage: int, *, edit: str = "") -> str:
    """Twelve words that no other passage has; an edit puts another word in the place of one."""
    words = [md5(f"{document} {passage} {at}".encode()).hexdigest()[:8] for at in range(_WORDS)]
    return " ".join([edit or words[0], *words[1:]])


@st.composite
def _edited_bases(draw: st.DrawFn) -> tuple[list[list[tuple[int, str]]], list[list[tuple[int, str]]], dict[int, str]]:
    """Draw two versions as documents of (passage, text), and what was done to each document."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=8))
    before: list[list[tuple[int, str]]] = []
    after: list[list[tuple[int, str]]] = []
    done: dict[int, str] = {}
    for document, size in enumerate(sizes):
        old = [(at, _text(document, at)) for at in range(size)]
        action = draw(st.sampled_from(["keep", "add", "remove", "edit", "append", "cut", "reorder"]))
        new = list(old)
        if action == "edit":
            at = draw(st.integers(0, size - 1))
            new[at] = (at, _text(document, at, edit="otherwise"))
        elif action == "append":
            new.append((size, _text(document, size)))
        elif action == "cut" and size > 1:
            new.pop(draw(st.integers(0, size - 1)))
        elif action == "reorder":
            new.reverse()
        done[document] = "keep" if action == "reorder" or (action == "cut" and size == 1) else action
        before.append([] if action == "add" else old)
        after.append([] if action == "remove" else new)
    return before, after, done


@given(_edited_bases(), st.sampled_from(["metadata", "ids"]))
def test_edits_made_to_documents_with_names_are_the_ones_reported(
    bases: tuple[list[list[tuple[int, str]]], list[list[tuple[int, str]]], dict[int, str]], naming: str
) -> None:
    before, after, done = bases
    library = Library()
    sides = [
        [
            library.passage(
                text,
                chunk_id=f"doc-{at}" if naming == "ids" else f"{at}-{number}",
                document=f"doc-{at}" if naming == "metadata" else None,
                rank=rank,
            )
            for at, passages in enumerate(base)
            for rank, (number, text) in enumerate(passages, start=1)
        ]
        for base in (before, after)
    ]
    found = library.compare(*sides)
    kinds = {"add": ADDED, "remove": REMOVED, "edit": EDITED, "append": EDITED, "cut": EDITED}
    expected = {f"doc-{at}": kinds[action] for at, action in done.items() if action != "keep"}
    assert {one.name: one.kind for one in found.changed} == expected
    assert found.unchanged == sum(action == "keep" for action in done.values())
    assert found.before == sum(map(bool, before))
    assert found.after == sum(map(bool, after))
    for one in found.changed:
        at = int(one.name.removeprefix("doc-"))
        old, new = Counter(text for _, text in before[at]), Counter(text for _, text in after[at])
        gone = [library.texts[change.before.text_id] for change in one.passages if change.before is not None]
        come = [library.texts[change.after.text_id] for change in one.passages if change.after is not None]
        assert (Counter(gone), Counter(come)) == (old - new, new - old)
        assert one.unchanged == (old & new).total()


@given(_edited_bases())
def test_edits_made_to_chunks_without_names_are_told_by_their_words(
    bases: tuple[list[list[tuple[int, str]]], list[list[tuple[int, str]]], dict[int, str]],
) -> None:
    library = Library()
    texts = [[text for passages in base for _, text in passages] for base in bases[:2]]
    sides = [[library.passage(text, chunk_id=str(at)) for at, text in enumerate(side, start=1)] for side in texts]
    found = library.compare(*sides)
    old, new = set(texts[0]), set(texts[1])
    edited = {text for text in new - old if text.startswith("otherwise")}
    kinds = {
        kind: {library.texts[c.passage.text_id] for one in found.of_kind(kind) for c in one.passages}
        for kind in DocumentChangeKind
    }
    assert kinds[EDITED] == edited
    assert kinds[ADDED] == new - old - edited
    assert len(kinds[REMOVED]) == len(old - new) - len(edited)
    assert found.unchanged == len(old & new)
    assert all(not one.is_named and one.name.endswith("…") for one in found.changed)


def test_a_document_under_another_name_is_the_same_and_an_edited_one_is_edited() -> None:
    library = Library()
    before = [library.passage(_text(0, 0), document="old name"), library.passage(_text(1, 0), document="old manual")]
    after = [
        library.passage(_text(0, 0), document="new name"),
        library.passage(_text(1, 0, edit="never"), document="new manual"),
    ]
    found = library.compare(before, after)
    assert [(one.name, one.kind) for one in found.changed] == [("new manual", EDITED)]
    assert found.unchanged == 1


def test_a_file_without_documents_is_compared_with_one_that_names_them_by_the_ids_of_chunks() -> None:
    library = Library()
    before = [library.passage(_text(0, at), chunk_id=f"a-{at}") for at in range(3)]
    after = [library.passage(_text(0, at), chunk_id=f"a-{at}", document="guide") for at in range(3)]
    assert library.compare(before, after).changed == ()
    assert library.compare([], after).changed[0].name == "guide"


def test_what_only_answers_retrieved_says_nothing_of_passages_that_one_side_lacks() -> None:
    library = Library()
    before = [library.passage(_text(0, at), chunk_id=f"g-{at}", document="guide") for at in (0, 1)]
    after = [library.passage(_text(0, at), chunk_id=f"g-{at}", document="guide") for at in (0, 2)]
    assert library.compare(before, after, is_whole=False).changed == ()
    (whole,) = library.compare(before, after).changed
    assert [change.kind for change in whole.passages] == [ChunkChange.ADDED, ChunkChange.REMOVED]
    edited = [*after, library.passage(_text(0, 1, edit="never"), chunk_id="g-1", document="guide")]
    (seen,) = library.compare(before, edited, is_whole=False).changed
    assert [change.kind for change in seen.passages] == [ChunkChange.EDITED]


def test_too_many_different_texts_are_not_paired_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_MOST_COMPARED", 3)
    library = Library()
    before = [library.passage(_text(at, 0)) for at in range(2)]
    after = [library.passage(_text(at, 0, edit="never")) for at in range(2)]
    found = library.compare(before, after)
    assert not found.is_complete
    assert Counter(one.kind for one in found.changed) == {ADDED: 2, REMOVED: 2}
