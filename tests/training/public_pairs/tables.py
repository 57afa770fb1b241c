"""Data sets whose premises are tables, written out as text."""

import html
import json
import re
from collections.abc import Iterator

from tests.training.public_pairs.pairs import CONTRADICTED, ENTAILED, Row, label_of
from tests.training.public_pairs.repositories import Repositories
from tests.training.public_pairs.separated import read_tabs

_BOXES = "data/tables/json"
_BOX_CLAIMS = tuple(
    f"data/maindata/infotabs_{part}.tsv" for part in ("train", "dev", "test_alpha1", "test_alpha2", "test_alpha3")
)
_PAIRED = "pairwise_data/all_positive_negative_pairs.json"
_CAPTIONS = "data/table_to_page.json"
_TABLES = "data/all_csv"
_MOST_ROWS = 40
_SPACE_BEFORE = re.compile(r" ('s|,|\.)")


def infotabs(repositories: Repositories, name: str) -> Iterator[Row]:
    """Return claims about Wikipedia's boxes of facts, a box written as its title and lines of "key: values"."""
    boxes = repositories.read_texts(name, repositories.paths(name, _BOXES))
    premises = {path.removeprefix(f"{_BOXES}/").removesuffix(".json"): box_text(box) for path, box in boxes.items()}
    for path in _BOX_CLAIMS:
        for row in read_tabs(repositories, name, path):
            yield premises.get(row["table_id"]), row["hypothesis"], label_of(row["label"]), f"{name} {path}"


def box_text(box: str) -> str | None:
    """Return a box of facts, given as JSON, as text; None when it is not JSON."""
    try:
        facts = json.loads(box)
    except json.JSONDecodeError:
        return None
    title = facts.pop("title", [""])
    lines = [str(title[0] if isinstance(title, list) else title)]
    for key, values in facts.items():
        lines.append(f"{key}: {', '.join(map(str, values)) if isinstance(values, list) else values}")
    return "\n".join(lines)


def tabfact(repositories: Repositories, name: str) -> Iterator[Row]:
    """Return statements about tables, each true one beside a false one of almost the same words."""
    paired = json.loads(repositories.read_text(name, _PAIRED))
    captions = json.loads(repositories.read_text(name, _CAPTIONS))
    tables = repositories.read_texts(name, [f"{_TABLES}/{table}" for table in sorted({table for table, *_ in paired})])
    premises = {path: table_text(text, captions.get(path.rpartition("/")[2])) for path, text in tables.items()}
    for table, right, wrong in paired:
        premise = premises.get(f"{_TABLES}/{table}")
        yield premise, _SPACE_BEFORE.sub(r"\1", right), ENTAILED, f"{name} {_PAIRED}"
        yield premise, _SPACE_BEFORE.sub(r"\1", wrong), CONTRADICTED, f"{name} {_PAIRED}"


def table_text(text: str, caption: str | list[str] | None) -> str | None:
    """Return a table in Markdown under its caption, given cells apart by "#"; None for an empty or a long one."""
    if not text.strip():
        return None
    rows = [
        [html.unescape(cell) for cell in line.split("#")] for line in text.replace("\r\n", "\n").strip().split("\n")
    ]
    if len(rows) > _MOST_ROWS:
        return None
    title = caption[0] if isinstance(caption, list) else caption
    head, *body = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([*([str(title)] if title else []), head, "|" + "---|" * len(rows[0]), *body])
