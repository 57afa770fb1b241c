"""Composes the bundled sample data from the texts under `source/`.

Run `python data/build.py` after a change there: it writes `kb/`, `runs/`, `labels.jsonl`, `bench.jsonl`,
`examples.json` and `demo.json` beside itself. Only the standard library is used, and the same sources always give the
same bytes. What the files hold and how the sources are written is told in `README.md`.
"""

import argparse
import datetime as dt
import json
import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent

# What a support bot typically hands to its model: enough for a second article, little enough to read.
TOP_K = 4
BENCH_ROWS = 120

# Textbook values of BM25: how soon a repeated word stops counting, and how much long chunks are held back.
_K1 = 1.2
_B = 0.75
_COMMON_WORDS = (
    "a an and are as at be by can do does for from has have how i if in is it many my of on one or our that the to us "
    "we what when which who will with you your"
)
_STOPWORDS = frozenset(_COMMON_WORDS.split())
# Answers of one run are this far apart, as if asked one after the other.
_SECONDS_BETWEEN = 41


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One paragraph of an article, in one version of the knowledge base."""

    chunk_id: str
    text: str
    title: str
    section: str
    article_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongPart:
    """A part of an answer that was made wrong: `text[start:end]` in code points, and the kind of error."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer and the parts of it that were made wrong, in order and without overlap."""

    text: str
    wrong: tuple[WrongPart, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One answered question of one run."""

    key: str
    question: str
    answer: Answer
    chunks: tuple[tuple[Chunk, float], ...]
    segment: str
    reference: str
    timestamp: str


def main() -> None:
    """Write every file, and say how many and how large."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--out", type=Path, default=HERE, help="folder to write to (default: the folder of this script)"
    )
    folder: Path = parser.parse_args().out
    files = build(HERE / "source")
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    print(f"{len(files)} files, {sum(map(len, files.values())):,} bytes, in {folder}")


def build(source: Path) -> dict[str, bytes]:
    """Return every file as relative path -> content.

    Raises:
        ValueError: the sources contradict themselves, such as an error in a sentence that the answer does not have.
    """
    plan = _load_toml(source / "weeks.toml")
    questions = _load_questions(source / "questions")
    versions = sorted(path.name for path in (source / "kb").iterdir())
    kbs = {version: load_kb(source / "kb", version) for version in versions}
    runs = {week["name"]: _answer_all(questions, week, kbs[week["kb_version"]]) for week in plan["week"]}
    kb_of = {week["name"]: week["kb_version"] for week in plan["week"]}

    files = {f"kb/kb-{version}.jsonl": _json_lines(_kb_line(c, version) for c in kb) for version, kb in kbs.items()}
    for name, rows in runs.items():
        files[f"runs/{name}.jsonl"] = _json_lines(_run_line(row, kb_of[name]) for row in rows)
    files["labels.jsonl"] = _json_lines(_label_lines(runs))
    files["bench.jsonl"] = _json_lines(_bench_lines(questions, runs, kbs))
    files["examples.json"] = _json(_examples(_load_toml(source / "examples.toml"), runs))
    files["demo.json"] = _json(_manifest(plan, runs, versions))
    return files


def load_kb(folder: Path, version: str) -> tuple[Chunk, ...]:
    """Return the chunks of one version, by article: an article of a later version replaces the earlier one.

    Raises:
        ValueError: a text stands outside an article.
    """
    articles: dict[str, tuple[Chunk, ...]] = {}
    for path in sorted(folder.glob("*/*.md")):
        if path.parent.name <= version:
            articles.update(_read_articles(path))
    return tuple(chunk for article_id in sorted(articles) for chunk in articles[article_id])


def _read_articles(path: Path) -> dict[str, tuple[Chunk, ...]]:
    section = article_id = title = ""
    articles: dict[str, tuple[Chunk, ...]] = {}
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        if block.startswith("# "):
            section = block.removeprefix("# ")
        elif block.startswith("## "):
            article_id, _, title = block.removeprefix("## ").partition(" ")
            articles[article_id] = ()
        elif article_id:
            chunks = articles[article_id]
            chunk_id = f"{article_id}-{len(chunks) + 1}"
            chunk = Chunk(chunk_id=chunk_id, text=block, title=title, section=section, article_id=article_id)
            articles[article_id] = (*chunks, chunk)
        else:
            raise ValueError(f"{path.name} has text before its first article: {block[:40]!r}; give it a '## ' heading.")
    return articles


