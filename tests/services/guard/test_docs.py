"""The code in docs/guard.md runs and prints what the page says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "guard.md").read_text(encoding="utf-8")
_EXAMPLES = re.findall(r"^```python\n(.+?)^```\n\n```text\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_every_block_of_code_says_what_it_prints() -> None:
    assert len(_EXAMPLES) == PAGE.count("```python") >= 4


@pytest.mark.parametrize(("code", "printed"), _EXAMPLES, ids=["check", "correct", "enforce", "generate"])
def test_an_example_prints_what_the_page_says(code: str, printed: str, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (printed, "")
