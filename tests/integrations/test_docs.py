"""The examples in docs/integrations.md run and print what they should."""

import re
import subprocess
import sys
from pathlib import Path

from tests.dashboard import ROOT


def test_each_example_runs_and_its_answer_was_corrected(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.+?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{example}"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout == "True Shared inboxes hold up to 20 members.\n"
