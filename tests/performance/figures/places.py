"""Every figure of two runs and of their comparison, from every place that shows it.

A place that prints a figure with so many decimals is held to that many, any other to 1e-9. A text in which a figure is
not found where it used to be counts as a difference, so that a check cannot end by a sentence's being reworded.
"""

import csv
import json
import math
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from faithview.api.store import open_store
from faithview.ui import navigation
from tests.performance.figures.commands import Commands
from tests.performance.figures.pages import Pages
from tests.performance.figures.sentences import words_of_html

VIEWS = ("judge", "reviewed")
VERDICTS = ("supported", "partially_supported", "not_mentioned", "contradicted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A figure in one place: of which run or pair under which view, and its value; None if it is not found.

    `decimals` is how many are printed; None if all are.
    """

    subject: str
    figure: str
    place: str
    value: float | None
    decimals: int | None = None


Rows = Sequence[Mapping[str, Any]]
_NUMBER = r"([-+]?\d[\d,]*(?:\.\d+)?)"


def exported_rows(commands: Commands, run: str, view: str) -> Rows:
    """Return the rows of a run as `faithview export` writes them."""
    with tempfile.TemporaryDirectory(prefix="faithview-figures-") as folder:
        path = Path(folder) / "run.jsonl"
        commands("export", run, "--format", "jsonl", "--view", view, "-o", path)
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


FORMATS = ("jsonl", "csv", "parquet", "ragas", "deepeval", "langsmith", "inspectorraget")


def run_figures(commands: Commands, pages: Pages, run: str, *, formats: Mapping[str, Sequence[str]]) -> Iterator[Shown]:
    """Yield the figures of one run by the judge and reviewed, from commands, exports, Python, reports and pages.

    Args:
        commands: the command line.
        pages: the pages.
        run: the run.
        formats: the formats to export in, by view.
    """
    yield from _documents(commands, run)
    yield from _show_text(commands, run)
    yield from _runs_text(commands, run)
    yield from _exports(commands, run, formats)
    yield from _python(commands.store, run)
    for view in VIEWS:
        yield from _report(commands, run, view)
        yield from _pages(pages, run, view)
    yield from _agreement(commands, run)


def pair_figures(commands: Commands, pages: Pages, before: str, after: str) -> Iterator[Shown]:
    """Yield the figures of the difference of two runs by the judge and reviewed."""
    for view in VIEWS:
        subject = f"{before} to {after}, {view}"
        document = commands.json("compare", before, after, "--view", view)
        yield from _difference(subject, "compare --json", document)
        with open_store(f"sqlite:///{commands.store}") as store:
            compared = store.compare(before, after, view=view)
            yield from _difference(subject, "Python, to_dict", compared.to_dict())
            yield from _frames(subject, compared)
        yield from _compare_text(subject, commands("compare", before, after, "--view", view).text)
        report = words_of_html(commands("report", before, after, "--view", view, "--no-texts", "-o", "-").out)
        yield from _compare_report(subject, report)
        yield from _compare_page(subject, pages.read(navigation.CHANGES, baseline=before, candidate=after, view=view))


def slice_figures(commands: Commands, pages: Pages, run: str) -> Iterator[Shown]:
    """Yield the lowest slice of a run by the judge and reviewed; no figure where none is found."""
    for view in VIEWS:
        subject = f"{run}, {view}"
        found = commands.json("slices", run, "--view", view).get("slices", [])
        place = "slices --json"
        yield Shown(subject=subject, figure="slices found", place=place, value=len(found) and 1)
        texts = {
            "slices": commands("slices", run, "--view", view).text,
            "Weak spots": pages.read(navigation.WEAK_SPOTS, run=run, view=view),
            "Overview": pages.read(navigation.OVERVIEW, view=view),
            "report": words_of_html(commands("report", run, "--view", view, "-o", "-").out),  # a slice may be a word
        }
        for name, text in texts.items():
            is_none = re.search(r"no slice of|too few to (find|look)", text, re.IGNORECASE)
            yield Shown(subject=subject, figure="slices found", place=name, value=0 if is_none else 1)
        if not found:
            continue
        first = found[0]
        for figure in ("difference", "p_value_adjusted", "answers"):
            yield Shown(subject=subject, figure=f"lowest slice, {figure}", place=place, value=first[figure])
        for name, text in texts.items():
            yield from _slice_text(subject, name, _signs(text), first)


def judge_figures(commands: Commands, pages: Pages, run: str, series: str, *, only: Sequence[str]) -> Iterator[Shown]:
    """Yield how good the judge is by the labels of a series' only labelled run, from the page and from the command.

    Args:
        commands: the command line.
        pages: the pages.
        run: the run.
        series: its series.
        only: which figures; one that labels leave wide open is not printed everywhere.
    """
    subject, text = f"{run}, judge's quality", _signs(pages.read(navigation.JUDGES, series=series))
    for figure, words in _ON_JUDGES.items():
        if figure in only:
            yield _read(subject, figure, "Judges", text, rf"{words}[^\d]*?{_NUMBER}")
    yield from (one for one in _agreement(commands, run) if one.subject == subject and one.figure in only)


def raw_figures(commands: Commands, pages: Pages, run: str) -> Iterator[Shown]:
    """Yield the judge's own score of a run from where it is beside the corrected one, and from where it is alone."""
    subject = f"{run}, judge"
    yield Shown(
        subject=subject,
        figure="faithfulness",
        place="show --json",
        value=_known(commands.json("show", run)["faithfulness"]),
    )
    yield _read(subject, "faithfulness", "show", commands("show", run).text, rf"faithfulness +{_NUMBER}")
    yield _read(subject, "faithfulness", "agreement", commands("agreement", run).text, rf"judge's score +{_NUMBER}")
    inspect = pages.read(navigation.ANSWERS, run=run, view="corrected")
    yield _read(subject, "faithfulness", "Answers corrected, beside", inspect, rf"corrected .*?\bjudge {_NUMBER}")


_ON_JUDGES = {
    "agreement": "Agrees with reviewers",
    "kappa": "Cohen's kappa",
    "recall": "Finds unsupported",
    "specificity": "Passes supported",
}


def service_figures(
    url: str, rows: Rows, *, post: Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
) -> Iterator[Shown]:
    """Yield state and faithfulness of each row as the service checks it, beside the run's."""
    for row in rows:
        body = {
            "question": row["question"],
            "answer": row["answer"],
            "context": [{"id": chunk["id"], "text": chunk["text"]} for chunk in row["chunks"]],
        }
        found = post(f"{url}/check", body)
        for place, document in (("run", row), ("POST /check", found)):
            subject = f"row {row['key']}"
            yield Shown(subject=subject, figure="is judged", place=place, value=float(document["state"] == "judged"))
            yield Shown(subject=subject, figure="faithfulness", place=place, value=_known(document["faithfulness"]))


def _documents(commands: Commands, run: str) -> Iterator[Shown]:
    listed = next(d for d in commands.json("runs").get("runs", []) if d["name"] == run)
    for place, document in (("show --json", commands.json("show", run)), ("runs --json", listed)):
        yield from _document(f"{run}, judge", place, document)


def _document(subject: str, place: str, document: Mapping[str, Any]) -> Iterator[Shown]:
    low, high = document["faithfulness_ci"] or (None, None)
    least, most = document["faithfulness_bounds"] or (None, None)
    figures = {
        "faithfulness": document["faithfulness"],
        "n": document["states"]["judged"],
        "low": low,
        "high": high,
        "weighted": document["faithfulness_weighted"],
        "hallucination rate": document["hallucination_rate"],
        "if unscored were 0": least,
        "if unscored were 1": most,
        "faithful answers": document["faithful_rows"],
        **{verdict: document["claims"][verdict] for verdict in VERDICTS},
    }
    for figure, value in figures.items():
        yield Shown(subject=subject, figure=figure, place=place, value=_known(value))
    yield Shown(subject=subject, figure="coverage", place=place, value=_known(document.get("coverage")))
    for name, segment in document["segments"].items():
        yield Shown(subject=subject, figure=f"segment {name}", place=place, value=_known(segment["faithfulness"]))
        judged = next((segment[key] for key in ("n", "judged", "answers") if key in segment), None)
        yield Shown(subject=subject, figure=f"segment {name}, n", place=place, value=_known(judged))


def _show_text(commands: Commands, run: str) -> Iterator[Shown]:
    text, subject, place = commands("show", run).text, f"{run}, judge", "show"
    yield from _measure(subject, place, text, r"faithfulness\s+")
    yield _read(subject, "weighted", place, text, rf"weighted {_NUMBER}")
    yield _read(subject, "faithful answers", place, text, rf"faithful +{_NUMBER} of")
    for verdict in VERDICTS:
        words = verdict.replace("_", " ")
        yield _read(subject, verdict, place, text, rf"claims \d+:.*?{_NUMBER} {words}")
    for name in commands.json("show", run)["segments"]:
        row = re.search(rf"\b{re.escape(name)}\s+[\d,]+\s+([01]\.\d\d) \((?:[^()]*, )?n {_NUMBER}\)", text)
        yield _printed(subject, f"segment {name}", place, row[1] if row else None)
        yield _printed(subject, f"segment {name}, n", place, row[2] if row else None)


def _runs_text(commands: Commands, run: str) -> Iterator[Shown]:
    yield from _measure(f"{run}, judge", "runs", commands("runs").text, rf"\b{run} {run} .*?\d{{4}} .*?")


def _exports(commands: Commands, run: str, formats: Mapping[str, Sequence[str]]) -> Iterator[Shown]:
    with tempfile.TemporaryDirectory(prefix="faithview-figures-") as name:
        folder = Path(name)
        for view, kinds in formats.items():
            subject = f"{run}, {view}"
            for kind in kinds:
                path = folder / f"{view}.{kind}"
                commands("export", run, "--format", kind, "--view", view, "-o", path)
                rows = list(_rows_of(path, kind))
                scores = [score for score, _ in rows if score is not None]
                place = f"export {kind}"
                yield Shown(subject=subject, figure="faithfulness", place=place, value=_mean(scores))
                yield Shown(subject=subject, figure="n", place=place, value=len(scores))
                faithful = sum(is_faithful is True for _, is_faithful in rows)
                yield Shown(subject=subject, figure="faithful answers", place=place, value=faithful)


def _rows_of(path: Path, kind: str) -> Iterator[tuple[float | None, bool | None]]:
    """Yield each answer's score and whether it is faithful, as that format has them."""
    if kind == "csv":
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                yield (
                    float(row["faithfulness"]) if row["faithfulness"] else None,
                    row["is_faithful"] in ("True", "true"),
                )
    elif kind == "parquet":
        frame = pd.read_parquet(path)
        for score, is_faithful in zip(frame["faithfulness"], frame["is_faithful"], strict=True):
            yield (None if pd.isna(score) else float(score)), (None if pd.isna(is_faithful) else bool(is_faithful))
    elif kind in ("jsonl", "ragas", "langsmith"):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            own = row.get("metadata", row)
            yield (
                own["faithfulness"],
                own.get("is_faithful", own.get("faithview_is_faithful")),
            )  # empty ones are left out
    elif kind == "deepeval":
        for row in json.loads(path.read_text(encoding="utf-8")):
            own = row["additional_metadata"]
            yield own.get("faithview_faithfulness"), own.get("faithview_is_faithful")
    else:
        for row in json.loads(path.read_text(encoding="utf-8"))["results"]:
            scores = [annotation["value"] for annotation in row["scores"].get("faithfulness", {}).values()]
            yield (scores[0] if scores else None), row["metadata"].get("faithview_is_faithful")


def _python(store: Path, run: str) -> Iterator[Shown]:
    subject = f"{run}, judge"
    with open_store(f"sqlite:///{store}") as opened:
        yield from _document(subject, "Python, to_dict", opened.run(run).to_dict())
        runs = opened.runs().to_pandas().set_index("name").loc[run]
        for figure, column in _RUN_COLUMNS.items():
            yield Shown(subject=subject, figure=figure, place="Python, frame of runs", value=_known(runs[column]))
        place = "Python, frame of runs"
        yield Shown(subject=subject, figure="coverage", place=place, value=_known(runs.get("coverage")))
        answers = opened.run(run).to_pandas()
        claims = opened.run(run).to_pandas(by="claim")
        printed = str(opened.run(run))
    place = "Python, frame of answers"
    judged = answers[answers["state"] == "judged"]
    figures = {
        "faithfulness": _mean(judged["faithfulness"]),
        "n": len(judged),
        "weighted": _mean(judged["faithfulness_weighted"]),
        "faithful answers": int(judged["is_faithful"].sum()),
        **{verdict: int(answers[verdict].sum()) for verdict in VERDICTS},
    }
    for figure, value in figures.items():
        yield Shown(subject=subject, figure=figure, place=place, value=value)
    rate = 1 - float((claims["verdict"] == "supported").mean())
    yield Shown(subject=subject, figure="hallucination rate", place="Python, frame of claims", value=rate)
    yield from _measure(subject, "Python, print", " ".join(printed.split()), r"faithfulness\s+")


_RUN_COLUMNS = {
    "faithfulness": "faithfulness",
    "n": "judged",
    "low": "low",
    "high": "high",
    "if unscored were 0": "if_unscored_0",
    "if unscored were 1": "if_unscored_1",
}


def _report(commands: Commands, run: str, view: str) -> Iterator[Shown]:
    subject, place = f"{run}, {view}", "report"
    text = words_of_html(commands("report", run, "--view", view, "--no-texts", "-o", "-").out)
    found = re.search(
        rf"Faithfulness (?:by the judge|reviewed) {_NUMBER} \(95% {_NUMBER}–{_NUMBER}, n {_NUMBER}\)", text
    )
    for at, figure in enumerate(("faithfulness", "low", "high", "n"), start=1):
        yield _printed(subject, figure, place, found[at] if found else None)
    yield _read(subject, "faithful answers", place, text, rf"{_NUMBER} of [\d,]+ judged answers (?:is|are) faithful")
    for verdict in VERDICTS:
        yield _read(subject, verdict, place, text, rf"[✓◐○✕] {verdict.replace('_', ' ')} {_NUMBER} \d")
    part = text.partition(" Segments ")[2].partition(" Where it goes wrong ")[0]
    for name, judged, score in re.findall(rf"(\S[^()]*?) \(n {_NUMBER}\) {_NUMBER}", part):
        yield _printed(subject, f"segment {name}", place, score)
        yield _printed(subject, f"segment {name}, n", place, judged)


def _pages(pages: Pages, run: str, view: str) -> Iterator[Shown]:
    subject = f"{run}, {view}"
    text = pages.read(navigation.ANSWERS, run=run, view=view)
    yield from _measure(subject, "Answers", text, r"^Answers .*?(?=[01]\.\d\d \()")
    yield _read(subject, "faithful answers", "Answers", text, rf"{_NUMBER} of [\d,]+ answers? faithful")
    percent = re.search(r"claims? \((\d+(?:\.\d+)?)%\)", text)
    rate = f"{float(percent[1]) / 100:.2f}" if percent else None
    yield _printed(subject, "hallucination rate", "Answers", rate)
    for verdict in VERDICTS:
        yield _read(subject, verdict, "Answers", text, rf"{_NUMBER} {verdict.replace('_', ' ')}\b")
    text = pages.read(navigation.OVERVIEW, view=view)
    row = re.search(rf"\b{run} \d{{4}}-\d\d-\d\d [\d:+]+ ([\d.]+) {_NUMBER}–{_NUMBER} \S+ (\d+)", text)
    yield Shown(subject=subject, figure="faithfulness", place="Overview, table", value=float(row[1]) if row else None)
    for at, figure in ((2, "low"), (3, "high"), (4, "n")):
        yield _printed(subject, figure, "Overview, table", row[at] if row else None)


def headline_figures(pages: Pages, newest: str, *, prefix: str = "") -> Iterator[Shown]:
    """Yield what Overview, Trends and Answers say first of the newest run."""
    for view in VIEWS:
        for name, page in (
            ("Overview", navigation.OVERVIEW),
            ("Trends", navigation.TRENDS),
            ("Answers", navigation.ANSWERS),
        ):
            text = pages.read(page, view=view, **({"run": newest} if page == navigation.ANSWERS else {}))
            subject, place = f"{newest}, {view}", f"{prefix}{name}"
            if name == "Overview" and " corrected by reviewers" not in text:
                yield from _overview_number(subject, place, text)
                continue
            # A corrected score comes first where there is one; the view's own is behind it.
            yield from _measure(subject, place, text, rf"^{name} .*?(?=[01]\.\d\d \()")


def _overview_number(subject: str, place: str, text: str) -> Iterator[Shown]:
    """Yield the large number of Overview with what is below it: "0.94 … faithfulness, 0.90–0.97 on 116 answers"."""
    found = re.search(
        rf"^Overview .*? ([01]\.\d\d) .*?faithfulness[^\d]*?{_NUMBER}–{_NUMBER} on {_NUMBER} (?:answer|label)", text
    )
    for at, figure in enumerate(("faithfulness", "low", "high", "n"), start=1):
        yield _printed(subject, figure, place, found[at] if found else None)


def finding_figures(pages: Pages, before: str, after: str, *, prefix: str) -> Iterator[Shown]:
    """Yield the figures of Compare's sentence and of the line below it."""
    for view in VIEWS:
        text = pages.read(navigation.CHANGES, baseline=before, candidate=after, view=view)
        yield from _compare_finding(f"{before} to {after}, {view}", f"{prefix}Compare", _signs(text))


def corrected_figures(commands: Commands, pages: Pages, run: str, check: int, *, is_newest: bool) -> Iterator[Shown]:
    """Yield the corrected score of a run from every place, those among them that are asked for it by their view."""
    subject = f"{run}, corrected"
    documents = {
        "agreement --json": commands.json("agreement", run).get("human_corrected", {}),
        "spot-check show --json": commands.json("spot-check", "show", check)["runs"][0]["human_corrected"],
    }
    for place, document in documents.items():
        low, high = document.get("ci") or (None, None)
        for figure, value in (("faithfulness", document.get("estimate")), ("low", low), ("high", high)):
            yield Shown(subject=subject, figure=figure, place=place, value=_known(value))
    texts = {
        "agreement": commands("agreement", run).text,
        "spot-check show": commands("spot-check", "show", check).text,
        "Review": pages.read(navigation.REVIEW, check=str(check)),
        "Answers corrected, line": pages.read(navigation.ANSWERS, run=run, view="corrected"),
    }
    for place, text in texts.items():
        found = re.search(rf"corrected (?:score )?{_NUMBER} \({_NUMBER}–{_NUMBER}", text)
        for at, figure in enumerate(("faithfulness", "low", "high"), start=1):
            yield _printed(subject, figure, place, found[at] if found else None)
    for place in ("spot-check show", "Review", "Answers corrected, line"):
        text = texts[place] if place == "Review" else texts[place].rpartition("orrected ")[2]
        yield _read(subject, "labels", place, text, r"(?<![\d.])(\d[\d,]*) labels\b(?! only)")
    headlines = {"Answers corrected, header": (texts["Answers corrected, line"], "Answers")}
    if is_newest:
        yield from _overview_corrected(pages, subject)
        headlines["Trends corrected"] = (pages.read(navigation.TRENDS, view="corrected"), "Trends")
    for place, (text, page) in headlines.items():
        if (named := _under_own_name(text, page)) is None:
            yield from _measure(subject, place, text, rf"^{page} .*?(?=[01]\.\d\d \()", with_n=False)
        else:
            yield Shown(subject=subject, figure=f"shown under the name {named}", place=place, value=0)
    report = commands("report", run, "--view", "corrected", "--no-texts", "-o", "-")
    text = words_of_html(report.out) if report.status == 0 else ""
    if "Verdicts: corrected" in text:
        found = re.search(rf"Faithfulness (?:corrected )?{_NUMBER}", text)
        yield _printed(subject, "faithfulness", "report corrected", found[1] if found else None)


def _overview_corrected(pages: Pages, subject: str) -> Iterator[Shown]:
    text = pages.read(navigation.OVERVIEW, view="corrected")
    # Below the number labels are counted, not the units that its n counts elsewhere.
    yield from (one for one in _overview_number(subject, "Overview corrected", text) if one.figure != "n")


def corrected_pair_figures(commands: Commands, pages: Pages, before: str, after: str) -> Iterator[Shown]:
    """Yield the corrected difference, from every place that is asked for it by its view."""
    subject = f"{before} to {after}, corrected"
    document = commands.json("compare", before, after, "--view", "corrected")
    known = document.get("corrected") or {}
    place = "compare --json, corrected"
    yield Shown(subject=subject, figure="delta", place=place, value=_known(known.get("estimate")))
    if document.get("view") == "corrected":
        yield Shown(subject=subject, figure="delta", place="compare --json, delta", value=_known(document.get("delta")))
        reviewed = commands.json("compare", before, after, "--view", "reviewed").get("p_value")
        is_reviewed = document.get("p_value") is not None and document["p_value"] == reviewed
        yield Shown(subject=subject, figure="p of another view", place="compare --json", value=float(is_reviewed))
        yield Shown(subject=subject, figure="p of another view", place="none", value=0.0)
    text = _signs(commands("compare", before, after, "--view", "corrected").text)
    yield _read(subject, "delta", "compare, line corrected", text, rf"corrected +[\d.]+ -> [\d.]+, {_NUMBER}")
    if re.search(r"verdicts corrected", text):
        yield _read(subject, "delta", "compare, faithfulness", text, rf"faithfulness +[\d.]+ -> [\d.]+, {_NUMBER}")
    page = _signs(pages.read(navigation.CHANGES, baseline=before, candidate=after, view="corrected"))
    moved = re.search(
        rf"corrected by spot-checks, the whole runs' faithfulness (fell|rose) by {_NUMBER}", page, re.IGNORECASE
    )
    sign = "-" if moved and moved[1] == "fell" else ""
    yield _printed(subject, "delta", "Changes, line", f"{sign}{moved[2]}" if moved else None)


def _under_own_name(text: str, page: str) -> str | None:
    """Return the name of another view that a page puts right beside its headline figure."""
    head = re.match(rf"{page} (.{{0,60}}?)[01]\.\d\d \([^)]*\)(.{{0,25}})", text)
    found = re.search(r"\b(reviewed|by the judge)\b", f"{head[1]} {head[2]}") if head else None
    return found[1] if found else None


def _agreement(commands: Commands, run: str) -> Iterator[Shown]:
    subject, document = f"{run}, judge's quality", commands.json("agreement", run)
    for figure, key in _QUALITY.items():
        if key in document:
            yield Shown(subject=subject, figure=figure, place="agreement --json", value=_known(document[key]))
    yield Shown(
        subject=f"{run}, judge",
        figure="faithfulness",
        place="agreement --json",
        value=_known(document.get("judge_faithfulness")),
    )
    text = commands("agreement", run).text
    yield _read(subject, "labelled claims", "agreement", text, rf"labelled claims +{_NUMBER}")
    if not re.search(r"accuracy +too few labels", text):
        yield _read(subject, "agreement", "agreement", text, rf"accuracy +{_NUMBER}")
    yield _read(subject, "kappa", "agreement", text, rf"kappa +{_NUMBER}")
    yield _read(f"{run}, judge", "faithfulness", "agreement", text, rf"judge's score +{_NUMBER}")


_QUALITY = {
    "labelled claims": "labelled_claims",
    "agreement": "accuracy",
    "kappa": "cohen_kappa",
    "recall": "sensitivity",
    "specificity": "specificity",
    "precision": "precision",
}


def _difference(subject: str, place: str, document: Mapping[str, Any]) -> Iterator[Shown]:
    low, high = document["delta_ci"] or (None, None)
    figures = {
        "delta": document["delta"],
        "low": low,
        "high": high,
        "p": document["p_value"],
        "pairs": document["paired_rows"],
        "regressed": document["regressed"],
        "improved": document["improved"],
        "unchanged": document["unchanged"],
        "faithful lost": document["faithful"]["lost"],
        "faithful gained": document["faithful"]["gained"],
        "faithful p": document["faithful"]["p_value"],
        "sum of causes": math.fsum(cause["delta"] for cause in document["causes"]),
        "sum of segments": math.fsum(part["contribution"] for part in document["segments"]),
    }
    for figure, value in figures.items():
        yield Shown(subject=subject, figure=figure, place=place, value=_known(value))
    for part in document["segments"]:
        name = part["segment"] or "(none)"
        for figure, key in _SEGMENT.items():
            yield Shown(subject=subject, figure=f"{name}, {figure}", place=place, value=_known(part[key]))
    for cause in document["causes"]:
        for figure, key in (("delta", "delta"), ("lost", "claims_broken"), ("won", "claims_fixed")):
            yield Shown(subject=subject, figure=f"{cause['cause']}, {figure}", place=place, value=_known(cause[key]))


_SEGMENT = {"n": "rows", "delta": "delta", "adjusted p": "p_value_adjusted", "contribution": "contribution"}


def _frames(subject: str, compared: Any) -> Iterator[Shown]:
    segments, causes = compared.to_pandas(by="segment"), compared.to_pandas(by="cause")
    place = "Python, frames"
    for _, part in segments.iterrows():
        name = "(none)" if pd.isna(part["segment"]) else part["segment"]
        columns = {"n": "rows", "delta": "difference", "adjusted p": "p_value_adjusted", "contribution": "contribution"}
        for figure, column in columns.items():
            yield Shown(subject=subject, figure=f"{name}, {figure}", place=place, value=_known(part[column]))
    for _, cause in causes.iterrows():
        for figure, column in (("delta", "total"), ("lost", "broken"), ("won", "fixed")):
            yield Shown(subject=subject, figure=f"{cause['cause']}, {figure}", place=place, value=_known(cause[column]))
    changed = compared.to_pandas(by="answer")["difference"].dropna()
    yield Shown(subject=subject, figure="regressed", place=place, value=int((changed < -1e-9).sum()))
    yield Shown(subject=subject, figure="improved", place=place, value=int((changed > 1e-9).sum()))


def _compare_text(subject: str, text: str) -> Iterator[Shown]:
    text, place = _signs(text), "compare"
    found = re.search(
        rf"faithfulness +[\d.]+ -> [\d.]+, {_NUMBER}(?: \(95% {_NUMBER} to {_NUMBER}\)|, not tested)", text
    )
    figures = ("delta",) if "not tested because" in text else ("delta", "low", "high")
    for at, figure in enumerate(figures, start=1):
        yield _printed(subject, figure, place, found[at] if found else None)
    yield _read(subject, "pairs", place, text, rf"pairs +{_NUMBER}:")
    for figure, word in (("regressed", "worse"), ("improved", "better"), ("unchanged", "unchanged")):
        yield _read(subject, figure, place, text, rf"{_NUMBER} {word}")
    table = text.partition("adjusted p ")[2].partition(" Causes ")[0]
    number = r"([-+]?[\d.,]+)"
    row = rf"(\S.*?) +{number} +[\d.]+ +[\d.]+ +{number} +{number} +(<? ?[\d.]+)(?= |$)"
    for name, rows, delta, points, adjusted in re.findall(row, table):
        yield _printed(subject, f"{name}, n", place, rows)
        yield _printed(subject, f"{name}, delta", place, delta)
        yield _printed(subject, f"{name}, contribution", place, points)
        if "<" not in adjusted:
            yield _printed(subject, f"{name}, adjusted p", place, adjusted)


def _compare_report(subject: str, text: str) -> Iterator[Shown]:
    text, place = _signs(text), "report of two"
    tested = rf"(?:95% {_NUMBER} to {_NUMBER}, p \S+ )?"
    found = re.search(rf"[\d.]+ → [\d.]+ ?, {_NUMBER} \( ?{tested}n {_NUMBER} pairs", text)
    for at, figure in enumerate(("delta", "low", "high", "pairs"), start=1):
        if found is None or found[at] is not None:
            yield _printed(subject, figure, place, found[at] if found else None)
    yield _read(subject, "regressed", place, text, rf"{_NUMBER} worse")
    yield _read(subject, "improved", place, text, rf"{_NUMBER} better")
    yield _read(subject, "faithful lost", place, text, rf"Faithful answers: {_NUMBER} no longer")
    yield _read(subject, "faithful gained", place, text, rf"Faithful answers: \d+ no longer, {_NUMBER} newly")


def _compare_page(subject: str, text: str) -> Iterator[Shown]:
    text, place = _signs(text), "Changes"
    yield from _compare_finding(subject, place, text)
    chart = text.partition("Each segment's difference with its 95% interval.")[2]
    for name, delta, adjusted, points in re.findall(
        rf"(?:^ |; )([^;:]+): {_NUMBER}, adjusted p (<? ?[\d.]+), adds {_NUMBER}", chart
    ):
        yield _printed(subject, f"{name}, delta", place, delta)
        yield _printed(subject, f"{name}, contribution", place, points)
        if "<" not in adjusted:
            yield _printed(subject, f"{name}, adjusted p", place, adjusted)


def _compare_finding(subject: str, place: str, text: str) -> Iterator[Shown]:
    if "No finding:" in text:
        yield _read(subject, "pairs", place, text, rf"No finding: .*?\(n {_NUMBER} pairs\)")
    else:
        yield from _tested_finding(subject, place, text)
    yield _read(subject, "regressed", place, text, rf"{_NUMBER} worse")
    yield _read(subject, "improved", place, text, rf"{_NUMBER} better")
    yield _read(subject, "unchanged", place, text, rf"{_NUMBER} unchanged")
    yield _read(subject, "faithful lost", place, text, rf"Faithful: {_NUMBER} no longer")
    yield _read(subject, "faithful gained", place, text, rf"Faithful: \d+ no longer · {_NUMBER} newly")


def _tested_finding(subject: str, place: str, text: str) -> Iterator[Shown]:
    found = re.search(rf"\b(fell|rose) by {_NUMBER} \({_NUMBER}–{_NUMBER}, p (<? ?[\d.]+), n {_NUMBER} pairs", text)
    sign = "-" if found and found[1] == "fell" else ""
    yield _printed(subject, "delta", place, f"{sign}{found[2]}" if found else None)
    yield _printed(subject, "low" if not sign else "high", place, f"{sign}{found[3]}" if found else None)
    yield _printed(subject, "high" if not sign else "low", place, f"{sign}{found[4]}" if found else None)
    if not found or "<" not in found[5]:
        yield _printed(subject, "p", place, found[5] if found else None)
    yield _printed(subject, "pairs", place, found[6] if found else None)


_NO_QUOTES = str.maketrans("", "", "“”")


def _slice_text(subject: str, place: str, text: str, first: Mapping[str, Any]) -> Iterator[Shown]:
    plain = text.translate(_NO_QUOTES).lower()
    at = max(plain.find(str(first["slice"]).translate(_NO_QUOTES).lower()), 0)
    part = plain[at : at + 400]
    found = re.search(rf"(-\d\.\d+)[ ,(]+{_NUMBER} to {_NUMBER}", part)
    yield _printed(subject, "lowest slice, difference", place, found[1] if found else None)


def _measure(subject: str, place: str, text: str, before: str, *, with_n: bool = True) -> Iterator[Shown]:
    """Yield the parts of "0.85 (0.81–0.88, n 400)" behind a pattern."""
    found = re.search(rf"{before}{_NUMBER} \({_NUMBER}–{_NUMBER}(?:, n {_NUMBER})?\)", text)
    for at, figure in enumerate(("faithfulness", "low", "high", "n")[: 4 if with_n else 3], start=1):
        yield _printed(subject, figure, place, found[at] if found else None)


def _read(subject: str, figure: str, place: str, text: str, pattern: str) -> Shown:
    found = re.search(pattern, text)
    return _printed(subject, figure, place, found[1] if found else None)


def _printed(subject: str, figure: str, place: str, words: str | None) -> Shown:
    if words is None:
        return Shown(subject=subject, figure=figure, place=place, value=None)
    number = words.replace(",", "").strip()
    decimals = len(number.partition(".")[2]) if "." in number else 0
    return Shown(subject=subject, figure=figure, place=place, value=float(number), decimals=decimals)


def _signs(text: str) -> str:
    return text.replace("−", "-")


def _mean(values: Iterable[float]) -> float | None:
    known = list(values)
    return math.fsum(known) / len(known) if known else None


def _known(value: Any) -> float | None:
    return None if value is None or pd.isna(value) else float(value)
