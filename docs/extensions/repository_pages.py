"""What the pages have on GitHub and not in Sphinx: titles of code blocks, and links to pages beside `docs/`."""

import re
from typing import Any

from sphinx.application import Sphinx

# Files outside this folder that are pages of the site, too.
_PAGES = {"../tests/performance/README.md": "measurements.md", "../CHANGELOG.md": "changelog.md"}
_TITLED = re.compile(r'^(`{3,})(\w+) title="(.+?)"$', re.MULTILINE)


def setup(app: Sphinx) -> dict[str, Any]:
    """Rewrite each page when it is read."""
    app.connect("source-read", _rewrite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _rewrite(app: Sphinx, name: str, source: list[str]) -> None:
    text = _TITLED.sub(r"\1{code-block} \2\n:caption: \3\n", source[0])
    for path, page in _PAGES.items():
        text = text.replace(f"]({path}", f"]({page}")
    source[0] = text
