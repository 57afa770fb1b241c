"""The chunks and documents that a run's unsupported claims come from: the worst by each fault, with their claims.

Whether the claims that cite a source are supported less often than other claims is tested as for slices
(`stats.slices`), for all sources that are cited by enough claims at once.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from faithview.domain.answer import View
from faithview.domain.claim import WORST_FIRST, Verdict
from faithview.domain.knowledge import document_name
from faithview.domain.pairing import is_own_id
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.stats.slices import LowSlice, SliceSearch, find_low_slices
from faithview.store import revisions, sources
from faithview.store.samples import load_chunk_texts
from faithview.store.sources import Citing, ListedClaim, Retrieved
from faithview.wording.knowledge import chunk_name

# Fisher's test is exact for few claims; a source whose claims are all about one question says nothing about others.
_FEWEST_QUESTIONS = 3


class Fault(StrEnum):
    """A fault of a chunk.

    `contradicted`: it contradicts claims that cite it. `not_supporting`: it does not fully support claims that cite it.
    `unused`: it is retrieved and no claim cites it.
    """

    CONTRADICTED = "contradicted"
    NOT_SUPPORTING = "not_supporting"
    UNUSED = "unused"


_OF_CLAIMS = (Fault.CONTRADICTED, Fault.NOT_SUPPORTING)


class ChunkPart(NamedTuple):
    """A chunk of a document on the board; `text_id` is the id of its text."""

    chunk_id: str
    text_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkFault:
    """One chunk, or one document, on the board.

    `name` is the chunk's own id, or the first words of a chunk without one. The board is sorted by `count`: claims, or
    answers for `unused`. `share` is the count among all claims that cite it, None for `unused`.
    `retrieved` counts answers and `cited` claims, of all chunks of a document together.
    `parts` are the chunks; `text` and `text_id` are None for a document.
    """

    name: str
    document: str | None
    count: int
    share: float | None
    retrieved: int
    cited: int
    chunks: int
    text_id: int | None
    text: str | None = None
    parts: tuple[ChunkPart, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceBoard:
    """A board with its totals.

    `faults` has the worst chunks, or documents, of each fault and `totals` counts all of them. `retrieved` counts the
    different ones in the contexts of the run's answers, `cited` those that a claim cites, and `undocumented` the chunks
    whose metadata do not name a document. Of the run's `claims`, `citing` cite a chunk; only these count for a chunk.

    `tested` counts the sources whose claims were tested. `lowest` is the one with the most certain finding: the more
    frequent of its two faults, and its figures, in shares of supported claims. It is None if no source has claims that
    are supported significantly less often than the claims that cite other sources only.
    """

    faults: Mapping[Fault, tuple[ChunkFault, ...]]
    totals: Mapping[Fault, int]
    retrieved: int
    cited: int
    undocumented: int
    claims: int
    citing: int
    tested: int = 0
    lowest: tuple[Fault, ChunkFault, LowSlice] | None = None


def load_board(
    store: Store,
    run_id: str,
    *,
    view: View = View.JUDGE,
    by_document: bool = False,
    limit: int = 20,
) -> SourceBoard:
    """Return the chunks, or documents, of a run by each fault, the worst first, with their totals.

    Args:
        store: FaithView.
        run_id: the run.
        view: whose verdicts count.
        by_document: add up the chunks of each document; a chunk without a document counts as one.
        limit: the maximum number per fault.

    Raises:
        NotFound: there is no such run.
    """
    run = get_run(store, run_id)
    retrieved, claims = _load_uses(store, run, view)
    claims = claims[claims.verdict.notna()]
    citing = claims[claims.text_id.notna()]
    texts = _count_by_text(retrieved, citing)
    own_name = texts.chunk_id.where(texts.chunk_id.map(is_own_id), "text " + texts.index.astype(str))
    texts["source"] = texts.document.fillna(own_name) if by_document else texts.index.astype(str)
    faults = _find_faults(texts, by_document=by_document)
    search = _find_low_sources(citing, texts)
    lowest: tuple[Fault, ChunkFault, LowSlice] | None = None
    if search.slices:
        low = search.slices[0]
        found = [(fault, faults[fault][low.number]) for fault in _OF_CLAIMS if low.number in faults[fault]]
        fault, item = max(found, key=lambda pair: pair[1].count)
        lowest = fault, _with_texts(store, [item])[0], low
    listed = {fault: sorted(found.values(), key=_worst_first) for fault, found in faults.items()}
    return SourceBoard(
        faults={fault: _with_texts(store, found[:limit]) for fault, found in listed.items()},
        totals={fault: len(found) for fault, found in listed.items()},
        retrieved=texts.source.nunique(),
        cited=texts.source[texts.cited > 0].nunique(),
        undocumented=int(texts.document.isna().sum()),
        claims=claims.claim_id.nunique(),
        citing=citing.claim_id.nunique(),
        tested=search.tested,
        lowest=lowest,
    )


def list_citations(
    store: Store, run_id: str, item: ChunkFault, fault: Fault, *, view: View = View.JUDGE, limit: int = 200
) -> list[ListedClaim]:
    """Return the claims that cite a chunk, the worst verdicts first; for an unused chunk, answers that retrieved it."""
    retrieved, claims = _load_uses(store, get_run(store, run_id), view)
    text_ids = {part.text_id for part in item.parts}
    if fault is Fault.UNUSED:
        rows = retrieved.row[retrieved.text_id.isin(text_ids)].drop_duplicates().head(limit)
        return sources.list_answers(store.db, run_id, rows.tolist())
    citing = claims[claims.text_id.isin(text_ids) & claims.verdict.notna()].drop_duplicates("claim_id")
    # A stable sort keeps the order of the file among equal verdicts.
    first = citing.sort_values("verdict", key=lambda of: of.map(WORST_FIRST.index), kind="stable").head(limit)
    details = sources.load_claims(store.db, first.claim_id.tolist(), view=view)
    return [details[claim_id] for claim_id in first.claim_id]


def chunk_texts(store: Store, item: ChunkFault, *, limit: int | None = None) -> list[tuple[str, str]]:
    """Return the ids and texts of a chunk, or of a document's first `limit` chunks (all of them by default)."""
    texts = load_chunk_texts(store.db, [part.text_id for part in item.parts[:limit]])
    return [(part.chunk_id, texts[part.text_id]) for part in item.parts[:limit]]


