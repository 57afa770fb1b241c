"""A small help centre, a run over it, and updates in which it is known what breaks."""

from collections.abc import Mapping, Sequence
from typing import Any

from faithview import Chunk, Sample
from faithview.domain.comparison import Cause
from faithview.domain.run import JudgeSpec, Run
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.container import Store
from faithview.services.knowledge.preflight import begin_preflight, plan_preflight
from faithview.services.knowledge.versions import save_knowledge_base
from faithview.services.runs.create import judge_here
from tests.factories import add_judged_run

RETURNS = "Items can be returned within 30 days of delivery. The refund is paid to the card that was used."
DELIVERY = "Delivery costs 5 euros and takes 3 working days. Orders over 100 euros are delivered free of charge."
ADDRESSES = "You can store up to 5 addresses in your account. One of them is the default address."
GIFTS = "Gift cards are valid for 2 years. They can be used in every shop of the company."
KNOWLEDGE = {"returns": RETURNS, "delivery": DELIVERY, "addresses": ADDRESSES, "gifts": GIFTS}

QUESTIONS: Sequence[tuple[str, str, str, str]] = (
    ("returns", "How long can I return an item?", "Items can be returned within 30 days of delivery.", "Orders"),
    ("delivery", "What does delivery cost?", "Delivery costs 5 euros and takes 3 working days.", "Orders"),
    ("addresses", "How many addresses can I store?", "You can store up to 5 addresses in your account.", "Account"),
    ("gifts", "How long are gift cards valid?", "Gift cards are valid for 2 years.", "Orders"),
)


def chunks_of(texts: Mapping[str, str], *, document: str = "{name}.md") -> list[Chunk]:
    """Return one chunk per document."""
    return [
        Chunk(text=text, chunk_id=name, metadata={"document": document.format(name=name), "title": name.title()})
        for name, text in texts.items()
    ]


def samples(texts: Mapping[str, str] = KNOWLEDGE, *, has_ids: bool = True) -> list[Sample]:
    """Return the answers, each with the chunk that it was made from and one more."""
    others = [*texts][1:] + [*texts][:1]
    return [
        Sample(
            key=name,
            question=question,
            answer=answer,
            segment=segment,
            chunks=tuple(
                Chunk(text=texts[one], chunk_id=one if has_ids else "") for one in (name, others[[*texts].index(name)])
            ),
        )
        for name, question, answer, segment in QUESTIONS
    ]


def add_run(services: Store, *, version: str | None = "v1", judge: JudgeSpec | None = None) -> Run:
    """Store the help centre as version v1, and judge the answers."""
    save_knowledge_base(services, "v1", chunks_of(KNOWLEDGE))
    return add_judged_run(services, samples(), kb_version=version, judge=judge or JudgeSpec())


def updated(**texts: str | None) -> dict[str, str]:
    return {name: text for name, text in {**KNOWLEDGE, **texts}.items() if text is not None}


# The new texts, the answer that breaks, and why.
BREAKING: Mapping[str, tuple[dict[str, str], str, Cause]] = {
    "a number changes": (
        updated(returns=RETURNS.replace("30 days", "14 days")),
        "returns",
        Cause.DOCUMENT_EDITED,
    ),
    "a document is removed": (updated(gifts=None), "gifts", Cause.DOCUMENT_REMOVED),
    "a sentence is removed": (
        updated(addresses="One of the addresses of your account is the default address."),
        "addresses",
        Cause.DOCUMENT_EDITED,
    ),
}
HARMLESS: Mapping[str, list[Chunk]] = {
    "nothing changes": chunks_of(KNOWLEDGE),
    "documents are renamed": chunks_of(KNOWLEDGE, document="help/{name}.html"),
    "ids change": [
        Chunk(text=text, chunk_id=f"{name}-0001", metadata={"document": f"{name}.md"})
        for name, text in KNOWLEDGE.items()
    ],
    "a chunk is split in two": [
        chunk
        for name, text in KNOWLEDGE.items()
        for chunk in (
            chunks_of({name: text})
            if name != "delivery"
            else [
                Chunk(text=part, chunk_id=f"delivery-{number}", metadata={"document": f"delivery-{number}.md"})
                for number, part in enumerate(text.split(". "), start=1)
            ]
        )
    ],
    "two documents are joined": [
        *chunks_of({"addresses": ADDRESSES, "gifts": GIFTS}),
        Chunk(text=f"{RETURNS}\n\n{DELIVERY}", chunk_id="orders", metadata={"document": "orders.md"}),
    ],
    "a paragraph is reworded with the same meaning": chunks_of(
        updated(addresses="In your account, you can store up to 5 addresses. One of these is the default address.")
    ),
    "an unrelated document is added": chunks_of(
        updated(wifi="The shop in Basel has free wireless internet for every visitor.")
    ),
    "white space changes": chunks_of({name: text.replace(". ", ".\n\n") for name, text in KNOWLEDGE.items()}),
}


def check(services: Store, run: Run, documents: Sequence[Chunk], **options: Any) -> Comparison | None:
    """Do a whole preflight and return its comparison; None if no answer's chunks change."""
    pair = begin_preflight(services, plan_preflight(services, run.run_id, documents, **options))
    if pair is None:
        return None
    judge_here(services, pair[1])
    return compare_runs(services, pair[0].run_id, pair[1].run_id)
