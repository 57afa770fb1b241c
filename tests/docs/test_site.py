"""The documentation as a site: it is built without a warning and without a network, and shows what it should."""

import re
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
import typer

import faithview
from faithview.cli.main import app
from tests.docs.pages import DOCS, ROOT
from tests.docs.screenshots import LARGEST, SHOTS, THEMES

# Sphinx, and no name that is looked up and no connection to another machine: the build must not fetch anything.
_BUILD = """
import runpy, socket, sys
def refuse(*args, **kwargs):
    raise OSError("the documentation is built without a network")
socket.getaddrinfo = socket.create_connection = refuse
runpy.run_module("sphinx", run_name="__main__")
"""
_FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "site"
    options = ["--fail-on-warning", "--keep-going", "--quiet"]
    command = [sys.executable, "-c", _BUILD, *options, "--doctree-dir", str(folder.parent / "trees"), str(DOCS)]
    done = subprocess.run([*command, str(folder)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


class _Fetched(HTMLParser):
    """Collects what a browser fetches for a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value for name, value in attrs if name == _FETCHED.get(tag) and value]


@pytest.mark.slow
def test_no_page_fetches_anything_from_another_machine(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) >= 25
    for page in pages:
        reader = _Fetched()
        reader.feed(page.read_text(encoding="utf-8"))
        assert [address for address in reader.addresses if re.match(r"(https?:)?//", address)] == [], page.name
    styles = [path for path in site.rglob("*.css") if re.search(r"url\(['\"]?(https?:)?//", path.read_text("utf-8"))]
    assert styles == []


@pytest.mark.slow
def test_the_site_holds_every_page_every_command_and_every_public_name(site: Path) -> None:
    assert [page.stem for page in DOCS.glob("*.md") if not (site / f"{page.stem}.html").exists()] == []
    commands = (site / "commands.html").read_text(encoding="utf-8")
    root = typer.main.get_command(app)
    assert isinstance(root, typer.core.TyperGroup)
    assert [name for name in root.commands if f'id="faithview-{name}"' not in commands] == []
    text = unescape(re.sub(r"<[^>]+>", "", commands))
    for part in ("--fail-on-regression", "\nGates\n", "faithview evaluate answers.jsonl --name monday"):
        assert part in text
    reference = (site / "api.html").read_text(encoding="utf-8")
    names = [name for name in faithview.__all__ if name != "__version__"]
    assert [name for name in names if f'id="faithview.{name}"' not in reference] == []


@pytest.mark.slow
@pytest.mark.parametrize(("page", "source"), [("changelog", "CHANGELOG.md"), ("contributing", "CONTRIBUTING.md")])
def test_a_file_from_elsewhere_is_a_page_of_the_site_and_a_link_on_github(site: Path, page: str, source: str) -> None:
    of_github = (DOCS / f"{page}.md").read_text(encoding="utf-8").partition("\n<!--")[0]
    assert f"[{source}](../{source})" in of_github
    html = (site / f"{page}.html").read_text(encoding="utf-8")
    assert of_github.partition(" [")[0] not in html
    headings = re.findall(r"^## (\w+)", (ROOT / source).read_text(encoding="utf-8"), re.MULTILINE)
    assert headings
    assert [word for word in headings if word not in html] == []


@pytest.mark.slow
def test_formulas_are_drawn_by_the_browser_itself(site: Path) -> None:
    page = (site / "statistics.html").read_text(encoding="utf-8")
    assert page.count("<math ") >= 30
    assert "$$" not in page
    assert "MathJax" not in page


_PICTURES = sorted((DOCS / "images").glob("*.png"))


@pytest.mark.slow
def test_every_picture_is_shown_in_the_theme_that_it_was_taken_in(site: Path) -> None:
    pages = "\n".join(page.read_text(encoding="utf-8") for page in site.glob("*.html"))
    shown = [re.findall(rf'<img [^>]*class="only-{theme}"[^>]*images/([^"]*)"', pages) for theme in THEMES]
    assert [sorted(set(names)) for names in shown] == [
        [picture.name for picture in _PICTURES if picture.stem.endswith(theme)] for theme in THEMES
    ]


def test_pictures_are_small_and_there_is_one_for_each_theme() -> None:
    assert len(_PICTURES) >= 8
    assert [picture.name for picture in _PICTURES if picture.stat().st_size > LARGEST] == []
    names = {picture.stem.rpartition("-")[0] for picture in _PICTURES}
    assert {picture.stem for picture in _PICTURES} == {f"{name}-{theme}" for name in names for theme in THEMES}
    assert names == set(SHOTS)
