"""The sentences of the sources page, in Markdown: the finding, and the counts behind it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from faithview.services.comparison.since_event import SinceEvent
from faithview.services.sources.board import ChunkFault, Fault, SourceBoard
from faithview.wording import numbers as fmt

FAULT_WORDS: Mapping[Fault, str] = MappingProxyType(
    {
        Fault.CONTRADICTED: "contradicting",
        Fault.NOT_SUPPORTING: "not supporting",
        Fault.UNUSED: "never used",
        Fault.NEWLY_BROKEN: "newly broken",
    }
)

_NO_CLAIMS = (
    "**This run has scores without claims**, so it is unknown which chunks its answers rest on. To find out, press "
    "*Manage* and *Judge again with …* on the page *Inspect*."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFinding:
    """The finding, with the fault and the source that it names first; both None where nothing stands out."""

    text: str
    fault: Fault | None
    item: ChunkFault | None


def source_finding(board: SourceBoard, since: SinceEvent, *, by_document: bool) -> SourceFinding:
    """Return the finding: which chunk or document most unsupported claims come from, and what broke."""
    noun = "document" if by_document else "chunk"
    if not board.retrieved:
        return SourceFinding(text="**No chunk was retrieved** in this run.", fault=None, item=None)
    if not board.claims:
        return SourceFinding(text=_NO_CLAIMS, fault=None, item=None)
    leader = _leader(board)
    if leader is None:
        parts = [_nothing_stands_out(board, noun)]
    else:
        parts = [_lead(leader[0], leader[1], noun)]
        other = Fault.NOT_SUPPORTING if leader[0] is Fault.CONTRADICTED else Fault.CONTRADICTED
        parts.append(_others(board, other, noun))
    parts.append(_broken(board, since, noun))
    fault = leader[0] if leader else next((f for f in Fault if board.faults[f] and f is not Fault.UNUSED), None)
    first = board.faults[fault][0] if fault is not None else None
    return SourceFinding(text=" ".join(part for part in parts if part), fault=fault, item=first)


def board_facts(board: SourceBoard, *, by_document: bool) -> str:
    """Write how many sources and claims the board counts, and what it leaves out."""
    noun = "document" if by_document else "chunk"
    parts = [
        f"{fmt.plural(board.retrieved, noun)} retrieved, {fmt.count(board.cited)} cited",
        f"{fmt.count(board.citing)} of {fmt.plural(board.claims, 'claim')} cite a chunk",
    ]
    silent = board.claims - board.citing
    if silent:
        parts.append(
            "1 cites none and is not listed" if silent == 1 else f"{fmt.count(silent)} cite none and are not listed"
        )
    if by_document and board.undocumented:
        parts.append(f"{fmt.plural(board.undocumented, 'chunk')} name no document and count as documents of their own")
    return " · ".join(parts)


def count_words(item: ChunkFault, fault: Fault) -> str:
    """Write what is wrong with a chunk or a document."""
    match fault:
        case Fault.CONTRADICTED:
            return f"contradicts {_claims(item, relation=fmt.verb(item.cited, 'that cites it', 'that cite it'))}"
        case Fault.NOT_SUPPORTING:
            verb = fmt.verb(item.count, "is", "are")
            return f"{_claims(item, relation='based on it')} {verb} not fully supported"
        case Fault.UNUSED:
            return f"retrieved for {fmt.plural(item.count, 'answer')} and cited by no claim"
        case Fault.NEWLY_BROKEN:
            return f"{fmt.plural(item.count, 'claim')} based on it broke"


def source_title(item: ChunkFault) -> str:
    """Return the name of a chunk or a document; a chunk's name is followed by its document."""
    if item.text_id is None or item.document is None:
        return f"**{fmt.literal(item.name)}**"
    return f"**{fmt.literal(item.name)}** (*{fmt.literal(item.document)}*)"


def _claims(item: ChunkFault, *, relation: str) -> str:
    """Write how many of the claims that cite it have the fault."""
    if item.cited == 1:
        return f"the only claim {relation}"
    return f"{fmt.count(item.count)} of the {fmt.count(item.cited)} claims {relation}"


def _leader(board: SourceBoard) -> tuple[Fault, ChunkFault] | None:
    """Return the source with the most faulty claims; None where several have as many."""
    best: tuple[Fault, ChunkFault] | None = None
    for fault in (Fault.CONTRADICTED, Fault.NOT_SUPPORTING):
        items = board.faults[fault]
        stands_out = items and items[0].count > 1 and (len(items) == 1 or items[0].count > items[1].count)
        if stands_out and (best is None or items[0].count > best[1].count):
            best = fault, items[0]
    return best


def _lead(fault: Fault, item: ChunkFault, noun: str) -> str:
    name = source_title(item)
    if fault is Fault.CONTRADICTED:
        return f"{name} {count_words(item, fault)}, more than any other {noun}."
    return f"Most trouble: {name}. {_sentence(count_words(item, fault))}"


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _others(board: SourceBoard, fault: Fault, noun: str) -> str:
    total = board.totals[fault]
    if not total:
        return "No claim is contradicted by a chunk that it cites." if fault is Fault.CONTRADICTED else ""
    count = f"{fmt.plural(total, noun)} "
    if fault is Fault.CONTRADICTED:
        return count + fmt.verb(total, "contradicts claims that cite it.", "contradict claims that cite them.")
    return count + fmt.verb(
        total, "does not fully support the claims that cite it.", "do not fully support the claims that cite them."
    )


def _nothing_stands_out(board: SourceBoard, noun: str) -> str:
    totals = [board.totals[fault] for fault in (Fault.CONTRADICTED, Fault.NOT_SUPPORTING)]
    if not any(totals) and not board.cited:
        return f"No claim cites a {noun}."
    if not any(totals):
        return f"Every cited {noun} supports all claims that cite it."
    parts = [_others(board, fault, noun).rstrip(".") for fault in (Fault.CONTRADICTED, Fault.NOT_SUPPORTING)]
    return f"**No single {noun} stands out.** " + ". ".join(part for part in parts if part) + "."


def _broken(board: SourceBoard, since: SinceEvent, noun: str) -> str:
    if since.event is None:
        return ""
    event = f"*{fmt.literal(since.event.label)}* ({fmt.day(since.event.at)})"
    if since.comparison is None:
        return f"It is unknown what broke since {event}: {fmt.literal(since.obstacle or '')}"
    total = board.totals[Fault.NEWLY_BROKEN]
    if not total:
        return f"No claim has become unsupported since {event}."
    verb, pronoun = fmt.verb(total, "supports", "support"), fmt.verb(total, "it", "they")
    return f"Since {event}, {fmt.plural(total, noun)} no longer {verb} a claim that {pronoun} supported before."
