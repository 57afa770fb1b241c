"""Judges that ask a large language model, from any vendor.

The way of an answer: a method (`methods/`) decides which questions to ask and what the replies mean. `asking` asks one
question, checks the reply (`replies/`) and asks again for what cannot be used. `prompts` are versioned texts; the data
that is judged is between fences. A client (`client`; one per vendor, in `judges/openai.py` and
`judges/anthropic.py`) sends each call at the rate that the vendor allows (`ratelimit`), and `cost` counts. `judge`
combines these, and `batch` does the same with the vendors' batch endpoints.
"""
