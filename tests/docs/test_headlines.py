"""The tables of docs/measurements.md are rows of what the scripts have printed."""

import re

import pytest

from tests.docs.tables import page_table, printed_rows, section

_PAGE = "docs/measurements.md"
_PRINTED = "tests/performance/README.md"


def _rows(heading: str) -> list[list[str]]:
    return page_table(_PAGE, heading)


def _cells(heading: str, start: str) -> list[str]:
    """Return the cells of the row of a Markdown table that begins so, in a section of what was printed."""
    (row,) = re.findall(rf"^\| {re.escape(start)} \|.*$", section(_PRINTED, heading), re.MULTILINE)
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_the_judge() -> None:
    printed = {tuple(row[:2]): row for row in printed_rows(_PRINTED, "## Quality of the default judge") if len(row) > 8}
    rows = _rows("## The default judge")
    assert len(rows) == 6
    for source, judge, caught, flagged, auroc in rows:
        row = printed[source, judge]
        assert [caught, flagged, auroc] == [row[7], row[8], row[4]]


def test_the_prompts_of_llm_judges() -> None:
    printed = printed_rows(_PRINTED, "## Versions of the prompts")
    quality = {row[0]: row for row in printed if len(row) == 9}
    costs = {tuple(row[:2]): row for row in printed if row[0] in ("single", "claims")}
    rows = _rows("## Prompts of LLM judges")
    assert [row[0] for row in rows] == ["v2", "v3"]
    for version, *found in rows:
        right, cost = quality[version], costs["single", version]
        assert found == [right[3], *right[5:8], *cost[3:5]]
        assert right[2] == "1.00"  # "call every answer right"
    price = {key: int(row[5].replace(",", "")) for key, row in costs.items()}
    told = section(_PAGE, "## Prompts of LLM judges")
    assert f"v3 costs {1 - price['single', 'v3'] / price['single', 'v2']:.0%}\nless" in told
    assert f"`single` {1 - price['single', 'v3'] / price['claims', 'v3']:.0%} less than `claims`" in told


def test_the_corrected_score() -> None:
    text = section(_PRINTED, "## Coverage").partition("n = drawn claims, singly")[2]
    found = re.findall(r"^ +ragtruth +20,401 +complete +random +(\d+) +\S+ +\S+ +(\S+) +(\S+) ", text, re.MULTILINE)
    assert _rows("## The corrected score") == [list(row) for row in found]


def test_the_guard() -> None:
    rows = _rows("## The guard")
    assert len(rows) == 2
    for row in rows:
        cells = _cells("## Guard", row[0])
        assert row == [cells[0], cells[1], cells[2], cells[4], cells[5], cells[9]]
    text = section(_PRINTED, "## Guard")
    assert "33 of 200 are as they are" in text
    assert "200 answers of the sample, 167 of them" in section(_PAGE, "## The guard")


def test_live_samples() -> None:
    for row in _rows("## Live samples"):
        cells = _cells("## Live applications", row[0])
        assert row == [cells[0], cells[2], cells[3]]
    assert _cells("## Live applications", "an incident judged in full")[5] in section(_PAGE, "## Live samples")


def test_contradictions_of_knowledge_bases() -> None:
    cells = _cells("## Checking knowledge bases", "all")
    sets = re.findall(
        r"\| (\d+) of (\d+) \| (\d+|not counted) \|$", section(_PRINTED, "## Checking knowledge bases"), re.MULTILINE
    )
    found, planted = (sum(int(one[at]) for one in sets) for at in (0, 1))
    false = sum(int(one[2]) for one in sets if one[2].isdigit())
    assert cells[1:] == [f"{found} of {planted}", f"{false} beside {found - int(sets[0][0])} found"]
    text = section("docs/knowledge-base.md", "## Look for contradictions in an update")
    assert f"they found {found} of {planted}, and {false} of their findings were false" in text


@pytest.mark.parametrize(
    ("what", "heading", "pattern"),
    [
        ("`faithview check`", "## How long commands take to start", r"\| `faithview check` \| \S+ \| (\S+) \|"),
        ("`faithview run list`", "## How long commands take to start", r"\| `faithview run list` \| \S+ \| (\S+) \|"),
        ("what the service adds", "## The service", r"embedded, 1 process +120 +\S+ +\S+ +(\S+) "),
        ("logging", "## Live applications", r"SQLite: 100,000 .+\n +log_answer: median (\S+) µs"),
        ("an action", "## The dashboard at a million claims", r"median of all actions, ms +1,000 +(\S+) "),
        ("importing", "## Large files", r"import jsonl +1,000 .+ (\d+) +500\n"),
        ("the full", "## What an installation weighs", r"\| all \| (\S+) \|"),
        ("the light", "## What an installation weighs", r"\| all \| \S+ \| (\S+) MB \|"),
    ],
)
def test_speed_and_size(what: str, heading: str, pattern: str) -> None:
    (figure,) = [row[1] for row in _rows("## Speed and size") if row[0].startswith(what)]
    found = re.search(pattern, section(_PRINTED, heading))
    assert found is not None
    assert figure == found[1]


def test_preflights_of_the_sample() -> None:
    printed = section(_PRINTED, "## Preflight")
    pattern = r"^    (\S+) on .*?because a document changed +(\d+) +(\d+) +(\d+) +(\d+%) +(\d+%)$"
    assert _rows("## Preflight") == [list(found) for found in re.findall(pattern, printed, re.MULTILINE | re.DOTALL)]


def test_what_became_of_the_predictions() -> None:
    page, printed = section(_PAGE, "## Preflight"), section(_PRINTED, "## Preflight")
    pattern = (
        r"^    (\S+) on .*?predicted to break: (\d+); broke (\d+), held (\d+), reworded (\d+), no longer made (\d+)$"
        r"\s+answers predicted to change: (\d+); worse (\d+), better (\d+)$"
    )
    rows = re.findall(pattern, printed, re.MULTILINE | re.DOTALL)
    assert len(rows) == 2
    for row in rows:
        assert f"| {' | '.join(row)} |" in page


def test_planted_updates() -> None:
    names = {
        "number": "number changed",
        "removed": "paragraph removed",
        "renamed": "document renamed",
        "split document": "document split in two",
        "split paragraph": "paragraph split in two",
        "reworded": "paragraph reworded",
    }
    printed = {row[0]: row[1:] for row in printed_rows(_PRINTED, "## Preflight") if row[0] in names}
    expected = [
        [
            name,
            f"{found} of {breaking}" if breaking != "0" else "",
            f"{wrong} of {holding}" if holding != "0" else "",
            unsure,
        ]
        for kind, name in names.items()
        for breaking, found, holding, wrong, unsure in [printed[kind]]
    ]
    _, text = section(_PAGE, "## Preflight").split("Planted changes", 1)
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]
    assert rows[2:] == expected
