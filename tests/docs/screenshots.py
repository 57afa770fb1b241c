"""Take the documentation's pictures of the dashboard: `make screenshots`.

The bundled sample is judged into a store of its own, which is kept in build/ for the next time. Each picture is reduced
to 256 colours, so that it stays below 150 KB.
"""

import io
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from PIL import Image
from playwright.sync_api import expect

from faithview.services.container import Store
from faithview.services.demo import load_sample, sample_weeks
from faithview.services.knowledge.preflight import begin_preflight, plan_preflight
from faithview.services.knowledge.versions import load_version
from faithview.services.runs.create import judge_here
from faithview.store import spot_checks
from tests import browser, dashboard
from tests.docs.pages import DOCS, ROOT
from tests.factories import draw_check, open_services
from tests.ui.browser.screen import Screen

IMAGES = DOCS / "images"
LARGEST = 150_000  # bytes
THEMES = ("light", "dark")
_STORE = ROOT / "build" / "sample.db"
_COLOURS = 256
_SPOT_CHECK = "Newest week"
_PREFLIGHT = "December's articles"
# What changes in the articles of December, which are not a part of the sample.
_EDITS = {"€9 per seat": "€12 per seat", "€19 per seat": "€24 per seat", "14 days": "7 days", "25 conv": "50 conv"}


def _overview(screen: Screen, weeks: Mapping[str, str]) -> None:
    screen.open("/")


def _inspect(screen: Screen, weeks: Mapping[str, str]) -> None:
    screen.open("/answers", run=weeks["2026-w43"], verdict="contradicted")


def _compare(screen: Screen, weeks: Mapping[str, str]) -> None:
    screen.open("/changes", baseline=weeks["2026-w42"], candidate=weeks["2026-w43"])


def _before_an_update(screen: Screen, weeks: Mapping[str, str]) -> None:
    baseline, _, candidate = weeks[_PREFLIGHT].partition(" ")
    screen.open("/changes", baseline=baseline, candidate=candidate)


def _trends(screen: Screen, weeks: Mapping[str, str]) -> None:
    screen.open("/trends")


def _queue(screen: Screen, weeks: Mapping[str, str]) -> None:
    screen.page.context.add_cookies([{"name": "faithview_reviewer", "value": "Ada", "url": screen.url}])
    screen.open("/review", check=weeks[_SPOT_CHECK])
    expect(screen.claim(1)).to_be_visible()


def _claims(screen: Screen, weeks: Mapping[str, str]) -> None:
    screen.open("/claims")


def _weak_spots(screen: Screen, weeks: Mapping[str, str]) -> None:
    screen.open("/weak-spots", run=weeks["2026-w43"])


def _judges(screen: Screen, weeks: Mapping[str, str]) -> None:
    screen.open("/judges")


def _try(screen: Screen, weeks: Mapping[str, str]) -> None:
    screen.open("/try")
    screen.page.get_by_label("Question").fill("How long can I return an item?")
    screen.page.get_by_role("textbox", name="Answer", exact=True).fill(
        "Items can be returned within 60 days. Refunds are paid within 14 days."
    )
    screen.page.get_by_role("textbox", name="Chunks", exact=True).fill(
        "Items can be returned within 30 days of delivery.\n\nRefunds are paid within 14 days."
    )
    screen.press("Check the answer")
    screen.settle()
    expect(screen.claim(1)).to_be_visible()


def _upload(screen: Screen, weeks: Mapping[str, str]) -> None:
    screen.open("/upload")
    screen.upload("2026-w47.jsonl", (ROOT / "data" / "runs" / "2026-w46.jsonl").read_bytes())
    expect(screen.sheet()).to_be_attached()


def _settings(screen: Screen, weeks: Mapping[str, str]) -> None:
    screen.open("/settings", tab="audit")  # the first tab shows a path of this machine


