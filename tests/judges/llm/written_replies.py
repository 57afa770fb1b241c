"""Answers with the replies that a careful and a careless model would write, by hand, and what has to come of them.

The careless model knows what the chunks say, too. It lists remarks as claims, copies loosely, numbers chunks and claims
wrongly, and writes its JSON as it likes. The texts are invented.
"""

import json
from dataclasses import dataclass
from typing import Any

from faithview.domain.claim import Verdict
from faithview.domain.sample import Chunk, Sample

S, P, N, C = (
    Verdict.SUPPORTED,
    Verdict.PARTIALLY_SUPPORTED,
    Verdict.NOT_MENTIONED,
    Verdict.CONTRADICTED,
)


@dataclass(frozen=True, kw_only=True)
class Case:
    """An answer and both models' replies to `single`, as text.

    `verdicts` are those of the claims that are left; `quotes` how many quotes of the careful and of the careless model
    stand in their chunks, and `lost` how many of the careless one's stand nowhere.
    """

    name: str
    question: str
    chunks: tuple[str, ...]
    answer: str
    careful: str
    careless: str
    verdicts: tuple[Verdict, ...]
    quotes: tuple[int, int]
    lost: int = 0
    spans: int | None = None

    @property
    def sample(self) -> Sample:
        chunks = tuple(Chunk(chunk_id=f"c{n}", text=text) for n, text in enumerate(self.chunks, start=1))
        return Sample(answer=self.answer, question=self.question, chunks=chunks, key=self.name)


def claim(text: str, verdict: Any, *quotes: tuple[Any, str], said: str | None = None, **more: Any) -> dict[str, Any]:
    """One claim of a reply; `said` are the answer's words if they are not the claim's."""
    return {
        "quote": text if said is None else said,
        "text": text,
        "evidence": [{"chunk": chunk, "quote": quote} for chunk, quote in quotes],
        "explanation": "See the quote.",
        "verdict": verdict,
        "confidence": 0.9,
        "problem": None if verdict == "supported" else problem(),
        **more,
    }


def problem(
    wrong: Any = "", kind: Any = "fabrication", severity: Any = "medium", correction: Any = None
) -> dict[str, Any]:
    """What is wrong with a claim."""
    return {"wrong": wrong, "kind": kind, "severity": severity, "correction": correction}


def reply(*claims: dict[str, Any], abstained: Any = False, **more: Any) -> str:
    return json.dumps({"claims": list(claims), "abstained": abstained, **more}, ensure_ascii=False)


_LISTING = '{"name": "Café Sol", "OutdoorSeating": null, "GoodForKids": false, "note": "Ask for \\"the terrace\\""}'

