"""How far the two readers of the help-desk answers agree: `python -m tests.training.helpdesk_agreement`.

The second reader did not see the first one's labels. Printed is the agreement before disputes were settled, answer by
answer and span by span; a span is found where the other reader marked any of its characters.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.helpdesk import TEXTS, HelpdeskAnswer, State, read_answers
from tests.performance import tables


def second_spans(
    answers: Sequence[HelpdeskAnswer], folder: Path = TEXTS / "second"
) -> dict[str, list[tuple[int, int]]]:
    """Return the second reader's wrong spans by answer; answers that nobody read again are not in it.

    Raises:
        ValueError: a quote is not in its answer.
    """
    texts = {answer.answer_id: answer.answer for answer in answers}
    spans: dict[str, list[tuple[int, int]]] = {}
    for path in sorted(folder.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            head, *rest = (part.strip() for part in line.split("¦"))
            if not head:
                continue
            answer_id = head.split()[0]
            marked = spans.setdefault(answer_id, [])
            if rest:
                at = texts[answer_id].find(rest[0])
                if at < 0:
                    raise ValueError(f"{path.name}: {rest[0]!r} is not in answer {answer_id}.")
                marked.append((at, at + len(rest[0])))
    return spans


def main() -> int:
    """Print the table."""
    answers = read_answers(dropped=True)
    second = second_spans(answers)
    read = [answer for answer in answers if answer.answer_id in second]
    rows = [
        _line(domain, [a for a in read if a.domain == domain], second) for domain in sorted({a.domain for a in read})
    ]
    tables.show(
        "Two readers of the help-desk answers, before disputes were settled",
        ["domain", "answers", "wrong by the first", "agree", "Cohen's kappa", "disputed", "of these dropped"],
        [*rows, _line("all", read, second)],
    )
    return 0


def _line(name: str, answers: Sequence[HelpdeskAnswer], second: dict[str, list[tuple[int, int]]]) -> list[str]:
    # Where a dispute was settled the second reader's way, the label that is stored is no longer the first one's.
    pairs = []
    for answer in answers:
        theirs = bool(second[answer.answer_id])
        ours = bool(answer.errors)
        was_changed = answer.state is State.SETTLED and not answer.errors and not theirs
        pairs.append((True if was_changed else ours, theirs))
    count = len(pairs)
    agree = sum(a == b for a, b in pairs) / count
    first, other = (sum(pair[at] for pair in pairs) / count for at in (0, 1))
    chance = first * other + (1 - first) * (1 - other)
    disputed = [answer for answer in answers if answer.state is not State.AGREED]
    dropped = sum(answer.state is State.DROPPED for answer in disputed)
    return [
        name,
        str(count),
        f"{first:.0%}",
        f"{agree:.1%}",
        f"{(agree - chance) / (1 - chance):.3f}",
        str(len(disputed)),
        str(dropped),
    ]


if __name__ == "__main__":
    sys.exit(main())
