"""What the third version of the prompts changes against the second: the same 40 help-desk answers through both.

The answers are half right and half wrong, from the first 160 of the help-desk benchmark, which nothing is fitted to. The
replies to `single` were written by hand, one prompt at a time, by somebody who had not seen the labels; they are in
`tests/data/prompt_replies.json`. `--prompts DIR` writes the prompts for it. A server of our own sends the replies, and
the real client, reader and scores take them; the second version's are read in the old form.

Tokens are estimated at 4 bytes each and include the form of the reply. The replies for `claims` are those for `single`
taken apart into claims and rulings, so they have the same verdicts; only calls and tokens say something of their own.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from faithview.domain.sample import Sample
from faithview.judges.llm.prompts import PromptTemplate, fence_chunks, fence_text, shipped_prompt
from faithview.judges.llm.replies.schemas import BY_STEP, lean_schema
from tests.helpdesk import FIRST_DOMAINS, HelpdeskAnswer, read_answers

DATA = Path(__file__).parents[1] / "data"
VERSIONS = ("v2", "v3")

_OF_EACH = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the prompts, or print the tables, and return 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prompts", type=Path, metavar="DIR", help="write the prompts without labels, one file each")
    options = parser.parse_args(arguments)
    if options.prompts is not None:
        write_prompts(options.prompts)
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


def write_prompts(folder: Path) -> None:
    """Write what the model gets for each answer, by version."""
    for version in VERSIONS:
        (folder / version).mkdir(parents=True, exist_ok=True)
        template, form = prompt_of(version, "single")
        for number, answer in enumerate(choose_answers(), start=1):
            sample = Sample.of(answer.answer, list(answer.chunks), question=answer.question)
            filled = template.fill(
                {
                    "chunks": fence_chunks(sample.chunks),
                    "question": fence_text("question", answer.question),
                    "answer": fence_text("answer", answer.answer),
                }
            )
            text = (
                f"{filled.instructions}{filled.context}{filled.task}\n# The form of the reply\n\n{json.dumps(form)}\n"
            )
            (folder / version / f"{number:02}.txt").write_text(text, "utf-8")


def prompt_of(version: str, step: str) -> tuple[PromptTemplate, Mapping[str, Any]]:
    """Return the strict prompt of a version for a step, and the JSON schema of its reply."""
    if version == "v3":
        return shipped_prompt(step), lean_schema(BY_STEP[step].model_json_schema())
    name, old = next((name, old) for name, old in _second_version().items() if name.startswith(f"{step}."))
    return PromptTemplate(step=step, name=name, text=old["text"]), old["schema"]


@lru_cache(maxsize=1)
def _second_version() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((DATA / "prompts_v2.json").read_text("utf-8"))
    return found


if __name__ == "__main__":
    sys.exit(main())
