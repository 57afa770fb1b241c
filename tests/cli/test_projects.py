"""`--project NAME` in place of `--db URL`, and `faithview projects`."""

import json
import urllib.request
from pathlib import Path

import pytest

from faithview import open_store
from faithview.domain.errors import FaithViewError
from faithview.store.live import list_backlogs
from tests.cli.conftest import Command
from tests.service import running_service


@pytest.fixture
def secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A secrets file with two projects, the first of which has a log-in's people."""
    path = tmp_path / "secrets.toml"
    path.write_text(
        f"""
[auth]
client_id = "i"
[faithview.roles]
admin = ["ops@example.com"]
[faithview.projects.support]
title = "Support assistant"
db = "sqlite:///{tmp_path / "support.db"}"
[faithview.projects.support.roles]
reviewer = ["ada@example.com", "ben@example.com"]
viewer = "everyone"
[faithview.projects.legal]
db = "sqlite:///{tmp_path / "legal.db"}"
""",
        encoding="utf-8",
    )
    monkeypatch.setenv("FAITHVIEW_SECRETS", str(path))
    return path


def test_a_run_lands_in_the_project_that_is_named_and_in_no_other(
    faithview: Command, secrets: Path, store: Path, dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert faithview("evaluate", dataset, "--name", "secret", "--project", "support").status == 0
    assert not store.exists()
    assert [run["name"] for run in faithview("runs", "--json", "--project", "support").document["runs"]] == ["secret"]
    faithview("db", "upgrade", "--project", "legal")
    assert faithview("runs", "--json", "--project", "legal").document == {"runs": []}
    monkeypatch.delenv("FAITHVIEW_DB")
    monkeypatch.setenv("FAITHVIEW_PROJECT", "support")
    assert faithview("show", "secret").status == 0
    with open_store() as usual, open_store(project="support") as named, open_store(project="legal") as other:
        assert [len(usual.runs()), len(named.runs()), len(other.runs())] == [1, 1, 0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--project", "sales"), "There is no project 'sales'; the projects are: support, legal."),
        (("--project", "legal"), "Check --db, or the project's `db`"),
        (("--project", "support", "--db", "sqlite:////x.db"), "either a project or a store's URL"),
    ],
)
def test_a_project_that_cannot_be_used_is_bad_input(
    faithview: Command, secrets: Path, options: tuple[str, ...], said: str
) -> None:
    done = faithview("runs", *options)
    assert (done.status, said in done.err, done.out) == (2, True, "")


def test_projects_are_listed_without_people_and_passwords(faithview: Command, secrets: Path, dataset: Path) -> None:
    assert "Support assistant" in faithview("projects").out
    faithview("evaluate", dataset, "--project", "support")
    done = faithview("projects", "--json")
    assert done.status == 0
    assert done.document["admins"] == 1
    support, legal = done.document["projects"]
    assert (support["project"], support["title"], support["database"], support["runs"]) == (
        "support", "Support assistant", "SQLite", 1,
    )  # fmt: skip
    assert (support["roles"], support["everyone"]) == ({"admin": 0, "reviewer": 2, "viewer": 0}, True)
    assert (legal["title"], legal["runs"], legal["error"], legal["everyone"]) == ("legal", 0, None, False)
    assert "@" not in done.out


