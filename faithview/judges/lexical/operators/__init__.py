"""Words that decide what a sentence says: "all" and "most", "must" and "may", "only", "unless", "failed to".

`families` reads the families of such words from `operators.toml` and finds them in a sentence, `clauses` cuts a
sentence at its conditions, exceptions and reasons, and `differences` names what a claim and a sentence differ in.
"""
