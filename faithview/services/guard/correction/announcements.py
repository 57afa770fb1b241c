"""What goes with the content that it announces: items with what is under them, heads of tables, headings, lead-ins."""

from collections.abc import Sequence

from faithview.judges.text.tokens import tokenize
from faithview.services.guard.correction.layout import Kind
from faithview.services.guard.correction.parts import Part, Sentence, Why


def mark_items(parts: Sequence[Part]) -> None:
    """A list item goes with all that is indented under it, or not at all."""
    for number, part in reversed(list(enumerate(parts))):
        if part.block.kind is not Kind.ITEM or not part.is_gone:
            continue
        under = _under(parts, number)
        if any(child.has_kept or (not child.is_gone and child.has_faults) for child in under):
            part.stay()
        else:
            for child in under:
                child.go(Why.BELONGS)


def _under(parts: Sequence[Part], number: int) -> list[Part]:
    own = parts[number].block
    under = []
    for part in parts[number + 1 :]:
        if part.block.depth <= own.depth:
            break
        under.append(part)
    return under


def mark_tables(parts: Sequence[Part]) -> None:
    """The head of a table goes with its last row."""
    for number, part in enumerate(parts):
        if part.block.kind is not Kind.TABLE_RULE:
            continue
        rows = []
        for row in parts[number + 1 :]:
            if row.block.kind is not Kind.TABLE_ROW:
                break
            rows.append(row)
        head = parts[number - 1 : number] if number and parts[number - 1].block.kind is Kind.TABLE_HEAD else []
        if rows and all(row.is_gone for row in rows) and not any(part.has_kept for part in head):
            for empty in (*head, part):
                empty.go(Why.EMPTY_LIST)


def mark_announcements(answer: str, parts: Sequence[Part]) -> list[str]:
    """A heading and a lead-in ("There are three options:") go where nothing is left of what they announce.

    Returns the lead-ins that count a list which is now shorter.
    """
    miscounted: list[str] = []
    for number, part in reversed(list(enumerate(parts))):
        if part.block.kind is Kind.HEADING:
            content = _section(parts, number)
            if content and all(item.is_gone for item in content) and not part.has_kept:
                part.go(Why.EMPTY_SECTION)
            continue
        last = part.sentences[-1] if part.sentences else None
        if last is None or last.is_gone or not answer[last.start : last.end].rstrip("*_ ").endswith((":", "：")):
            continue
        listed = _listed(parts, number)
        if listed and all(item.is_gone for item in listed) and not last.kept:
            last.is_gone, last.why = True, Why.FAULT if last.faults else Why.EMPTY_LIST
        elif any(item.is_gone for item in listed) and _counts(answer, last):
            miscounted.append(answer[last.start : last.end])
    return miscounted


def _section(parts: Sequence[Part], number: int) -> list[Part]:
    content = []
    for part in parts[number + 1 :]:
        if part.block.kind is Kind.HEADING and part.block.level <= parts[number].block.level:
            break
        content.append(part)
    return content


def _listed(parts: Sequence[Part], number: int) -> list[Part]:
    own = parts[number].block
    content: list[Part] = []
    for part in parts[number + 1 :]:
        block = part.block
        is_under = block.kind is not Kind.HEADING and (own.kind is not Kind.ITEM or block.depth > own.depth)
        is_item = block.kind is not Kind.PARAGRAPH or block.depth > own.depth
        if not is_under or not is_item:
            break
        content.append(part)
    return content


def _counts(answer: str, sentence: Sentence) -> bool:
    return any(
        token.word.is_number or token.word.may_be_value for token in tokenize(answer, sentence.start, sentence.end)
    )
