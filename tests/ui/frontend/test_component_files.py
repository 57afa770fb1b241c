"""A component's script is its module with all that it imports, in one text."""

import json
from pathlib import Path

import pytest

from faithview.ui.frontend.component_files import FRONTEND, read_script
from tests.deno import run_deno

COMPONENTS = [path.stem for path in sorted(FRONTEND.glob("*.js")) if "\nexport default" in path.read_text("utf-8")]

_SAY_KINDS = "console.log(JSON.stringify([...new Set(all.map((module) => typeof module.default))]));"


def _write(folder: Path, **modules: str) -> None:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")


@pytest.mark.process
def test_a_script_says_what_its_modules_say_when_they_import_each_other(tmp_path: Path) -> None:
    _write(
        tmp_path,
        words='/** @type {string} */\nconst own = "shared";\nexport const word = () => own;\nexport class Count {}\n',
        left='import { word } from "./words.js";\n\nexport function own() {\n  return `left ${word()}`;\n}\n',
        right='import { Count, word as said } from "./words.js";\n\n'
        "export function own() {\n  return `right ${said()}`;\n}\nexport const Kind = Count;\n",
        page='import { own } from "./left.js";\nimport { Kind, own as other } from "./right.js";\n'
        'import { Count } from "./words.js";\n\nexport const both = [own(), other()];\n'
        "export default () => [...both, Kind === Count];\n",
    )
    script = read_script("page", folder=tmp_path)
    _write(tmp_path, joined=script)
    expected = ["left shared", "right shared", True]
    for module in ("page", "joined"):
        _write(tmp_path, run=f'import page from "./{module}.js";\nconsole.log(JSON.stringify(page()));\n')
        assert json.loads(run_deno("run", "--no-check", str(tmp_path / "run.js"))) == expected
    assert script.count("class Count") == 1
    assert "/**" not in script
    assert "import " not in script


def test_modules_that_import_each_other_in_a_circle_are_refused(tmp_path: Path) -> None:
    _write(
        tmp_path,
        one='import { b } from "./two.js";\nexport const a = 1;\n',
        two='import { a } from "./one.js";\nexport const b = 2;\n',
    )
    with pytest.raises(ValueError, match="one > two > one"):
        read_script("one", folder=tmp_path)


@pytest.mark.parametrize(
    "line",
    ['import page from "./words.js";', 'import "./words.js";', 'import * as all from "./words.js";', "export { own };"],
)
def test_an_import_or_export_in_another_form_is_refused(tmp_path: Path, line: str) -> None:
    _write(tmp_path, page=f"{line}\nconst own = 1;\n", words="export const a = 1;\n")
    with pytest.raises(ValueError, match=r"page\.js: .* do not have the form"):
        read_script("page", folder=tmp_path)


@pytest.mark.process
def test_every_component_is_a_module_that_stands_alone(tmp_path: Path) -> None:
    assert len(COMPONENTS) > 10
    for name in COMPONENTS:
        _write(tmp_path, **{name: read_script(name)})
    imports = [f'await import("./{name}.js")' for name in COMPONENTS]
    _write(tmp_path, run=f"globalThis.history = {{}};\nconst all = [{', '.join(imports)}];\n{_SAY_KINDS}\n")
    assert json.loads(run_deno("run", "--no-check", str(tmp_path / "run.js"))) == ["function"]
