"""Where a model's files are: folders, the Hub's cache, and what is said where they are not."""

import json
from pathlib import Path

import pytest

from faithview.domain.errors import JudgeUnavailable
from faithview.judges.local.files import find_model, is_folder_name

pytestmark = pytest.mark.torch
pytest.importorskip("huggingface_hub")

_COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The Hub's cache, empty, and no connection."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    return tmp_path


def test_a_folder_is_known_by_its_content(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"a": 1}), encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"weights")
    first = find_model(str(folder))
    assert (first.place, first.revision, first.is_folder) == (str(folder), None, True)
    (folder / "README.md").write_text("text", encoding="utf-8")
    assert find_model(str(folder)).version == first.version
    (folder / "model.safetensors").write_bytes(b"changed!")
    assert find_model(str(folder)).version != first.version
    assert first.find("config.json") == folder / "config.json"
    assert first.find("onnx/model.onnx") is None


def test_a_home_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}", encoding="utf-8")
    assert find_model("~/model").place == str(tmp_path / "model")


@pytest.mark.parametrize("name", ["/models/nli", "./nli", "../nli", "~/nli"])
def test_a_name_like_a_path_is_never_looked_for_at_the_hub(name: str) -> None:
    assert is_folder_name(name)
    with pytest.raises(JudgeUnavailable, match="does not exist; name the folder"):
        find_model(name)


def test_a_folder_without_a_model_or_with_a_revision_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JudgeUnavailable, match=r"has no config\.json"):
        find_model(str(tmp_path))
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(JudgeUnavailable, match="which has no revisions"):
        find_model(str(tmp_path), "main")


def test_offline_a_cached_model_is_used_and_known_by_its_commit(cache: Path) -> None:
    repository = cache / "models--owner--name"
    snapshot = repository / "snapshots" / _COMMIT
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}", encoding="utf-8")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(_COMMIT, encoding="utf-8")
    found = find_model("owner/name")
    assert (found.place, found.revision, found.version) == ("owner/name", _COMMIT, _COMMIT[:12])
    assert find_model("owner/name", _COMMIT) == found
    assert found.find("config.json") == snapshot / "config.json"
    assert found.find("onnx/model.onnx") is None


@pytest.mark.usefixtures("cache")
def test_offline_a_model_that_was_never_fetched_is_refused_with_what_to_do() -> None:
    with pytest.raises(JudgeUnavailable, match="is not on this machine and the Hugging Face Hub cannot be reached"):
        find_model("owner/name")


@pytest.mark.parametrize("name", ["a/b/c", "two words", "owner/name:x"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(JudgeUnavailable, match="as a folder or at the Hugging Face Hub"):
        find_model(name)
