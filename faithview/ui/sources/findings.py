"""What the board of sources found, in sentences made from its numbers. Pure: in Markdown, without Streamlit."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFinding:
    """The sentence, and what it speaks of first: None where nothing stands out."""

    text: str
    fault: Fault | None
    item: ChunkFault | None


def source_finding(board: SourceBoard, since: SinceEvent, *, by_document: bool) -> SourceFinding:
    """Return the sentence, in Markdown, that says where unsupported claims come from."""
    noun = "document" if by_document else "chunk"
    if not board.retrieved:
        return SourceFinding(text="**No chunk was retrieved** in this run.", fault=None, item=None)
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
    """Write what the board rests on, and what it leaves out."""
    noun = "document" if by_document else "chunk"
    parts = [
        f"{fmt.plural(board.retrieved, noun)} retrieved, {fmt.count(board.cited)} cited",
        f"{fmt.count(board.citing)} of {fmt.plural(board.claims, 'claim')} cite a chunk",
    ]
    silent = board.claims - board.citing
    if silent:
        parts.append(
            "1 cites none and is in no list" if silent == 1 else f"{fmt.count(silent)} cite none and are in no list"
        )
    if by_document and board.undocumented:
        parts.append(f"{fmt.plural(board.undocumented, 'chunk')} name no document and stand alone")
    return " · ".join(parts)


def count_words(item: ChunkFault, fault: Fault) -> str:
    """Write what speaks against a chunk or a document."""
    match fault:
        case Fault.CONTRADICTED:
            return f"contradicts {_citing(item)}"
        case Fault.NOT_SUPPORTING:
            verb = fmt.verb(item.count, "is", "are")
            return f"{_citing(item)} {verb} not, or only in part, supported"
        case Fault.UNUSED:
            return f"retrieved for {fmt.plural(item.count, 'answer')} and cited by no claim"
        case Fault.NEWLY_BROKEN:
            return f"{fmt.plural(item.count, 'claim')} that rested on it broke"


def source_title(item: ChunkFault) -> str:
    """Return the name of a chunk or a document for Markdown, a chunk's with its document."""
    if item.text_id is None or item.document is None:
        return f"**{fmt.literal(item.name)}**"
    return f"**{fmt.literal(item.name)}** (*{fmt.literal(item.document)}*)"


def _citing(item: ChunkFault) -> str:
    """Write how many of the claims that cite it count against it."""
    if item.cited == 1:
        return "the one claim that cites it"
    return f"{fmt.count(item.count)} of the {fmt.count(item.cited)} claims that cite it"


def _leader(board: SourceBoard) -> tuple[Fault, ChunkFault] | None:
    """Return the one that has more claims against it than any other; None where several have as many."""
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
    return f"{name} is cited in vain most often: {count_words(item, fault)}."


def _others(board: SourceBoard, fault: Fault, noun: str) -> str:
    total = board.totals[fault]
    if not total:
        return "No claim is contradicted by a chunk that it cites." if fault is Fault.CONTRADICTED else ""
    several = f"{fmt.plural(total, noun)} "
    if fault is Fault.CONTRADICTED:
        return several + fmt.verb(total, "contradicts claims that cite it.", "contradict claims that cite them.")
    return several + ("is cited in vain." if total == 1 else "are cited in vain.")


def _nothing_stands_out(board: SourceBoard, noun: str) -> str:
    against = [board.totals[fault] for fault in (Fault.CONTRADICTED, Fault.NOT_SUPPORTING)]
    if not any(against):
        return f"Every {noun} that is cited bears out the claims that cite it."
    parts = [_others(board, fault, noun).rstrip(".") for fault in (Fault.CONTRADICTED, Fault.NOT_SUPPORTING)]
    return f"**No single {noun} stands out.** " + ". ".join(part for part in parts if part) + "."


def _broken(board: SourceBoard, since: SinceEvent, noun: str) -> str:
    if since.event is None:
        return ""
    event = f"*{fmt.literal(since.event.label)}* ({fmt.day(since.event.at)})"
    if since.comparison is None:
        return f"What broke since {event} is not known: {fmt.literal(since.obstacle or '')}"
    total = board.totals[Fault.NEWLY_BROKEN]
    if not total:
        return f"Nothing that a {noun} bore has broken since {event}."
    verb = fmt.verb(total, "has", "have")
    return f"Since {event}, {fmt.plural(total, noun)} {verb} stopped bearing a claim."
