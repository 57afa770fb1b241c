"""Answers for tests of reviewing."""

from faithview.domain.sample import Chunk, Sample


def two_claim_samples(number: int, *, first: int = 1) -> list[Sample]:
    """So many answers of two claims each; the first claim of every second one has a wrong number."""
    return [
        Sample(
            key=f"r{at}",
            question=f"How many members has inbox {at}?",
            answer=f"Inbox {at} holds {20 + 30 * (at % 2)} members. Its links expire after {at + 2} days.",
            chunks=(
                Chunk(
                    chunk_id=f"kb-{at}",
                    text=f"Inbox {at} holds 20 members at most. The links of inbox {at} expire after {at + 2} days.",
                ),
            ),
        )
        for at in range(first, first + number)
    ]
