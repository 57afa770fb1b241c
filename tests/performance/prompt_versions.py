"""What the third version of the prompts changes against the second: the same 40 help-desk answers through both.

The answers are half right and half wrong, from the first 160 of the help-desk benchmark, which nothing is fitted to.
Their replies to `single` were written by hand, one prompt at a time and each version by another reader, without the
labels; they are in `tests/data/prompt_replies.jsonl`. `--prompts DIR` writes the prompts for that, and `--collect DIR`
makes the file of what was written. A server of our own sends the replies, and the real client, reader and scores take
them.

Tokens are estimated at 4 bytes each and include the form of the reply. The replies for `claims` are those for `single`
taken apart into claims and rulings: that they have the same verdicts says nothing, what they cost does.

The last table says what span F1 is worth by what counts as flagged, for the third version and for the default judge on
more answers: whole claims, the wrong words that a judge names, or these without the words of claims that no chunk
mentions, all of which are flagged (`flagged_places`).
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import read_weakness
from faithview.domain.sample import Sample
from faithview.formats.labelled import LabelledSample
from faithview.formats.reading.reader import LabelledSpan
from faithview.judges.embedded import judge as embedded
from faithview.judges.llm.cost import count_tokens
from faithview.judges.llm.prompts import PromptTemplate, fence_chunks, fence_text, shipped_prompt
from faithview.judges.llm.replies.schemas import BY_STEP, lean_schema
from faithview.services.dataset_files import open_dataset
from faithview.services.judge_quality.benchmarks import Judged, figures, flagged_places
from faithview.stats import judge_quality
from tests.helpdesk import FIRST_DOMAINS, HelpdeskAnswer, Part, read_answers
from tests.judges.llm.judging import judge_against
from tests.judges.llm.server import Request, Say, fenced
from tests.performance import tables

_DATA = Path(__file__).parents[1] / "data"
_REPLIES = _DATA / "prompt_replies.jsonl"
VERSIONS = ("v2", "v3")

Range = tuple[int, int]
_OF_EACH = 20
_STEPS = {"SingleReply": "single", "Extraction": "claims_extract", "Verification": "claims_verify"}
# What a claim of a reply says before its ruling, in either version.
_STATED = ("text", "quote", "type", "importance")
# Output costs about so many times what input does.
_OUTPUT_PRICE = 4


@dataclass(slots=True)
class Outcome:
    """What one version came to on all answers with one method."""

    judged: list[Judged] = field(default_factory=list)
    calls: int = 0
    sent: float = 0.0
    written: float = 0.0

    def quality(self) -> list[str]:
        """Return how right the verdicts and the marked words are."""
        found = figures(self.judged)
        claims = [(claim, j.labelled) for j in self.judged for claim in j.result.claims]
        pairs = [(_is_flagged(claim), _overlaps(claim, labelled)) for claim, labelled in claims]
        shares = _span_figures(self.judged, flagged_places)[:2]
        return [
            f"{len(claims)}",
            f"{found['balanced_accuracy']:.2f}",
            f"{_f1(pairs):.2f}",
            f"{found['claim_auroc']:.2f}",
            *(f"{share:.2f}" for share in shares),
            f"{found['span_f1']:.2f}",
            f"{self._count_warned()}",
        ]

    def cost(self) -> list[str]:
        """Return the calls, tokens and relative price of an answer."""
        answers = len(self.judged)
        return [
            f"{self.calls / answers:.1f}",
            f"{self.sent / answers:,.0f}",
            f"{self.written / answers:,.0f}",
            f"{(self.sent + _OUTPUT_PRICE * self.written) / answers:,.0f}",
        ]

    def _count_warned(self) -> int:
        return sum(any(read_weakness(warning) for warning in j.result.warnings) for j in self.judged)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the prompts, collect the replies, or print the tables; return 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prompts", type=Path, metavar="DIR", help="write the prompts without labels, one file each")
    parser.add_argument("--collect", type=Path, metavar="DIR", help="make the file of the replies beside those prompts")
    options = parser.parse_args(arguments)
    if options.prompts is not None:
        _write_prompts(options.prompts)
    elif options.collect is not None:
        _collect(options.collect)
    else:
        _show()
    return 0


def choose_answers() -> list[HelpdeskAnswer]:
    """Return the answers, right and wrong ones mixed: the first of each kind by a hash of their ids."""
    ranked = sorted(
        (answer for answer in read_answers() if answer.domain in FIRST_DOMAINS),
        key=lambda answer: sha256(answer.answer_id.encode()).digest(),
    )
    wrong = [answer for answer in ranked if answer.errors][:_OF_EACH]
    right = [answer for answer in ranked if not answer.errors][:_OF_EACH]
    return [answer for answer in ranked if answer in wrong or answer in right]


def judge_version(version: str, method: str) -> Outcome:
    """Judge all answers with the replies to one version."""
    outcome = Outcome()
    for answer, replies in _replies():
        labelled = _labelled(answer)
        reply = replies[version]
        (result,), server = judge_against(partial(_say, reply=reply), [labelled.sample], method=method)
        outcome.judged.append(Judged(labelled=labelled, result=result))
        for request in server.calls:
            prompt, form = prompt_of(version, _STEPS[request.schema])
            outcome.calls += 1
            outcome.sent += count_tokens(prompt.instructions) + count_tokens(request.user) + _count_form(form)
            outcome.written += count_tokens(_say(request, reply).text)
    return outcome


def prompt_of(version: str, step: str) -> tuple[PromptTemplate, Mapping[str, Any]]:
    """Return the strict prompt of a version for a step, and the JSON schema of its reply."""
    if version == "v3":
        return shipped_prompt(step), lean_schema(BY_STEP[step].model_json_schema())
    name, old = next((name, old) for name, old in _second_version().items() if name.startswith(f"{step}."))
    return PromptTemplate(step=step, name=name, text=old["text"]), old["schema"]


def _show() -> None:
    found = {
        (version, method): judge_version(version, method) for version in VERSIONS for method in ("single", "claims")
    }
    columns = ["prompts", "claims", "balanced accuracy", "claim F1", "claim AUROC"]
    columns += ["span precision", "span recall", "span F1", "answers with a warning"]
    tables.show(
        f"{2 * _OF_EACH} help-desk answers, `single`",
        columns,
        [[version, *found[version, "single"].quality()] for version in VERSIONS],
    )
    columns = ["method", "prompts", "calls", "tokens sent", "tokens written", f"sent + {_OUTPUT_PRICE} x written"]
    tables.show(
        "What an answer takes (4 bytes a token)",
        columns,
        [[method, version, *outcome.cost()] for (version, method), outcome in found.items()],
    )
    rules = {"whole claims": _whole_claims, "named words": _named_words, "as counted": flagged_places}
    tables.show(
        "Span precision, recall and F1 by what is flagged",
        ["judge and answers", *rules],
        [
            [name, *(" / ".join(f"{x:.2f}" for x in _span_figures(judged, rule)) for rule in rules.values())]
            for name, judged in (("v3, these answers", found["v3", "single"].judged), *_by_default_judge())
        ],
    )


def _replies() -> Iterator[tuple[HelpdeskAnswer, Mapping[str, Any]]]:
    """Yield each answer with the replies to both versions."""
    answers = {answer.answer_id: answer for answer in choose_answers()}
    for line in _REPLIES.read_text("utf-8").splitlines():
        found = json.loads(line)
        yield answers[found["id"]], found


def _say(request: Request, reply: Mapping[str, Any]) -> Say:
    """Return the reply to `single`, or the part of it that is asked for; the same one each time."""
    claims = reply["claims"]
    document: dict[str, Any] = dict(reply)
    if request.schema == "Extraction":
        stated = [{name: claim[name] for name in claim if name in _STATED} for claim in claims]
        document = {"claims": stated, "abstained": reply["abstained"]}
    elif request.schema == "Verification":
        by_text = {claim["text"]: {k: v for k, v in claim.items() if k not in _STATED} for claim in claims}
        listed = [json.loads(line) for line in fenced(request.user, "claims").split("\n")]
        document = {"rulings": [{"claim": item["claim"], **by_text[item["text"]]} for item in listed]}
    return Say(text=json.dumps(document, ensure_ascii=False))


def _labelled(answer: HelpdeskAnswer) -> LabelledSample:
    return LabelledSample(
        sample=Sample.of(answer.answer, list(answer.chunks), question=answer.question, key=answer.answer_id),
        label=0 if answer.errors else 1,
        spans=tuple(LabelledSpan(start=error.start, end=error.end, kind=error.type) for error in answer.errors),
        claim=None,
        task=answer.domain,
        doc=answer.doc,
        source="helpdesk",
    )


def _is_flagged(claim: Claim) -> bool:
    return claim.verdict is not Verdict.SUPPORTED


def _overlaps(claim: Claim, labelled: LabelledSample) -> bool:
    return any(s.start < bad.end and bad.start < s.end for s in claim.spans for bad in labelled.spans or ())


def _f1(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Return F1 of "flagged" against "overlaps a labelled error", over claims."""
    both = sum(flagged and wrong for flagged, wrong in pairs)
    flagged_only = sum(flagged and not wrong for flagged, wrong in pairs)
    wrong_only = sum(wrong and not flagged for flagged, wrong in pairs)
    return judge_quality.f1(both, flagged_only, wrong_only) or 0.0


