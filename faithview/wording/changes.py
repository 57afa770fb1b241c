"""How a claim or a chunk differs between the two answers of a pair, in words."""

from collections.abc import Mapping
from types import MappingProxyType

from faithview.domain.comparison import ChunkChange, ClaimChange

CLAIM_CHANGE_WORDS: Mapping[ClaimChange, str] = MappingProxyType(
    {
        ClaimChange.SAME: "same words",
        ClaimChange.REWORDED: "reworded",
        ClaimChange.LOST: "no longer claimed",
        ClaimChange.NEW: "new claim",
    }
)
# In the order in which lists show them.
CHUNK_CHANGE_WORDS: Mapping[ChunkChange, str] = MappingProxyType(
    {
        ChunkChange.EDITED: "edited",
        ChunkChange.ADDED: "newly retrieved",
        ChunkChange.REMOVED: "no longer retrieved",
        ChunkChange.MOVED: "same text, another rank",
        ChunkChange.SAME: "same",
    }
)
