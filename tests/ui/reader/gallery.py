"""A page with the reader on answers that are hard to draw; `?row=` picks one. Only tests open it."""

import time
from dataclasses import replace

import streamlit as st

from faithview.domain.answer import AnswerRow
from faithview.domain.claim import Claim, Evidence, Verdict
from faithview.domain.result import Result, State
from faithview.domain.sample import Chunk, Sample
from faithview.domain.spans import Span
from faithview.ui.reader import payload
from faithview.ui.reader.reader import Choice, reader
from faithview.ui.theme import custom_properties
from tests.factories import make_claim, make_evidence, make_result

PADDING = " Administrators see every inbox in the settings, sorted by name, and can filter the list by team." * 12


def _claim(answer: str, quote: str, verdict: Verdict, chunk: Chunk, evidence: str) -> Claim:
    return make_claim(
        quote,
        verdict,
        chunk.chunk_id,
        answer=answer,
        confidence=0.9,
        explanation=f"About {quote!r}.",
        evidence=(make_evidence(chunk, evidence),),
    )


def _linked() -> tuple[Sample, Result]:
    answer = "👩‍👩‍👧 Inboxes hold up to 50 members and links expire after 7 days. Phones ring."
    inboxes = Chunk(text="Inboxes hold up to 20 members.", chunk_id="kb-1", metadata={"title": "Inboxes"})
    links = Chunk(text=PADDING + " Links expire after 7 days." + PADDING, chunk_id="kb-2")
    sample = Sample(answer=answer, chunks=(inboxes, *_filler(), links), question="How many, and how long?")
    whole = "Inboxes hold up to 50 members and links expire after 7 days."
    return sample, make_result(
        _claim(answer, whole, Verdict.PARTIALLY_SUPPORTED, inboxes, "up to 20"),
        _claim(answer, "up to 50 members", Verdict.CONTRADICTED, inboxes, "up to 20 members"),
        _claim(answer, "links expire after 7 days", Verdict.SUPPORTED, links, "Links expire after 7 days."),
        replace(
            _claim(answer, "Phones ring.", Verdict.NOT_MENTIONED, inboxes, "not in there"),
            supporting_chunk_ids=("kb-1", *(chunk.chunk_id for chunk in _filler())),  # so that they stay before kb-2
        ),
    )


def _folded() -> tuple[Sample, Result]:
    answer = "Phones ring. Lines open from 8 to 5. Calls end."
    chunk = Chunk(text='{"name": "Phone", "hours": {"Monday": "9 to 5"}}', chunk_id="record")
    return Sample(answer=answer, chunks=(chunk,)), make_result(
        _claim(answer, "Phones ring.", Verdict.SUPPORTED, chunk, "Phone"),
        _claim(answer, "Lines open from 8 to 5.", Verdict.CONTRADICTED, chunk, "9 to 5"),
        _claim(answer, "Calls end.", Verdict.SUPPORTED, chunk, "Phone"),
    )


def _filler() -> list[Chunk]:
    return [Chunk(text=f"Number {number}." + PADDING, chunk_id=f"filler-{number}") for number in range(8)]


def _hostile() -> tuple[Sample, Result]:
    bad = "<script>window.pwned=1</script><img src=x onerror='window.pwned=1'>"
    chunk = Chunk(text=bad, chunk_id="<b>id</b>", metadata={bad: bad})
    claim = make_claim(
        bad + ".",
        Verdict.CONTRADICTED,
        chunk.chunk_id,
        spans=(Span(start=0, end=12),),
        explanation=bad,
        correction=bad,
        evidence=(Evidence(chunk_id=chunk.chunk_id, quote=bad + "!", span=None),),
    )
    return Sample(
        answer=bad + " $x$ **b** \x07\u202eeno\u202c שלום\r\nend", chunks=(chunk,), question=bad
    ), make_result(claim)


def _large() -> tuple[Sample, Result]:
    answer = "".join(f"Sentence number {number} is here. " for number in range(34_000))[:1_000_000]
    chunks = tuple(Chunk(text=(f"Chunk {number} says little. " * 90)[:2000]) for number in range(100))
    spans = [Span(start=at, end=at + 20) for at in range(0, 990_000, 1_000)]
    claims = [make_claim(span.of(answer), Verdict.SUPPORTED, spans=(span,)) for span in spans]
    return Sample(answer=answer, chunks=chunks), make_result(*claims)


ANSWERS = {
    "linked": _linked(),
    "hostile": _hostile(),
    "failed": (Sample(answer="a"), make_result(state=State.FAILED, error="no <reply>")),
    "large": _large(),
    "folded": _folded(),
}


def _row(key: str, position: int, sample: Sample, result: Result) -> AnswerRow:
    return AnswerRow(
        key=key,
        position=position,
        question=sample.question,
        answer=sample.answer[:200],
        segment=None,
        state=result.state,
        faithfulness=result.faithfulness,
        is_faithful=result.is_faithful,
        claims={verdict: result.verdicts.count(verdict) for verdict in Verdict},
    )


def main() -> None:
    st.set_page_config(layout="wide")
    st.html(f"<style>{custom_properties()}</style>")
    st.text_input("Note")
    address = st.query_params
    key = address.get("row", "linked")
    claim = int(address["claim"]) if "claim" in address else None
    with st.empty():
        reader(
            labelled(key),
            key="reader",
            on_choice=choose,
            claim=claim,
            row=key,
            rows=[
                payload.list_row(_row(key, position, *answer)) for position, (key, answer) in enumerate(ANSWERS.items())
            ],
            height="600px",
        )
    st.text(f"Open: {key}, claim {claim}, labels {st.session_state.get('labels', [])}")


def labelled(key: str) -> payload.Payload:
    drawn = payload.answer(*ANSWERS[key])
    for claim in drawn["claims"]:
        claim |= {"can_label": True}
    return drawn


def choose(choice: Choice) -> None:
    if choice.verdict is not None:
        time.sleep(0.3)  # as long as a slow store takes
        st.session_state["labels"] = [
            *st.session_state.get("labels", []),
            f"{choice.row} {choice.claim} {choice.verdict}",
        ]
    claim = {} if choice.claim is None else {"claim": str(choice.claim)}
    st.query_params.from_dict({"row": choice.row or "", **claim})


if __name__ == "__main__":
    main()