def _span_figures(judged: Sequence[Judged], places: Callable[[Claim], Sequence[Range]]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of the flagged characters of all answers."""
    both = flagged = labelled = 0
    for j in judged:
        said = {at for claim in j.result.claims for place in places(claim) for at in range(*place)}
        wrong = {at for bad in j.labelled.spans or () for at in range(bad.start, bad.end)}
        both, flagged, labelled = both + len(said & wrong), flagged + len(said), labelled + len(wrong)
    return both / flagged, both / labelled, 2 * both / (flagged + labelled)


def _whole_claims(claim: Claim) -> Sequence[Range]:
    return [(span.start, span.end) for span in claim.spans] if _is_flagged(claim) else []


def _named_words(claim: Claim) -> Sequence[Range]:
    named = [(item.start, item.end) for item in claim.mismatches]
    return named if named and _is_flagged(claim) else _whole_claims(claim)


def _by_default_judge() -> Iterator[tuple[str, list[Judged]]]:
    """Yield what the default judge says of answers that it was not fitted to."""
    end = [_labelled(answer) for answer in read_answers() if answer.part is Part.END]
    records, _ = open_dataset(_DATA / "records_kept_aside.jsonl").read_labelled()
    for name, rows in (("help-desk, the end", end), ("records_kept_aside", records)):
        yield (
            f"embedded, {name}",
            [Judged(labelled=row, result=embedded.judge_sample(row.sample)) for row in rows],
        )


def _count_form(form: Mapping[str, Any]) -> float:
    return count_tokens(json.dumps(form, separators=(",", ":")))


def _write_prompts(folder: Path) -> None:
    for version in VERSIONS:
        (folder / version).mkdir(parents=True, exist_ok=True)
        template, form = prompt_of(version, "single")
        for number, answer in enumerate(choose_answers(), start=1):
            filled = template.fill(
                {
                    "chunks": fence_chunks(_labelled(answer).sample.chunks),
                    "question": fence_text("question", answer.question),
                    "answer": fence_text("answer", answer.answer),
                }
            )
            text = (
                f"{filled.instructions}{filled.context}{filled.task}\n# The form of the reply\n\n{json.dumps(form)}\n"
            )
            (folder / version / f"{number:02}.txt").write_text(text, "utf-8")


def _collect(folder: Path) -> None:
    lines = []
    for number, answer in enumerate(choose_answers(), start=1):
        replies = {v: json.loads((folder / v / f"{number:02}.reply.json").read_text("utf-8")) for v in VERSIONS}
        lines.append(json.dumps({"id": answer.answer_id, **replies}, ensure_ascii=False, separators=(",", ":")))
    _REPLIES.write_text("".join(f"{line}\n" for line in lines), "utf-8")


@lru_cache(maxsize=1)
def _second_version() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((_DATA / "prompts_v2.json").read_text("utf-8"))
    return found


if __name__ == "__main__":
    sys.exit(main())
