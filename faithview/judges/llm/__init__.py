"""Judges that ask a large language model, whoever serves it.

How an answer goes through: a method (`methods/`) says which questions to ask and what the replies mean; `asking` puts
one question, checks the reply (`parsing`) and has it repaired once; `prompts` are the versioned texts, with everything
under judgement between fences (`fences`); a client (`client`; one per vendor, in `judges/openai.py` and
`judges/anthropic.py`) sends it, at the pace the vendor allows (`ratelimit`); `cost` counts. `judge` puts it together,
and `batch` does the same through the vendors' batch endpoints.
"""
