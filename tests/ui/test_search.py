"""What the search lists, where each hit leads, and the help menu in the sidebar."""

from functools import partial

from faithview.services.container import Store
from faithview.services.find_anywhere import Hit, HitKind
from faithview.ui import help_menu, navigation
from faithview.ui.search import build_hits
from tests.ui.conftest import OpenPage, words_of


def test_each_hit_leads_to_its_place() -> None:
    hit = partial(Hit, run_id="r1", text="Trays", note="week")
    hits = [
        hit(kind=HitKind.RUN),
        hit(kind=HitKind.CHUNK, key="kb-1"),
        hit(kind=HitKind.ANSWER, key="t1"),
        hit(kind=HitKind.CLAIM, key="t1", claim_number=2),
    ]
    assert [(hit["group"], hit["parameters"]) for hit in build_hits(hits)] == [
        ("Runs", {"run": "r1"}),
        ("Chunks", {"run": "r1", "chunk": "kb-1"}),
        ("Answers", {"run": "r1", "row": "t1"}),
        ("From the page Claims", {"run": "r1", "row": "t1", "claim": "2"}),
    ]


def test_help_is_on_every_page_and_explains_ten_words(services: Store, open_page: OpenPage) -> None:
    for page in navigation.ADDRESSES:
        app = open_page(page)
        assert {"help_search", "help_keys", "help.news"} <= {button.key for button in app.button}, page
        assert "**Claim**: a statement in an answer that is either true or not" in words_of(app), page
    assert len(help_menu.glossary()) == 10


def test_what_is_new_is_the_newest_part_of_the_changelog(services: Store, open_page: OpenPage) -> None:
    news = help_menu.newest_changes()
    assert news.startswith("#### ")
    assert "\n## " not in news
    app = open_page(navigation.TRENDS)
    app.button(key="help.news").click().run()
    assert news.partition("\n")[0] in words_of(app)
