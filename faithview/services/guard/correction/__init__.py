"""Correcting an answer: what is not supported is removed or put right, and nothing else changes.

`layout` reads the answer's blocks and sentences, `parts` marks what goes, `clauses`, `lists` and `announcements` know
what can be taken out cleanly, `values` what a chunk's value can stand for, and `local` puts them together.
`rewriting` has a judge's model rewrite sentences instead.
"""

__all__ = [
    "announcements",
    "clauses",
    "correct",
    "edits",
    "layout",
    "lists",
    "local",
    "parts",
    "removal",
    "rewriting",
    "values",
]
