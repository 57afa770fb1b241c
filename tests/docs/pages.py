"""The blocks of code on the pages of the documentation, and what stands above each in a comment that no reader sees.

- `<!-- not run: why -->`: the block starts a server, asks a model, or the like. Its commands must still exist.
- `<!-- do: what -->`: before the block runs, what the reader does elsewhere is done (`steps.py`).
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (*DOCS.glob("*.md"), ROOT / "README.md"))

_FENCE = re.compile(r'^```(?P<language>[\w-]*)(?: title="(?P<title>.+?)")?$')
_COMMENT = re.compile(r"^<!-- (?P<kind>not run|do): (?P<text>.+?) -->$")
_COMMAND = re.compile(r"(?:faithview|pip|python|make|curl|docker|echo|export|[A-Z_]+=\S+ faithview)\b")
# Marks of the site itself: they lay pages out and show no code.
_DIRECTIVES = ("{toctree}", "{include}", "{image}", "{eval-rst}", "{figure}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block of code. `line` is its first line's number; `not_run` and `before` are its comments."""

    page: str
    line: int
    language: str
    title: str
    text: str
    not_run: str = ""
    before: str = ""

    @property
    def place(self) -> str:
        """Where the block stands."""
        return f"{self.page}:{self.line}"

    @property
    def commands(self) -> list[str]:
        """The commands of a block for a shell, without comments, each on one line."""
        if self.language not in {"sh", "commands"}:
            return []
        lines = self.text.replace("\\\n", " ").splitlines()
        return [command for line in lines if (command := re.sub(r"(^|\s)# .*$", "", line).strip())]


def read_blocks(page: str) -> list[Block]:
    """Return the blocks of a page, fenced and indented, in their order."""
    blocks = []
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    comments: dict[str, str] = {}
    at = 0
    while at < len(lines):
        if comment := _COMMENT.match(lines[at]):
            comments[comment["kind"]] = comment["text"]
            at += 1
            continue
        language, title, text, end = _block_at(lines, at)
        if language and not language.startswith(_DIRECTIVES):
            blocks.append(
                Block(
                    page=page,
                    line=at + 1,
                    language=language,
                    title=title,
                    text=text,
                    not_run=comments.get("not run", ""),
                    before=comments.get("do", ""),
                )
            )
        comments = {}
        at = end
    return blocks


def titled_blocks(page: str, language: str) -> dict[str, str]:
    """Return the texts of a page's blocks in one language that have a title, by it: the files that a page shows."""
    return {block.title: block.text for block in read_blocks(page) if block.title and block.language == language}


def _block_at(lines: list[str], at: int) -> tuple[str, str, str, int]:
    """Return language, title and text of the block that begins at a line, and the line after it; "" if none begins."""
    if lines[at].startswith("```"):
        end = lines.index("```", at + 1)
        fence = _FENCE.match(lines[at])
        language, title = (fence["language"], fence["title"] or "") if fence else (lines[at][3:].split()[0], "")
        return language or "none", title, "\n".join(lines[at + 1 : end]) + "\n", end + 1
    is_first = at == 0 or not lines[at - 1].strip() or lines[at - 1].startswith("<!--")
    if not lines[at].startswith("    ") or not is_first or _in_list(lines, at):
        return "", "", "", at + 1
    end = at
    while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
        end += 1
    text = "\n".join(line[4:] for line in lines[at:end]).rstrip() + "\n"
    return ("commands" if _COMMAND.match(text) else "indented"), "", text, end


def _in_list(lines: list[str], at: int) -> bool:
    before = next((line for line in reversed(lines[:at]) if line.strip() and not line.startswith(" ")), "")
    return bool(re.match(r"[-*] |\d+\. ", before))