def test_a_project_whose_store_cannot_be_used_is_named_and_the_others_are_listed(
    faithview: Command, secrets: Path
) -> None:
    text = secrets.read_text(encoding="utf-8")
    away = 'db = "postgresql://u:hunter2@127.0.0.1:1/d"'
    secrets.write_text("\n".join(away if "legal.db" in line else line for line in text.splitlines()), encoding="utf-8")
    for options in ((), ("--json",)):
        done = faithview("projects", *options)
        assert (done.status, "support" in done.out, "cannot be used" in done.out) == (1, True, True)
        assert "hunter2" not in done.out + done.err


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_without_a_description_there_is_one_store(
    faithview: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    empty = tmp_path / "secrets.toml"
    empty.touch()
    monkeypatch.setenv("FAITHVIEW_SECRETS", str(empty))
    done = faithview("projects", *options)
    assert done.status == 0
    assert done.document == {"projects": [], "admins": 0} if options else "there is one store" in done.err
    with pytest.raises(FaithViewError, match="defines none"):
        open_store(project="support")


def test_each_service_takes_its_own_token_and_logs_into_its_own_project(
    secrets: Path, tmp_path: Path, faithview: Command
) -> None:
    tokens = {"support": "token-of-support-only", "legal": "token-of-legal-and-no-other"}
    body = json.dumps({"answers": [{"answer": "Yes.", "context": ["Yes."]}]}).encode()
    for name, token in tokens.items():
        environment = {"FAITHVIEW_SECRETS": str(secrets), "FAITHVIEW_TOKEN": token}
        with running_service(
            "--project", name, database_url="", log=tmp_path / f"{name}.log", environment=environment
        ) as service:
            statuses = []
            for sent in tokens.values():
                headers = {"Authorization": f"Bearer {sent}", "Content-Type": "application/json"}
                request = urllib.request.Request(f"{service.url}/log", data=body, headers=headers)
                try:
                    with urllib.request.urlopen(request, timeout=30) as reply:
                        statuses.append(reply.status)
                except urllib.error.HTTPError as error:
                    statuses.append(error.code)
            assert statuses == [200 if sent == token else 401 for sent in tokens.values()]
            service.stop()
        with open_store(project=name) as services:
            assert sum(backlog.waiting for backlog in list_backlogs(services.db)) == 1


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("ui", "--db", "sqlite:////x.db"), "cannot open a store with --db"),
        (("ui", "--project", "sales"), "There is no project 'sales'"),
        (("ui", "--project", "support", "--db", "sqlite:////x.db"), "either --project or --db"),
        (("demo",), "Name the project to load the sample into"),
        (("demo", "--project", "sales"), "There is no project 'sales'"),
    ],
)
def test_the_dashboard_does_not_start_over_a_store_that_is_no_project(
    faithview: Command, secrets: Path, command: tuple[str, ...], said: str
) -> None:
    done = faithview(*command, "--no-browser")
    assert (done.status, said in done.err) == (2, True), done.err


def test_the_dashboard_does_not_start_where_no_project_s_store_can_be_used(faithview: Command, secrets: Path) -> None:
    lines = secrets.read_text(encoding="utf-8").splitlines()
    stores = iter(("d", "e"))
    away = [f'db = "postgresql://u:hunter2@127.0.0.1:1/{next(stores)}"' if "db =" in line else line for line in lines]
    secrets.write_text("\n".join(away), encoding="utf-8")
    done = faithview("ui", "--no-browser")
    assert (done.status, "'support' cannot be opened" in done.err, "hunter2" in done.err) == (2, True, False)


@pytest.mark.parametrize("command", [("ui", "--no-browser"), ("runs", "--project", "support"), ("projects",)])
def test_a_description_that_is_not_understood_is_refused(
    faithview: Command, secrets: Path, command: tuple[str, ...]
) -> None:
    with secrets.open("a", encoding="utf-8") as file:
        file.write('[faithview.projects.legal.roles]\nowner = ["eve@example.com"]\n')
    done = faithview(*command)
    assert (done.status, "cannot have 'owner'" in done.err, done.out) == (2, True, "")


def test_doctor_tries_out_the_store_of_every_project_where_none_is_named(
    faithview: Command, secrets: Path, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "legal.db").write_bytes(b"no database" * 1000)
    monkeypatch.delenv("FAITHVIEW_DB", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    done = faithview("doctor", "--no-call", "--json")
    found = done.document
    assert done.status == 1
    assert [(one["project"], one["works"]) for one in found["projects"]] == [("support", True), ("legal", False)]
    assert not (tmp_path / "support.db").exists()
    assert "project legal" in faithview("doctor", "--no-call").out
    done = faithview("doctor", "--no-call", "--json", "--project", "support")
    assert (done.status, done.document["projects"]) == (0, [])
