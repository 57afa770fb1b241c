"""docs/llm-judges.md shows the prompt that is sent, one that is accepted, and each method's calls and placeholders."""

import re

from faithview.judges.llm.methods import create_method
from faithview.judges.llm.prompts import PLACEHOLDERS, custom_prompt, shipped_prompt
from tests.docs.pages import read_blocks
from tests.docs.tables import page_table, section

_PAGE = "docs/llm-judges.md"
_PRINTED = "tests/performance/README.md"


def test_the_shown_part_of_the_prompt_is_sent() -> None:
    shown = next(block for block in read_blocks(_PAGE) if block.tested_by and not block.title)
    assert all(shown.text in shipped_prompt(step).text for step in ("single", "claims_verify", "per_claim"))


def test_the_example_of_a_prompt_is_accepted() -> None:
    example = next(block for block in read_blocks(_PAGE) if block.title == "prices.md")
    assert custom_prompt("single", example.text).text == example.text


def test_every_method_is_described_with_its_calls() -> None:
    rows = {re.findall("`([a-z-]+)`", row[0])[0]: row[1] for row in page_table(_PAGE, "## Choose a method")}
    measured = re.findall(r"^\| `([a-z-]+)` \| (\d) \|", section(_PRINTED, "## Replies of models"), re.MULTILINE)
    assert {name for name, _ in measured} == set(rows)
    assert {name: calls for name, calls in measured if name != "per-claim"} == {
        name: calls for name, calls in rows.items() if name != "per-claim"
    }


def test_the_placeholders_of_every_method_are_those_of_its_prompt() -> None:
    found = {}
    for methods, placeholders in page_table(_PAGE, "## The prompt"):
        for method in re.findall("`([a-z-]+)`", methods):
            found[method] = tuple(re.findall(r"\$(\w+)", placeholders))
    assert found == {name: PLACEHOLDERS[create_method(name).main_step] for name in found}
    assert len(found) == 7