CASES = (
    Case(
        name="tone is no reason for partial support",
        question="How fast is delivery?",
        chunks=("Orders are delivered within two days.",),
        answer="Delivery takes an impressive two days at most.",
        careful=reply(claim("Delivery takes an impressive two days at most.", "supported", (1, "within two days"))),
        careless="<think>Impressive is tone.</think>\n"
        + reply(
            claim(
                "Delivery takes two days at most.",
                "Supported",
                ("1", "within two days."),
                said="Delivery takes an … two days at most",
            )
        ),
        verdicts=(S,),
        quotes=(1, 1),
        spans=2,
    ),
    Case(
        name="a dropped allegedly is partial support",
        question="What did the firm do?",
        chunks=("The firm allegedly sold customer data, prosecutors say.",),
        answer="The firm sold customer data.",
        careful=reply(
            claim(
                "The firm sold customer data.",
                "partially_supported",
                (1, "The firm allegedly sold customer data"),
                problem=problem("sold", "extrapolation", "high", "The firm allegedly sold customer data."),
            )
        ),
        careless=reply(
            claim(
                "The firm sold customer data.",
                "PARTIAL",
                ("chunk 1", "the firm allegedly sold customer data, prosecutors said"),
                ("chunk 1", "The firm  ALLEGEDLY sold customer data"),
                problem=problem(["sold"], "Extrapolation", "critical", "none"),
            )
        ),
        verdicts=(P,),
        quotes=(1, 1),
        lost=1,
    ),
    Case(
        name="a right conversion and a right sum are supported",
        question="How long and how much?",
        chunks=("The trail is 5 km long.", "A day ticket is 4 euros, a locker 2 euros."),
        answer="The trail is 5,000 metres long. Ticket and locker cost 6 euros together.",
        careful=reply(
            claim("The trail is 5,000 metres long.", "supported", (1, "5 km long")),
            claim(
                "Ticket and locker cost 6 euros together.",
                "supported",
                (2, "A day ticket is 4 euros"),
                (2, "a locker 2 euros"),
            ),
        ),
        careless="```json\n"
        + reply(
            claim("The trail is 5,000 metres long.", "supported", (1, "The trail is 5 km long"), confidence="95%"),
            claim(
                "Ticket and locker cost 6 euros together.",
                "supported",
                (2, "A day ticket is 4 euros … a locker 2 euros."),
            ),
        )
        + "\n```",
        verdicts=(S, S),
        quotes=(3, 3),
    ),
    Case(
        name="null is not mentioned, false denies",
        question="Is it good for families?",
        chunks=(_LISTING,),
        answer="Café Sol has outdoor seating. It is good for kids.",
        careful=reply(
            claim("Café Sol has outdoor seating.", "not_mentioned"),
            claim(
                "Café Sol is good for kids.", "contradicted", (1, '"GoodForKids": false'), said="It is good for kids."
            ),
        ),
        careless=reply(
            claim("Café Sol has outdoor seating.", "Not mentioned", (1, "none")),
            claim(
                "Café Sol is good for kids.", "contradiction", (1, "“GoodForKids”: false"), said="it is good for kids"
            ),
        ),
        verdicts=(N, C),
        quotes=(1, 1),
    ),
    Case(
        name="JSON is found raw and unescaped",
        question="What to ask for?",
        chunks=(_LISTING,),
        answer="Guests should ask for the terrace at Cafe Sol.",
        careful=reply(
            claim(
                "Guests should ask for the terrace.",
                "supported",
                (1, 'Ask for \\"the terrace\\"'),
                said="Guests should ask for the terrace at Cafe Sol.",
            )
        ),
        careless=reply(
            claim(
                "Guests should ask for the terrace.",
                "supported",
                (1, 'Ask for "the terrace"'),
                (1, "Caf\\u00e9 Sol"),
                said="ask for the terrace",
            )
        ),
        verdicts=(S,),
        quotes=(1, 2),
    ),
    Case(
        name="statements about the chunks are no claims",
        question="Who runs it, and when does it open?",
        chunks=("The museum opens at ten.",),
        answer="The museum opens at ten. The passages do not say who runs it.",
        careful=reply(claim("The museum opens at ten.", "supported", (1, "opens at ten"))),
        careless=reply(
            claim("The museum opens at ten.", "supported", (1, "opens at ten")),
            claim("The passages do not say who runs it.", "supported"),
        ),
        verdicts=(S,),
        quotes=(1, 1),
    ),
    Case(
        name="chunks that disagree, neither of which is said to hold",
        question="What is the fee?",
        chunks=("The fee is 10 euros.", "The fee is 12 euros."),
        answer="The fee is 12 euros.",
        careful=reply(
            claim(
                "The fee is 12 euros.",
                "contradicted",
                (1, "The fee is 10 euros"),
                (2, "The fee is 12 euros"),
                confidence=0.6,
                problem=problem("12 euros", "contradiction"),
            )
        ),
        careless=reply(
            claim("The fee is 12 euros.", "Conflicting", (1, "The fee is 10 euros."), (1, "The fee is 12 euros."))
        ),
        verdicts=(C,),
        quotes=(2, 2),
    ),
    Case(
        name="unsure between contradicted and not mentioned",
        question="Is there parking?",
        chunks=("The hotel has a garage for bicycles.",),
        answer="The hotel has a car park.",
        careful=reply(claim("The hotel has a car park.", "not_mentioned", confidence=0.6)),
        careless="Here you go:\n"
        + reply(claim("The hotel has a car park.", "unsupported", confidence="0,6"))[:-1]
        + ",}\nLet me know if you need more!",
        verdicts=(N,),
        quotes=(0, 0),
    ),
    Case(
        name="words of another chunk, and words that stand nowhere",
        question="How long is the warranty?",
        chunks=("Batteries have a warranty of one year.", "The frame has a warranty of ten years from purchase."),
        answer="The frame’s warranty lasts ten years.",
        careful=reply(
            claim("The frame's warranty lasts ten years.", "supported", (2, "The frame has a warranty of ten years"))
        ),
        careless=reply(
            claim(
                "The frame's warranty lasts ten years.",
                "supported",
                (1, "The frame has a warranty of ten years"),
                (7, "ten years from purchase"),
                (2, "The frame is guaranteed for a decade."),
            )
        ),
        verdicts=(S,),
        quotes=(1, 2),
        lost=1,
    ),
    Case(
        name="an answer that only says it cannot tell",
        question="Who owns the shop?",
        chunks=("The shop sells tea.",),
        answer="The provided context does not mention who owns the shop.",
        careful=reply(abstained=True),
        careless=reply(
            claim("The provided context does not mention who owns the shop.", "supported"), abstained="false"
        ),
        verdicts=(),
        quotes=(0, 0),
    ),
    Case(
        name="Markdown, soft hyphens and dashes of the source",
        question="What does the free plan hold?",
        chunks=("The **Free** plan – for one per\u00adson – holds *three* boards.",),
        answer="The Free plan holds three boards.",
        careful=reply(claim("The Free plan holds three boards.", "supported", (1, "*three* boards"))),
        careless=reply(
            claim(
                "The Free plan holds three boards.",
                "supported",
                (1, "The Free plan - for one person - holds three boards"),
            )
        ),
        verdicts=(S,),
        quotes=(1, 1),
    ),
    Case(
        name="a negation turned round",
        question="Can I pay in cash?",
        chunks=("Cash is not accepted on board.",),
        answer="You can pay in cash on board.",
        careful=reply(
            claim(
                "Passengers can pay in cash on board.",
                "contradicted",
                (1, "Cash is not accepted on board"),
                said="You can pay in cash on board.",
                problem=problem("can pay in cash", "contradiction", "medium", "Cash is not accepted on board."),
            )
        ),
        careless=json.dumps(
            [
                claim(
                    "Passengers can pay in cash on board.",
                    "CONTRADICTED",
                    (1, "cash is not accepted … on board"),
                    said="pay in cash",
                )
            ]
        ).replace("null", "None"),
        verdicts=(C,),
        quotes=(1, 2),
    ),
)