# Each is opened in both themes.
SHOTS: Mapping[str, Callable[[Screen, Mapping[str, str]], None]] = {
    "overview": _overview,
    "inspect": _inspect,
    "compare": _compare,
    "before-an-update": _before_an_update,
    "trends": _trends,
    "queue": _queue,
    "claims": _claims,
    "weak-spots": _weak_spots,
    "judges": _judges,
    "try": _try,
    "upload": _upload,
    "settings": _settings,
}


def take(names: list[str]) -> None:
    """Take the pictures of these names, all where there are none."""
    IMAGES.mkdir(exist_ok=True)
    expect.set_options(timeout=120_000)  # what a loaded machine needs
    url = f"sqlite:///{_STORE}"
    _STORE.parent.mkdir(exist_ok=True)
    with open_services(url) as services:
        load_sample(services, on_step=print)
        weeks = {name: run.run_id for name, run in sample_weeks(services).items()}
        weeks[_PREFLIGHT] = _preflight(services, weeks["2026-w46"])
        weeks[_SPOT_CHECK] = str(_spot_check(services, weeks["2026-w46"]))
    server = dashboard.start_dashboard(url, log=_STORE.with_suffix(".log"))
    try:
        with browser.launch() as chromium:
            for theme in THEMES:
                with closing(browser.new_context(chromium, color_scheme=theme, moves=False)) as context:
                    _close_tour(Screen(page=context.new_page(), url=server.url, errors=[]))
                    for name in names or SHOTS:
                        screen = Screen(page=context.new_page(), url=server.url, errors=[])
                        SHOTS[name](screen, weeks)
                        _wait_until_drawn(screen)
                        # Texts are invisible while their font is on its way.
                        screen.page.evaluate("document.fonts.ready.then(() => true)")
                        _save(screen.page.screenshot(animations="disabled"), IMAGES / f"{name}-{theme}.png")
                        screen.page.close()
    finally:
        server.stop()


def _preflight(services: Store, run_id: str) -> str:
    """Return the ids of the two runs of a preflight of edited articles, judged unless an earlier start has."""
    new = [replace(chunk, text=_edit(chunk.text)) for chunk in load_version(services, "2026-11")]
    pair = begin_preflight(services, plan_preflight(services, run_id, new, new_version="2026-12"))
    if pair is None:
        raise SystemExit("The edited articles change no answer's chunks; edit others.")
    judge_here(services, pair[1])
    return f"{pair[0].run_id} {pair[1].run_id}"


def _edit(text: str) -> str:
    for old, new in _EDITS.items():
        text = text.replace(old, new)
    return text


def _spot_check(services: Store, run_id: str) -> int:
    """Return a blind spot-check of this run, drawn anew unless an earlier start has."""
    drawn = [check.spot_check_id for check in spot_checks.list_spot_checks(services.db) if check.name == _SPOT_CHECK]
    return drawn[0] if drawn else draw_check(services, run_id, size=50, name=_SPOT_CHECK, by="Ada")


def _close_tour(screen: Screen) -> None:
    """Close the sample's tour for the whole profile."""
    screen.open("/")
    screen.press("Close")
    screen.settle()
    expect(screen.page.get_by_text("Tour, 1 of 5")).to_have_count(0)
    screen.page.close()


def _wait_until_drawn(screen: Screen) -> None:
    """Wait until nothing on the page is a placeholder any more, and charts have their lines."""
    screen.settle()
    expect(screen.page.get_by_test_id("stSkeleton")).to_have_count(0)
    charts = screen.page.get_by_test_id("stPlotlyChart")
    for number in range(charts.count()):
        expect(charts.nth(number).locator(".main-svg").first).to_be_visible()


def _save(taken: bytes, path: Path) -> None:
    picture = Image.open(io.BytesIO(taken)).convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    picture.save(path, optimize=True)
    size = path.stat().st_size
    print(f"{path.relative_to(ROOT)}: {size / 1000:.0f} KB")
    if size > LARGEST:
        raise SystemExit(f"{path.name} has {size:,} bytes, more than the {LARGEST:,} that a picture may have.")


if __name__ == "__main__":
    take(sys.argv[1:])
