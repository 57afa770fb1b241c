"""Where a model's files are: folders, the Hub's cache, and what is said where they are not."""

import json
from pathlib import Path

import pytest

from faithview.domain.errors import JudgeUnavailable
from faithview.judges.local.files import find_files, folder_of

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
    (tmp_path / "config.json").write_text(json.dumps({"a": 1}), encoding="utf-8")
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    first = find_files(str(tmp_path), None)
    assert (first.place, first.revision) == (str(tmp_path), None)
    (tmp_path / "README.md").write_text("text", encoding="utf-8")
    assert find_files(str(tmp_path), None) == first
    (tmp_path / "model.safetensors").write_bytes(b"changed")
    assert find_files(str(tmp_path), None).version != first.version


def test_a_home_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}", encoding="utf-8")
    assert folder_of("~/model") == tmp_path / "model"


@pytest.mark.parametrize("name", ["/models/nli", "./nli", "../nli", "~/nli"])
def test_a_name_like_a_path_is_never_looked_for_at_the_hub(name: str) -> None:
    with pytest.raises(JudgeUnavailable, match="does not exist; name the folder"):
        find_files(name, None)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JudgeUnavailable, match=r"has no config\.json"):
        find_files(str(tmp_path), None)


def test_offline_a_cached_model_is_used_and_known_by_its_commit(cache: Path) -> None:
    repository = cache / "models--owner--name"
    snapshot = repository / "snapshots" / _COMMIT
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}", encoding="utf-8")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(_COMMIT, encoding="utf-8")
    found = find_files("owner/name", None)
    assert found == ("owner/name", _COMMIT, snapshot / "config.json", _COMMIT[:12])
    assert find_files("owner/name", _COMMIT) == found


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("name", ["owner/name", "a/b/c", "two words"])
def test_a_model_that_cannot_be_had_is_named_with_what_to_do(name: str) -> None:
    with pytest.raises(JudgeUnavailable, match=r"cannot be fetched from the Hugging Face Hub .* HF_TOKEN") as refused:
        find_files(name, None)
    assert repr(name) in str(refused.value)
    assert "\n" not in str(refused.value)