def _load_uses(store: Store, run: Run, view: View) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the chunks that answers of a run retrieved, and its claims once for each chunk that they cite."""
    state = revisions.list_revisions(store.db, [run.run_id]).get(run.run_id)
    return store.comparison_cache.get(
        "sources", (run.run_id, view), state, partial(_read_uses, store, run.run_id, view)
    )


def _read_uses(store: Store, run_id: str, view: View) -> tuple[pd.DataFrame, pd.DataFrame]:
    retrieved = pd.DataFrame(sources.list_retrieved(store.db, run_id), columns=Retrieved._fields)
    retrieved["document"] = [document_name(meta) for meta in retrieved.meta]
    claims = pd.DataFrame(sources.list_citing(store.db, run_id, view=view), columns=Citing._fields)
    return retrieved.drop_duplicates(["row", "text_id"]), claims.drop_duplicates(["claim_id", "text_id"])


def _count_by_text(retrieved: pd.DataFrame, citing: pd.DataFrame) -> pd.DataFrame:
    """Return the counts of each text by its id, the most often retrieved first."""
    texts = retrieved.groupby("text_id", sort=False).agg(document=("document", "first"), retrieved=("row", "size"))
    texts["chunk_id"] = retrieved.sort_values("chunk_id").drop_duplicates("text_id").set_index("text_id").chunk_id
    texts = texts.sort_values(["retrieved", "chunk_id"], ascending=[False, True])
    verdicts = pd.crosstab(citing.text_id, citing.verdict).reindex(columns=list(Verdict), fill_value=0)
    verdicts = verdicts.reindex(texts.index, fill_value=0)
    texts["cited"] = verdicts.sum(axis=1)
    texts[Fault.CONTRADICTED] = verdicts[Verdict.CONTRADICTED]
    texts[Fault.NOT_SUPPORTING] = verdicts[Verdict.PARTIALLY_SUPPORTED] + verdicts[Verdict.NOT_MENTIONED]
    return texts


def _find_faults(texts: pd.DataFrame, *, by_document: bool) -> dict[Fault, dict[int, ChunkFault]]:
    """Return the faults of the sources by their numbers, in the order of the texts."""
    table = texts.groupby("source", sort=False).agg(
        **{name: (name, "sum") for name in ("retrieved", "cited", *_OF_CLAIMS)},
        document=("document", "first"),
        chunk_id=("chunk_id", "first"),
    )
    table[Fault.UNUSED] = table.retrieved.where(table.cited == 0, 0)
    parts: dict[str, list[ChunkPart]] = defaultdict(list)
    for text_id, source, chunk_id in texts[["source", "chunk_id"]].itertuples():
        parts[source].append(ChunkPart(chunk_id, text_id))
    return {
        fault: {
            number: ChunkFault(
                name=(row["document"] if by_document else None) or row["chunk_id"],
                document=row["document"],
                count=row[fault],
                share=row[fault] / row["cited"] if fault in _OF_CLAIMS else None,
                retrieved=row["retrieved"],
                cited=row["cited"],
                chunks=len(parts[row["source"]]),
                text_id=None if by_document else parts[row["source"]][0].text_id,
                parts=tuple(sorted(parts[row["source"]])),
            )
            for number, row in enumerate(table.reset_index().to_dict("records"))
            if row[fault]
        }
        for fault in Fault
    }


def _find_low_sources(citing: pd.DataFrame, texts: pd.DataFrame) -> SliceSearch:
    """Test for each source, in the order of the texts, whether its claims are supported less often than others."""
    claims = citing.drop_duplicates("claim_id")
    place = {claim_id: at for at, claim_id in enumerate(claims.claim_id)}
    members: dict[str, set[int]] = defaultdict(set)
    for claim_id, source in zip(citing.claim_id, texts.source[citing.text_id], strict=True):
        members[source].add(place[claim_id])
    return find_low_slices(
        np.asarray(claims.verdict == Verdict.SUPPORTED, dtype=np.float64),
        pd.factorize(claims.cluster)[0],
        [np.array(sorted(members[source]), dtype=np.int64) for source in texts.source.unique()],
        fewest=_FEWEST_QUESTIONS,
    )


def _worst_first(item: ChunkFault) -> tuple[int, float, str]:
    return -item.count, -(item.share or 0), item.name


def _with_texts(store: Store, items: Sequence[ChunkFault]) -> tuple[ChunkFault, ...]:
    texts = load_chunk_texts(store.db, {item.parts[0].text_id for item in items})
    return tuple(
        replace(
            item,
            # Chunks without ids are numbered by rank, so many are called "1": their first words distinguish them.
            name=chunk_name(item.name, texts[item.parts[0].text_id]),
            text=None if item.text_id is None else texts[item.text_id],
        )
        for item in items
    )
