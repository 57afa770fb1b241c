"""Reports: one file that loads nothing, shows texts as data, and says what it leaves out."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from faithview import Chunk
from faithview.domain.answer import AnswerFilter
from faithview.domain.certainty import UNSTATED
from faithview.domain.claim import Evidence, HallucinationType, Severity
from faithview.domain.comparison import Cause
from faithview.domain.errors import InvalidInput
from faithview.domain.result import State
from faithview.domain.run import JudgeSpec
from faithview.domain.spans import Span
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store
from faithview.services.judge_catalogue import caution_about
from faithview.services.knowledge.versions import save_knowledge_base
from faithview.services.reports import ReportFormat
from faithview.services.reports.comparison_report import report_comparison
from faithview.services.reports.rendering import mark_claims, mark_quotes, write_report
from faithview.services.reports.run_report import ReportScope, report_run
from faithview.services.review import labels
from faithview.services.review.labels import LabelProvenance
from faithview.ui.changes.finding import compare_finding
from faithview.wording.causes import why_words
from tests.factories import C, N, S, make_claim, make_result, make_row, say, store_rows

HOSTILE = "<script>document.title='owned'</script> {{ 7 * 7 }} & $x$ ‮rtl‬ <b>bold</b>"


@pytest.fixture
def stored(services: Store) -> Store:
    old = make_row(
        {"k<1>": f"Nine. {HOSTILE}"}, make_claim(f"It opens at 9. {HOSTILE}", S, "k<1>"), question=HOSTILE, key="a"
    )
    new = make_row(
        {"k<1>": f"Ten. {HOSTILE}"}, make_claim(f"It opens at 9. {HOSTILE}", C, "k<1>"), question=HOSTILE, key="a"
    )
    same = make_row({"p": "Parking is free."}, make_claim("Parking is free.", S, "p"), question="Free?", key="b")
    store_rows(services, "old", [old, same])
    store_rows(services, "new", [new, same], week=1)
    return services


def _loads_nothing(html: str) -> bool:
    markup = re.sub(r">[^<]*<", "><", html)
    return not re.search(r"<(script|link|iframe|img|object|embed)\b|\b(src|href)=|url\(|@import", markup)


@pytest.mark.parametrize("kind", ["run", "comparison"])
def test_report_loads_nothing_and_shows_texts_as_they_are(stored: Store, kind: str) -> None:
    html = report_run(stored, "new") if kind == "run" else report_comparison(stored, "old", "new")
    assert _loads_nothing(html)
    assert "default-src &#39;none&#39;" in html or "default-src 'none'" in html
    assert "&lt;script&gt;document.title=" in html
    assert "{{ 7 * 7 }}" in html


@pytest.mark.parametrize("kind", ["run", "comparison"])
def test_markdown_says_the_same_and_shows_texts_as_they_are(stored: Store, kind: str) -> None:
    markdown = ReportFormat.MARKDOWN
    text = (
        report_run(stored, "new", file_format=markdown)
        if kind == "run"
        else report_comparison(stored, "old", "new", file_format=markdown)
    )
    assert text.startswith("# new\n\n" if kind == "run" else "# old → new\n\n")
    assert r"\<script\>document.title='owned'\</script\> \{\{ 7 \* 7 \}\} \& \$x\$" in text
    assert not re.search(r"(?<!\\)<", re.sub("`[^`]+`", "", text))
    assert re.search(
        r"\| \*\*✕ contradicted\*\* \| 1 \| 50% \|" if kind == "run" else r"~~Nine\.?~~ ?\*\*Ten\.?\*\*", text
    )
    assert ("\n\n1 **✕ contradicted** It opens at 9" if kind == "run" else "## Answers that got worse: 1\n") in text


def test_markdown_takes_no_text_for_a_list_a_heading_or_a_table(services: Store) -> None:
    claim = make_claim("1. May", N, spans=(Span(start=0, end=6),), explanation="- 5 | 6\n# x")
    row = make_row({"k": "x"}, claim, question="a|b\n# c", key="k|1")
    sample, result = replace(row[0], answer="1. May\n# b\n---\n- 5\na|b"), row[1]
    store_rows(
        services, "r", [(replace(sample, segment="1. a|b"), result), (replace(sample, key="2", segment="x"), result)]
    )
    text = report_run(services, "r", file_format=ReportFormat.MARKDOWN)
    assert "> **1. May**" in text
    assert "  \n> \\# b  \n> \\---  \n> \\- 5  \n> a\\|b\n" in text
    assert "### a\\|b \\# c\n" in text
    assert "\n\\- 5 \\| 6 \\# x\n" in text
    assert "\n| 1. a\\|b | 1 |" in text


def test_comparison_shows_both_sides_of_every_claim_that_broke_and_its_cause(stored: Store) -> None:
    html = report_comparison(stored, "old", "new")
    assert "Document edited: broke" in html
    assert re.search(r"<del>Nine\.? ?</del>\s*<ins>Ten\.? ?</ins>", html)
    assert "✓ supported" in html
    assert "✕ contradicted" in html
    assert "Answers that got worse: 1" in html
    assert "n 2 pairs" in html


@pytest.mark.parametrize("kind", ["run", "comparison"])
def test_texts_can_be_left_out(stored: Store, kind: str) -> None:
    html = (
        report_run(stored, "new", with_texts=False)
        if kind == "run"
        else report_comparison(stored, "old", "new", with_texts=False)
    )
    assert "owned" not in html
    assert "opens at 9" not in html
    assert "This report was made without texts." in html


def test_report_says_how_many_answers_it_does_not_show(services: Store) -> None:
    chunks = {"k": "The office opens at 9 am."}
    rows = [
        make_row(chunks, make_claim(f"Claim {at}.", S, "k"), question=f"Question {at}?", key=f"{at}a")
        for at in range(3)
    ]
    worse = [
        make_row(chunks, make_claim(f"Claim {at}.", N), question=f"Question {at}?", key=f"{at}a") for at in range(3)
    ]
    store_rows(services, "old", rows)
    store_rows(services, "new", worse, week=1)
    assert "2 more answers got worse" in report_comparison(services, "old", "new", limit=1)


def test_report_keeps_the_filter_in_view_and_leads_back_to_it(services: Store) -> None:
    chunks = {"k": "The office opens at 9 am."}
    rows = [make_row(chunks, make_claim(f"Claim {name}.", N), question=f"Question {name}?", key=name) for name in "abc"]
    store_rows(services, "r", rows)
    link = "http://host/inspect?q=b&x=1"
    scope = ReportScope(filters=AnswerFilter(search="Question b"), words="“Question b” <i>", link=link)
    html = report_run(services, "r", scope=scope)
    assert "Question b?" in html
    assert "Question a?" not in html
    assert "Answers with: “Question b” &lt;i&gt;. The figures above are of the whole run." in html
    assert '<a href="http://host/inspect?q=b&amp;x=1">' in html
    assert "n 3" in html
    nothing = ReportScope(filters=AnswerFilter(search="Question d"), words="“Question d”", link="javascript:alert(1)")
    html = report_run(services, "r", scope=nothing)
    assert "Every judged answer that matches these filters is fully supported." in html
    assert "javascript:" not in html


def test_a_report_on_a_run_shows_the_reviewers_verdicts(stored: Store) -> None:
    say(stored, "new", 1, 1, "supported")
    assert "Every judged answer is fully supported." in report_run(stored, "new")
    assert "Answers that got worse: 1" in report_comparison(stored, "old", "new")  # always by the judge


def test_a_claim_that_people_found_is_in_the_report_on_a_run(services: Store) -> None:
    store_rows(services, "r", [make_row({"k": "It opens at 10."}, question="When?", key="a")])
    found = LabelProvenance(reviewer="ann")
    labels.label_missed_quote(services, "r", 1, "Nothing.", verdict="contradicted", provenance=found)
    html = report_run(services, "r")
    assert re.search(r"✕ contradicted</span> Nothing\.</p>\s*<p[^>]*>added by a reviewer", html)


def test_report_on_a_run_of_the_default_judge_says_what_to_check_and_how_often_the_judge_is_wrong(
    services: Store,
) -> None:
    near = make_claim("It is near.", S, "k", answer="It is near. It is far.", confidence=0.7)
    wrong = make_claim("It is far.", N, answer="It is near. It is far.", confidence=0.9)
    sample, result = make_row({"k": "Near."}, near, wrong, key="a")
    store_rows(services, "r1", [(sample, result)], judge=JudgeSpec())
    html = report_run(services, "r1")
    assert caution_about(JudgeSpec()) in html
    assert re.search(r'<span class="verdict check_this">\? check this</span>\s+It is near\.', html)
    assert '<mark class="check_this">It is near.</mark>' in html
    assert "**? check this** It is near" in report_run(services, "r1", file_format=ReportFormat.MARKDOWN)
    say(services, "r1", 1, 1, "supported")
    assert "? check this" not in report_run(services, "r1")


def test_report_names_the_cause_that_the_page_names_and_no_claim_breaks_of_a_shorter_answer(services: Store) -> None:
    chunks, other = {"k": "The office opens at 9 am."}, {"o": "Parking is free."}
    before, after = [], []
    for at in range(22):
        question, key = f"Question {at}?", f"{at}a"
        claims = [make_claim(f"Claim {at} of {n}.", N if n else S, "k") for n in range(3)]
        before.append(make_row(chunks, *claims, question=question, key=key))
        lost = [replace(claim, verdict=N, supporting_chunk_ids=()) for claim in claims]
        kept = [claims[1]] if at < 20 else lost
        after.append(make_row(chunks if at < 20 else other, *kept, question=question, key=key))
    store_rows(services, "old", before)
    store_rows(services, "new", after, week=1)
    html, found = report_comparison(services, "old", "new"), compare_runs(services, "old", "new")
    why = why_words(found.causes, is_won=False)
    assert {share.cause for share in found.causes} >= {Cause.OTHER, Cause.NOT_RETRIEVED}
    assert why in html
    assert why in compare_finding(found)
    assert "because the answer has fewer claims" not in html


@pytest.mark.browser
def test_report_opens_from_disk_with_the_network_off(stored: Store, tmp_path: Path, browser: Any) -> None:
    from tests import browser as browsers

    path = tmp_path / "report.html"
    write_report(report_comparison(stored, "old", "new"), path)
    with browsers.new_context(browser) as context:
        context.set_offline(True)
        page = context.new_page()
        errors = browsers.collect_errors(page)
        page.goto(path.as_uri())
        assert page.title() == "old → new · FaithView"
        assert page.get_by_text(HOSTILE, exact=False).count() >= 2
        # The document is no wider than the window.
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert errors == []


def test_report_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be written"):
        write_report("x", tmp_path / "missing" / "report.html")


@pytest.mark.parametrize("destination", [".", "/", ""])
def test_report_written_to_a_folder_asks_for_a_file(destination: str, tmp_path: Path) -> None:
    for folder in (Path(destination), tmp_path):
        with pytest.raises(InvalidInput, match="is a folder; name a file in it"):
            write_report("x", folder)
    assert list(tmp_path.iterdir()) == []


def test_pieces_of_an_answer_carry_the_gravest_verdict_on_them() -> None:
    _, result = make_row({"k": "x"}, make_claim("a", S, "k"), make_claim("b", C, "k"))
    first = replace(result.claims[0], spans=(Span(start=0, end=6),))
    second = replace(result.claims[1], spans=(Span(start=3, end=9),))
    pieces = mark_claims("abcdefghij", [first, second], [S, C], [UNSTATED] * 2)
    assert [(piece.text, piece.mark, piece.numbers) for piece in pieces] == [
        ("abc", "supported", ()),
        ("def", "contradicted", (1,)),
        ("ghi", "contradicted", (2,)),
        ("j", "", ()),
    ]
    assert "".join(piece.text for piece in pieces) == "abcdefghij"


def test_chunk_is_cut_to_what_stands_around_its_quotes() -> None:
    pieces = mark_quotes("a" * 500 + "QUOTE" + "b" * 500, [(500, 505)], around=10)
    assert [piece.text for piece in pieces] == ["… ", "a" * 10, "QUOTE", "b" * 10, " …"]
    assert pieces[2].mark == "quote"


def test_comparison_says_what_changed_in_the_knowledge_base(services: Store) -> None:
    for version, text in (("v1", f"Nine. {HOSTILE}"), ("v2", f"Ten. {HOSTILE}")):
        verdict = S if version == "v1" else C
        row = make_row({"k<1>": text}, make_claim(f"It opens at 9. {HOSTILE}", verdict, "k<1>"), key="a")
        store_rows(services, version, [row], week=int(version[1]), kb_version=version)
    seen = report_comparison(services, "v1", "v2")
    assert "Documents that no question retrieved are missing." in seen
    for version, text in (("v1", f"Nine. {HOSTILE}"), ("v2", f"Ten. {HOSTILE}")):
        save_knowledge_base(services, version, [Chunk(text=text, chunk_id="k<1>"), Chunk(text="Same.", chunk_id="s")])
    html = report_comparison(services, "v1", "v2")
    assert "1 document edited, none added, none removed; 1 unchanged." in html
    assert "The only broken claim is based on a changed document." in html
    assert "<del>Nine" in html
    assert "<ins>Ten" in html
    assert "k&lt;1&gt;" in html
    assert _loads_nothing(html)
    without = report_comparison(services, "v1", "v2", with_texts=False)
    assert "What changed in the knowledge base" in without
    assert "Nine" not in without


def test_runs_over_one_version_have_no_part_on_the_knowledge_base(stored: Store) -> None:
    assert "What changed in the knowledge base" not in report_comparison(stored, "old", "new")


def test_words_that_stand_nowhere_are_shown_as_such_and_no_chunks_beginning_in_their_place(services: Store) -> None:
    text = f"The office opens at nine on weekdays. {HOSTILE}"
    invented = Evidence(chunk_id="k", quote=f"opens at eight {HOSTILE}", span=None)
    wrong = replace(
        make_claim("It opens at 8.", C, "k"),
        evidence=(invented,),
        correction="The office opens at nine on weekdays.",
        severity=Severity.HIGH,
        hallucination_type=HallucinationType.CONTRADICTION,
    )
    unquoted = make_claim("It has a lift.", N, "p")
    sample, result = make_row({"k": text, "p": "Parking is free."}, wrong, unquoted, key="a")
    suggested = replace(result, suggestions=(f"Say nine. {HOSTILE}",))
    store_rows(services, "r", [(sample, suggested)])
    html = report_run(services, "r")
    shown = html.split("<section", 1)[1]
    assert "The judge quotes words that are not in this chunk: “opens at eight &lt;script&gt;" in shown
    assert "Contradiction, high severity." in shown
    assert "Chunk k says: The office opens at nine on weekdays." in shown
    assert shown.count("The office opens at nine") == 1  # in the correction and not as evidence
    assert "Parking is free" not in shown
    assert "named by the judge, without a quote" in shown
    assert shown.count("Its words were not found in the answer.") == 2
    assert "The judge's remark on the whole answer: Say nine. &lt;script&gt;" in shown
    assert _loads_nothing(html)


def test_report_counts_errors_and_repairs_without_texts_only_in_figures(services: Store) -> None:
    sample, result = make_row({"k": "Nine."}, make_claim("It opens at 9.", N, "k"), key="a")
    unquoted = "The verdict on 1 claim needs a quote and has none that is in a chunk."
    warnings = ("Repaired: text around the JSON object was removed.", unquoted, f"No relevance figures: {HOSTILE}")
    repaired = replace(result, warnings=warnings)
    failed = make_result(state=State.FAILED, error=f"Status 401 {HOSTILE}")
    rows = [(sample, repaired), (replace(sample, key="b"), failed), (replace(sample, key="c"), failed)]
    store_rows(services, "r", rows)
    html = report_run(services, "r")
    assert "2 of 3 answers could not be judged." in html
    assert "2 answers: Status 401 &lt;script&gt;" in html
    assert "replies were repaired in 1 answer: text around the JSON object was removed (1)." in html
    assert "In 1 answer, the verdict on 1 claim needs a quote and has none that is in a chunk." in html
    assert "No relevance figures: &lt;script&gt;" in html
    figures = report_run(services, "r", with_texts=False)
    assert "2 of 3 answers could not be judged." in figures
    assert "In 1 answer, the verdict on 1 claim needs a quote" in figures
    assert "No relevance figures" not in figures
    assert "Status 401" not in figures
