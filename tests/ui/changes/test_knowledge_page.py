"""The knowledge base page: which documents changed, and the way from one to its claims."""

from datetime import timedelta
from urllib.parse import parse_qs

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from faithview.services.container import Store
from faithview.services.events import add_event
from faithview.services.knowledge.versions import save_knowledge_base
from faithview.ui import navigation
from tests.factories import NOW, C, S, make_chunks, make_claim, make_row, store_rows
from tests.ui.conftest import OpenPage, words_of

pytestmark = pytest.mark.process  # takes long

OLD = "Nine. <script>alert(1)</script> **b** $x$ opens the office."
NEW = "Ten. <script>alert(1)</script> **b** $x$ opens the office."
POOL = "# The pool is heated from May to September."


def _store(services: Store, *, is_stored: bool = True) -> None:
    if is_stored:
        for version, texts in (("v1", {"hours": OLD}), ("v2", {"hours": NEW, "pool": POOL})):
            save_knowledge_base(services, version, make_chunks(texts))
    store_rows(services, "old", [make_row({"hours": OLD}, make_claim("At 9.", S, "hours"), key="a")], kb_version="v1")
    both = {"hours": NEW, "pool": POOL}
    row = make_row(both, make_claim("At 9.", C, "hours"), make_claim("Heated all year.", C, "pool"), key="a")
    store_rows(services, "new", [row], week=1, kb_version="v2")
    add_event(services, "Hours *changed*", at=NOW + timedelta(days=2), kb_version="v2")


def _claims(app: AppTest) -> pd.DataFrame:
    """The table of the claims of the document that is open."""
    return next(one.value for one in app.dataframe if "outcome" in one.value)


def test_the_id_of_an_added_chunk_is_shown_as_it_is(services: Store, open_page: OpenPage) -> None:
    for version, texts in (("v1", {"hours": OLD}), ("v2", {"hours": OLD, "kb-054-1": POOL})):
        save_knowledge_base(services, version, make_chunks(texts))
    row = make_row({"hours": OLD}, make_claim("At 9.", S, "hours"), key="a")
    store_rows(services, "old", [row], kb_version="v1")
    both = make_row({"hours": OLD, "kb-054-1": POOL}, make_claim("Heated all year.", C, "kb-054-1"), key="a")
    store_rows(services, "new", [both], week=1, kb_version="v2")
    text = words_of(open_page(navigation.CHANGES, tab="documents"))
    assert "`kb-054-1` :small[:gray[added]]" in text


def test_without_runs_the_page_says_what_it_needs(open_page: OpenPage) -> None:
    text = words_of(open_page(navigation.CHANGES, tab="documents"))
    assert "two runs over the same questions" in text
    assert "which documents changed between them" in text


def test_the_page_opens_on_the_newest_update_and_the_document_that_broke_most(
    services: Store, open_page: OpenPage
) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, tab="documents")
    text = words_of(app)
    assert [one.value for one in app.title] == ["Changes"]
    assert "v1 → v2: **1 document added, 1 edited, none removed**; 0 unchanged." in text
    assert "2 of 2 broken claims are based on a changed document." in text
    assert "Claims are counted on the 1 answer with a score in both runs." in text
    table = app.dataframe[0].value
    assert table["document"].tolist() == ["pool", "hours"]
    assert table["change"].tolist() == ["+ added", "± edited"]
    assert table["broke"].tolist() == [1, 1]
    assert POOL in [one.value for one in app.text]  # as text, never as Markdown
    assert _claims(app)["claim"].tolist() == ["Heated all year."]


def test_a_document_in_the_address_opens_with_its_words_and_claims(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, tab="documents", document="hours")
    (row,) = _claims(app).to_dict("records")
    assert (row["outcome"], row["before"], row["now"]) == ("Broke", "✓ supported", "✕ contradicted")
    (diff,) = [one.proto.body for one in app.get("html") if 'class="fv-text"' in one.proto.body]
    assert "<del>Nine</del><ins>Ten</ins>. &lt;script&gt;alert(1)&lt;/script&gt; **b** $x$" in diff
    assert all("<script>" not in one.value for one in app.markdown)


def test_without_stored_versions_the_page_says_what_is_missing(services: Store, open_page: OpenPage) -> None:
    _store(services, is_stored=False)
    app = open_page(navigation.CHANGES, tab="documents")
    assert "Documents that no question retrieved are missing." in words_of(app)
    assert app.dataframe[0].value["change"].tolist() == ["+ retrieved now only", "± edited"]


def test_compare_and_trends_lead_to_the_documents(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, baseline="old", candidate="new")
    assert "1 document added, 1 edited" in words_of(app)
    app.button(key="compare.documents").click().run()
    assert [one.value for one in app.title] == ["Changes"]
    app = open_page(navigation.TRENDS)
    (link,) = [one.proto for one in app.main.get("page_link") if one.proto.label == "What it changed"]
    assert parse_qs(link.query_string)["tab"] == ["documents"]


def test_two_runs_that_cannot_be_compared_are_explained(services: Store, open_page: OpenPage) -> None:
    _store(services)
    store_rows(services, "other", [make_row({"x": OLD}, make_claim("Else.", S, "x"), key="z", question="Else?")])
    app = open_page(navigation.CHANGES, tab="documents", baseline="old", candidate="other")
    assert "have no ids or questions in common" in words_of(app)
    assert "gone" in words_of(open_page(navigation.CHANGES, tab="documents", baseline="gone", candidate="new"))
