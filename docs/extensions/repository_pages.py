"""What the pages have on GitHub and not in Sphinx: titles of code blocks, links to pages beside `docs/`, pictures.

A page names the picture for a light page, and Sphinx gets the one for a dark page too. What only Sphinx understands
stands in comments, which GitHub does not show: `<!-- {toctree}`, the lines of the directive, and `-->`. A line directly
above such a comment is what GitHub shows in its place; the site leaves it out.
"""

import re
from typing import Any

from sphinx.application import Sphinx

# Files outside this folder that are pages of the site, too.
_PAGES = {"../CONTRIBUTING.md": "contributing.md", "../CHANGELOG.md": "changelog.md"}
_DIRECTIVE = re.compile(r"^(?:[^\n]+\n)?<!-- (\{[a-z-]+\}[^\n]*)\n(.*?)^-->$", re.MULTILINE | re.DOTALL)
_PICTURE = re.compile(r"^!\[(.+)\]\((images/\S+)-light\.png\)$", re.MULTILINE)
_BOTH = "\n".join(f"```{{image}} \\2-{mode}.png\n:alt: \\1\n:class: only-{mode}\n```" for mode in ("light", "dark"))
_TITLED = re.compile(r'^(`{3,})(\w+) title="(.+?)"$', re.MULTILINE)


def setup(app: Sphinx) -> dict[str, Any]:
    """Rewrite each page when it is read."""
    app.connect("source-read", _rewrite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _rewrite(app: Sphinx, name: str, source: list[str]) -> None:
    text = _TITLED.sub(r"\1{code-block} \2\n:caption: \3\n", source[0])
    text = _DIRECTIVE.sub(r"```\1\n\2```", _PICTURE.sub(_BOTH, text))
    for path, page in _PAGES.items():
        text = text.replace(f"]({path}", f"]({page}")
    source[0] = text