class Retriever:
    """BM25 (Robertson and Zaragoza 2009) over titles and texts of the chunks."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        self._counts = [Counter(words(f"{chunk.title} {chunk.text}")) for chunk in chunks]
        self._lengths = [counts.total() for counts in self._counts]
        self._mean_length = sum(self._lengths) / len(chunks)
        self._found_in = Counter(word for counts in self._counts for word in counts)

    def search(self, query: str, *, top_k: int = TOP_K) -> tuple[tuple[Chunk, float], ...]:
        """Return the best chunks with their scores, best first; the earlier chunk wins a tie."""
        terms = sorted(set(words(query)))
        scored = [(-round(self._score(terms, at), 4), at) for at in range(len(self._chunks))]
        return tuple((self._chunks[at], -score) for score, at in sorted(scored)[:top_k])

    def _score(self, terms: Sequence[str], at: int) -> float:
        counts, score = self._counts[at], 0.0
        norm = _K1 * (1 - _B + _B * self._lengths[at] / self._mean_length)
        for term in terms:
            if counts[term]:
                found_in = self._found_in[term]
                rarity = math.log(1 + (len(self._chunks) - found_in + 0.5) / (found_in + 0.5))
                score += rarity * counts[term] * (_K1 + 1) / (counts[term] + norm)
        return score


def words(text: str) -> list[str]:
    """Return the words that retrieval compares: lower case, without stop words and the commonest English endings."""
    return [_stem(word) for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in _STOPWORDS]


def _stem(word: str) -> str:
    for ending in ("ies", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending) + ("y" if ending == "ies" else "")
    return word.removesuffix("e") if len(word) > 4 else word


def compose(question: dict[str, Any], week: dict[str, Any]) -> Answer:
    """Return the answer that the sources give to a question in a week.

    Raises:
        ValueError: a rewording or an error names a part that the answer does not have.
    """
    if "a" not in question:
        return _parse_marks(question.get(f"week_{week['number']}", question[week["phase"]]))
    answer = Answer(text=question["a"])
    reword = question.get("reword")
    if reword and week["number"] in reword["weeks"]:
        answer = _substitute(answer, reword["from"], reword["to"], kind=None, key=question["id"])
    for error in question.get("errors", []):
        if week["number"] in error["weeks"]:
            answer = _make_wrong(answer, error, key=question["id"])
    return answer


def _make_wrong(answer: Answer, error: dict[str, Any], *, key: str) -> Answer:
    if "add" not in error:
        return _substitute(answer, error["from"], error["to"], kind=error["type"], key=key)
    text = f"{answer.text} {error['add']}"
    part = WrongPart(start=len(answer.text) + 1, end=len(text), kind=error["type"])
    return Answer(text=text, wrong=(*answer.wrong, part))


def _substitute(answer: Answer, old: str, new: str, *, kind: str | None, key: str) -> Answer:
    if answer.text.count(old) != 1:
        raise ValueError(f"{key}: {old!r} stands {answer.text.count(old)} times in the answer; it must stand once.")
    start = answer.text.index(old)
    end, shift = start + len(old), len(new) - len(old)
    if any(part.start < end and start < part.end for part in answer.wrong):
        raise ValueError(f"{key}: {old!r} overlaps a part that is already wrong; choose another part.")
    moved = [
        part if part.end <= start else replace(part, start=part.start + shift, end=part.end + shift)
        for part in answer.wrong
    ]
    if kind is not None:
        moved.append(WrongPart(start=start, end=start + len(new), kind=kind))
    text = answer.text[:start] + new + answer.text[end:]
    return Answer(text=text, wrong=tuple(sorted(moved, key=lambda part: part.start)))


def _parse_marks(marked: str) -> Answer:
    text, wrong, at = "", [], 0
    for match in re.finditer(r"\{\{(\w+)\|([^{}]+)\}\}", marked):
        text += marked[at : match.start()]
        wrong.append(WrongPart(start=len(text), end=len(text) + len(match[2]), kind=match[1]))
        text += match[2]
        at = match.end()
    return Answer(text=text + marked[at:], wrong=tuple(wrong))


def _answer_all(questions: Sequence[dict[str, Any]], week: dict[str, Any], kb: Sequence[Chunk]) -> list[Row]:
    retriever = Retriever(kb)
    start = dt.datetime.combine(week["date"], dt.time(7), tzinfo=dt.UTC)
    return [
        Row(
            key=question["id"],
            question=question["q"],
            answer=compose(question, week),
            chunks=retriever.search(question["q"]),
            segment=question["segment"],
            reference=_reference(question, week),
            timestamp=(start + dt.timedelta(seconds=_SECONDS_BETWEEN * position)).isoformat(),
        )
        for position, question in enumerate(questions)
    ]


def _reference(question: dict[str, Any], week: dict[str, Any]) -> str:
    """Return the right answer, which on handovers changed with the product."""
    return str(question.get("a") or question["before" if week["phase"] == "before" else "fixed"])


def _kb_line(chunk: Chunk, version: str) -> dict[str, Any]:
    return {
        "id": chunk.chunk_id,
        "text": chunk.text,
        "title": chunk.title,
        "section": chunk.section,
        "article_id": chunk.article_id,
        "kb_version": version,
    }


def _run_line(row: Row, kb_version: str) -> dict[str, Any]:
    return {
        "id": row.key,
        "question": row.question,
        "answer": row.answer.text,
        "contexts": [
            {
                "id": chunk.chunk_id,
                "text": chunk.text,
                "rank": rank,
                "score": score,
                "metadata": {"title": chunk.title, "section": chunk.section, "kb_version": kb_version},
            }
            for rank, (chunk, score) in enumerate(row.chunks, start=1)
        ],
        "segment": row.segment,
        "reference": row.reference,
        "timestamp": row.timestamp,
    }


def _spans(answer: Answer) -> list[dict[str, Any]]:
    return [{"start": part.start, "end": part.end, "type": part.kind} for part in answer.wrong]


def _label_lines(runs: dict[str, list[Row]]) -> Iterable[dict[str, Any]]:
    for name, rows in runs.items():
        for row in rows:
            for span in _spans(row.answer):
                text = row.answer.text[span["start"] : span["end"]]
                yield {"run": name, "id": row.key, "segment": row.segment, **span, "text": text}


def _bench_lines(
    questions: Sequence[dict[str, Any]], runs: dict[str, list[Row]], kbs: dict[str, tuple[Chunk, ...]]
) -> list[dict[str, Any]]:
    """Return every different wrong answer, then right ones to other questions until the file is full."""
    wrong: dict[str, dict[str, Any]] = {}
    right: dict[str, dict[str, Any]] = {}
    for name, rows in runs.items():
        for row in rows:
            chunks = [chunk for chunk, _ in row.chunks]
            line = _bench_line(f"{row.key}/{name}", row.question, row.answer, chunks)
            (wrong if row.answer.wrong else right).setdefault(row.answer.text, line)
    # Errors of no week: written for this file, against the first version.
    retriever = Retriever(kbs[min(kbs)])
    for question in questions:
        for number, error in enumerate(question.get("errors", []), start=1):
            if not error["weeks"]:
                answer = _make_wrong(Answer(text=question["a"]), error, key=question["id"])
                chunks = [chunk for chunk, _ in retriever.search(question["q"])]
                line = _bench_line(f"{question['id']}/extra-{number}", question["q"], answer, chunks)
                wrong.setdefault(answer.text, line)
    # Spread over all segments rather than the first ones.
    candidates = list(right.values())
    wanted = BENCH_ROWS - len(wrong)
    kept = [candidates[at * len(candidates) // wanted] for at in range(wanted)]
    return sorted([*wrong.values(), *kept], key=lambda line: str(line["id"]))


def _bench_line(line_id: str, question: str, answer: Answer, chunks: Sequence[Chunk]) -> dict[str, Any]:
    return {
        "id": line_id,
        "source": "brindlepost",
        "task": "QA",
        "question": question,
        "chunks": [chunk.text for chunk in chunks],
        "answer": answer.text,
        "claim": None,
        "label": 0 if answer.wrong else 1,
        "spans": _spans(answer),
    }


def _examples(wanted: dict[str, Any], runs: dict[str, list[Row]]) -> list[dict[str, Any]]:
    examples = []
    for example in wanted["example"]:
        row = next(row for row in runs[example["run"]] if row.key == example["id"])
        chunks = [{"id": chunk.chunk_id, "text": chunk.text} for chunk, _ in row.chunks[: example["chunks"]]]
        pair = {"question": row.question, "answer": row.answer.text, "chunks": chunks}
        examples.append({"name": example["name"], "promise": example["promise"], **pair})
    return examples


def _manifest(plan: dict[str, Any], runs: dict[str, list[Row]], versions: list[str]) -> dict[str, Any]:
    return {
        "runs": [
            {
                "name": week["name"],
                "file": f"runs/{week['name']}.jsonl",
                "kb_version": week["kb_version"],
                "as_of": runs[week["name"]][-1].timestamp,
            }
            for week in plan["week"]
        ],
        "knowledge_bases": [{"version": version, "file": f"kb/kb-{version}.jsonl"} for version in versions],
        "events": [{**event, "at": event["at"].isoformat()} for event in plan["event"]],
        "bench": "bench.jsonl",
        "examples": "examples.json",
    }


def _load_questions(folder: Path) -> list[dict[str, Any]]:
    questions = []
    for path in sorted(folder.glob("*.toml")):
        loaded = _load_toml(path)
        questions += [{**question, "segment": loaded["segment"]} for question in loaded["question"]]
    return questions


def _load_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _json_lines(lines: Iterable[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


if __name__ == "__main__":
    main()
