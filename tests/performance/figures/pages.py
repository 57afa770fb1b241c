"""What the dashboard's pages say: run from app.py without a browser, or in one."""

import functools
import logging
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from unittest import mock

import pandas as pd
import streamlit as st
from playwright.sync_api import Browser, expect
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from faithview.settings import DATABASE_VARIABLE
from faithview.ui import navigation
from tests.browser import collect_errors, launch, new_context
from tests.dashboard import ROOT, start_dashboard
from tests.ui.browser.screen import Screen

ADDRESSES: Mapping[str, str] = {
    navigation.OVERVIEW: "/",
    navigation.TRENDS: "/trends",
    navigation.CHANGES: "/changes",
    navigation.JUDGES: "/judges",
    navigation.ANSWERS: "/answers",
    navigation.WEAK_SPOTS: "/weak-spots",
    navigation.REVIEW: "/review",
}
_TEXTS = ("title", "header", "subheader", "markdown", "caption", "info", "warning", "error", "success", "text")
_TIMEOUT_S = 120


class Pages(Protocol):
    """The pages of a dashboard over one store."""

    def read(self, page: str, **parameters: str) -> str:
        """Return what a page says at an address, without markup and with single spaces."""


class RunPages:
    """Pages that run in this process, each once for an address: the store does not change meanwhile."""

    def __init__(self) -> None:
        self._read: dict[tuple[object, ...], str] = {}

    def read(self, page: str, **parameters: str) -> str:
        """Return what a page says at an address; raises RuntimeError where the page raises."""
        address = (page, *sorted(parameters.items()))
        if address not in self._read:
            self._read[address] = self._run(page, parameters)
        return self._read[address]

    def _run(self, page: str, parameters: Mapping[str, str]) -> str:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=_TIMEOUT_S)
        if Path(page).stem not in ("overview", navigation.ADDRESSES[page]):  # AppTest learns the address from a run
            app.run()
        for name, value in parameters.items():
            app.query_params[name] = value
        app.switch_page(page).run()
        if app.exception:
            raise RuntimeError(f"{page} at {parameters} raised: {app.exception[0].value}")
        return plain(" \n ".join(_said(app)))


class BrowserPages:
    """Pages that a browser shows."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self._url = url

    def read(self, page: str, **parameters: str) -> str:
        """Return what a page says at an address, once it is whole."""
        with new_context(self._browser) as context:
            opened = context.new_page()
            screen = Screen(page=opened, url=self._url, errors=collect_errors(opened))
            text = screen.open(ADDRESSES[page], **parameters).main().inner_text()
            if screen.troubles:
                raise RuntimeError(f"{page} at {parameters}: {screen.troubles}")
            return " ".join(text.split())


@contextmanager
def run_pages(store: Path) -> Iterator[RunPages]:
    """Give the pages over a store, run in this process."""
    search = functools.cache(manifest_scanner.scan_component_manifests)  # every AppTest searches all packages
    with (
        mock.patch.dict(os.environ, {DATABASE_VARIABLE: f"sqlite:///{store}"}),
        mock.patch.object(manifest_scanner, "scan_component_manifests", search),
    ):
        st.cache_resource.clear()
        logging.disable(logging.WARNING)  # Streamlit warns of pages that run without a server
        try:
            yield RunPages()
        finally:
            logging.disable(logging.NOTSET)
            st.cache_resource.clear()


@contextmanager
def browser_pages(store: Path) -> Iterator[BrowserPages]:
    """Give the same in Chromium, over `faithview ui` in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="faithview-figures-") as folder:
        dashboard = start_dashboard(f"sqlite:///{store}", log=Path(folder) / "dashboard.log")
        try:
            expect.set_options(timeout=1000 * _TIMEOUT_S)
            with launch() as browser:
                yield BrowserPages(browser, dashboard.url)
        finally:
            dashboard.stop()


def plain(markdown: str) -> str:
    """Return the words of a Markdown text: without emphasis, escapes, directives, tags and repeated spaces."""
    text = re.sub(r":material/\w+:", "", markdown).replace("&nbsp;", " ")
    text = re.sub(r"<[^<>]*>", " ", text)
    text = re.sub(r"!?\[((?:[^\[\]\\]|\\.)*)\]\([^()]*\)", r"\1", text)
    for _ in range(3):  # one directive may be inside another
        text = re.sub(r":[a-z-]+\[((?:[^\[\]\\]|\\.)*)\]", r"\1", text)
    text = re.sub(r"(?<!\\)(\*\*|__|`|\*)", "", text)
    text = re.sub(r"\\([^\w\s])", r"\1", text)
    return " ".join(text.split())


def _said(app: AppTest) -> Iterator[str]:
    # In the order of the page, as far as the tree has it.
    for element in _leaves(app.main):
        kind = element.type
        if kind in _TEXTS:
            yield str(element.value)
        elif kind == "metric":
            yield f"{element.label} {element.value} {element.delta}"
        elif kind in ("arrow_data_frame", "table", "dataframe"):
            yield _cells(element.value)
        elif kind == "html":
            yield str(element.proto.body)
        elif kind == "plotly_chart":
            yield str(element.proto.alt)


def _leaves(block: Any) -> Iterator[Any]:
    for child in block.children.values():
        if hasattr(child, "children"):
            yield from _leaves(child)
        else:
            yield child


def _cells(frame: pd.DataFrame) -> str:
    columns = " ".join(map(str, frame.columns))
    return f"{columns} " + " ".join(" ".join(map(str, row)) for row in frame.itertuples(index=False))
