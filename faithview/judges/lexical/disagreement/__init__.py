"""Two statements of documents that say different things about the same.

`places` finds the statements of a passage: sentences, elements of lists and cells of tables. `documents` prepares them.
`vocabulary` says how much a word tells, over all documents. `scopes` says whether two statements are about
different plans, regions, versions or people: then they do not contradict each other. `other_values`, `other_rules` and
`other_names` find what differs, and `comparing` asks them.

Precision comes first: a pair that may be about two things is left out.
"""

__all__ = ["comparing", "documents", "vocabulary"]
