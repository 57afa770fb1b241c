"""A small help centre, a run over it, and updates in which it is known what breaks."""

from collections.abc import Mapping, Sequence

from faithview import Chunk, Sample
from faithview.domain.preflight import PreflightResult
from faithview.domain.run import JudgeSpec, Run
from faithview.services.container import Store
from faithview.services.knowledge.preflight.plan import make_plan
from faithview.services.knowledge.preflight.preflights import get_preflight, judge_preflight, save_plan
from faithview.services.knowledge.versions import save_knowledge_base
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


def check(services: Store, run: Run, documents: Sequence[Chunk], **options: object) -> PreflightResult:
    """Do a whole preflight and return what it says."""
    record = save_plan(services, make_plan(services, run.run_id, documents, **options))  # type: ignore[arg-type]
    assert judge_preflight(services, record.preflight_id) is None
    return get_preflight(services, record.preflight_id)
