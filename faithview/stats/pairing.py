"""Which answers, claims and chunks of two runs belong together; each is paired at most once (`stats.matching`)."""

from collections.abc import Sequence

from rapidfuzz import fuzz, utils

from faithview.domain.comparison import ChunkChange, ChunkPair, ClaimChange, ClaimPair, PairRule
from faithview.domain.content_hashes import claim_hash, context_hash
from faithview.domain.pairing import AnswerIdentity, ChunkFacts
from faithview.stats.matching import match

# Rows with equal ids but questions less similar than this, in [0, 1], are about two different questions.
_SAME_QUESTION = 0.5
_NO_CHUNKS = context_hash(())


def pair_answers(
    before: Sequence[AnswerIdentity], after: Sequence[AnswerIdentity]
) -> tuple[list[tuple[int, int, PairRule]], int]:
    """Pair the answers of two runs by their own ids, else by question, else, without a question, by equal chunks.

    Among several answers to one question, those with the same chunks are paired first, the others in their order.

    Returns:
        The pairs as indexes of both sides with the rule that paired them, in the order of `before`; and how many ids
        are in both runs with different questions, which are not paired by it.
    """
    later = {answer.key: answer for answer in after if answer.key is not None}
    shared = {answer.key: answer for answer in before if answer.key is not None and answer.key in later}
    alike = {key: _may_share_question(answer, later[key]) for key, answer in shared.items()}

    def key(answer: AnswerIdentity) -> str | None:
        return answer.key if answer.key is not None and alike.get(answer.key) else None

    found = match(
        before,
        after,
        key,
        lambda answer: answer.question and (answer.question, answer.context),
        lambda answer: answer.question,
        lambda answer: answer.context if answer.question is None and answer.context != _NO_CHUNKS else None,
    )
    pairs = []
    for i, j, _ in found:
        if i is not None and j is not None:
            rule = PairRule.QUESTION if before[i].question is not None else PairRule.CONTEXT
            is_by_id = key(before[i]) is not None and before[i].key == after[j].key
            pairs.append((i, j, PairRule.KEY if is_by_id else rule))
    return pairs, sum(not is_alike for is_alike in alike.values())


def match_claims(before: Sequence[str], after: Sequence[str]) -> tuple[ClaimPair, ...]:
    """Match the texts of claims: equal ones first, then similar ones.

    Returns:
        The pairs in the order of `before`, with dropped claims among them and new ones at the end.
    """
    pairs = []
    for i, j, _ in match(before, after, claim_hash, text=str):
        if i is None or j is None:
            change = ClaimChange.NEW if i is None else ClaimChange.LOST
        else:
            is_same = claim_hash(before[i]) == claim_hash(after[j])
            change = ClaimChange.SAME if is_same else ClaimChange.REWORDED
        pairs.append(ClaimPair(baseline=i, candidate=j, change=change))
    return tuple(pairs)


def match_chunks(
    before: Sequence[ChunkFacts],
    after: Sequence[ChunkFacts],
    *,
    texts: tuple[Sequence[str], Sequence[str]],
    has_kept_ids: bool = False,
) -> tuple[ChunkPair, ...]:
    """Match the chunks of two contexts: the same text, else the same id, else a similar text.

    Chunks matched by id or by a similar text are edited forms of each other. Ids that only number chunks do not count,
    except with `has_kept_ids`, which pairs by nothing else.

    Args:
        before: the chunks of the earlier answer.
        after: those of the later one.
        texts: their texts, in the same order.
        has_kept_ids: whether the later chunks have the ids of the earlier ones, as in a preflight.

    Returns:
        The pairs in the order of `before`, with removed chunks among them and added ones at the end.
    """
    found = match(
        list(zip(before, texts[0], strict=True)),
        list(zip(after, texts[1], strict=True)),
        lambda chunk: chunk[0].chunk_hash,
        lambda chunk: chunk[0].chunk_id if has_kept_ids or chunk[0].has_own_id else None,
        text=None if has_kept_ids else lambda chunk: chunk[1],
    )
    pairs = []
    for i, j, _ in found:
        if i is None or j is None:
            change = ChunkChange.ADDED if i is None else ChunkChange.REMOVED
        elif before[i].chunk_hash != after[j].chunk_hash:
            change = ChunkChange.EDITED
        else:
            change = ChunkChange.SAME if before[i].rank == after[j].rank else ChunkChange.MOVED
        pairs.append(ChunkPair(baseline=i, candidate=j, change=change))
    return tuple(pairs)


def _may_share_question(answer: AnswerIdentity, other: AnswerIdentity) -> bool:
    """Return whether two answers with one id may be paired: their questions are similar, or one is missing."""
    if answer.question is None or other.question is None or answer.question == other.question:
        return True
    return fuzz.token_sort_ratio(answer.text, other.text, processor=utils.default_process) >= 100 * _SAME_QUESTION
