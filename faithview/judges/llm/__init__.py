"""Judges that ask a large language model, from any vendor.

The way of an answer: a method (`methods/`) decides which questions to ask and what the replies mean. `asking` asks one
question, reads the reply (`replies/`) and asks again for one that cannot be used. `prompts` are versioned texts; the
data that is judged is between fences. A `client` (one per vendor, in `judges/openai.py` and `judges/anthropic.py`)
sends each call, and `cost` counts. `judge` combines these, and `batch` does the same with the vendors' batch endpoints.
"""
