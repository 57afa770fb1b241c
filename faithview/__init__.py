"""FaithView: is every claim of an answer supported by the chunks that were retrieved for it?

from faithview import check
result = check(answer="...", context=["...", "..."], question="...")
result.faithfulness, result.claims[0].verdict, result.claims[0].supporting_chunk_ids
"""

__version__ = "0.1.0"
