"""How the documentation is built: `make docs`. It needs no network, and a warning stops it."""

import sys
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS.parent), str(DOCS / "extensions")]

from faithview.version import __version__  # noqa: E402 - the path above finds it

project = "FaithView"
author = "The FaithView authors"
project_copyright = "The FaithView authors. Apache-2.0"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
extensions += ["command_reference", "json_reference", "mathml", "repository_pages"]
exclude_patterns = ["extensions"]

# GitHub shows the same pages, so they use what it knows, too: formulas between dollars, links to headings.
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

# Docstrings put code between single back-quotes.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
python_maximum_signature_line_length = 88
add_module_names = False
pygments_style = "friendly"
pygments_dark_style = "monokai"

html_theme = "furo"
html_title = f"FaithView {__version__}"
html_favicon = "_static/mark.svg"
html_logo = "_static/mark.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_math_renderer = "mathml"
copybutton_prompt_text = "$ "
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1d5bb8", "color-brand-content": "#1d5bb8"},
    "dark_css_variables": {"color-brand-primary": "#86b4f5", "color-brand-content": "#86b4f5"},
}


def setup(app: Sphinx) -> None:
    """Show diagrams as their text: GitHub draws them, and drawing them here would need a browser."""
    app.add_lexer("mermaid", TextLexer)
