"""A description of projects is read whole or refused, and says nothing of passwords."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.project import Project, Role
from faithview.services.projects import read_projects, settings_of
from tests.dashboard import ROOT

_LOGIN = '[auth]\nclient_id = "i"\n'
_TWO = """
[faithview.roles]
admin = ["ops@example.com"]
[faithview.projects.support]
title = "Support assistant"
db = "postgresql://faithview:hunter2@db.example.com/support"
[faithview.projects.support.roles]
admin = ["ada@example.com"]
reviewer = ["ada@example.com", "ben@example.com"]
viewer = "everyone"
[faithview.projects.legal]
db = "sqlite:////srv/legal.db"
[faithview.projects.legal.roles]
viewer = ["Cleo@Example.com"]
"""


def _read(text: str) -> tuple[Project, ...]:
    return read_projects(tomllib.loads(text))


@pytest.mark.parametrize("secrets", [{}, {"faithview": {}}, {"faithview": {"roles": {}}}, {"faithview": "x"}])
def test_without_a_description_there_are_no_projects(secrets: Mapping[str, Any]) -> None:
    assert read_projects(secrets) == ()


@pytest.mark.parametrize(
    ("email", "support", "legal"),
    [
        ("ops@example.com", Role.ADMIN, Role.ADMIN),
        ("ada@example.com", Role.ADMIN, None),
        ("ben@example.com", Role.REVIEWER, None),
        ("CLEO@example.com", Role.VIEWER, Role.VIEWER),
        ("nobody@example.com", Role.VIEWER, None),
        ("straße@example.com", Role.VIEWER, None),
    ],
)
def test_a_role_counts_in_its_project_and_an_admin_of_all_in_each(
    email: str, support: Role | None, legal: Role | None
) -> None:
    assert [project.members.role_of(email) for project in _read(_LOGIN + _TWO)] == [support, legal]


def test_the_description_in_the_documentation_is_read() -> None:
    page = (ROOT / "docs" / "projects.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```toml\n(.+?)^```", page, re.MULTILINE | re.DOTALL)
    projects = _read(_LOGIN + example)
    assert [(project.name, project.title) for project in projects] == [
        ("support", "Support assistant"),
        ("legal", "legal"),
    ]
    assert projects[0].members.is_open


def test_a_project_is_called_by_its_name_where_it_has_no_title() -> None:
    assert [project.title for project in _read(_LOGIN + _TWO)] == ["Support assistant", "legal"]


def test_no_text_about_projects_has_their_passwords() -> None:
    assert "hunter2" not in repr(_read(_LOGIN + _TWO))


_A = '[faithview.projects.a]\ndb = "sqlite:////srv/a.db"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[faithview]\nprojects = 3", "faithview.projects: "),
        ("[faithview.projects]", "faithview.projects: "),
        ('[faithview.projects."A b"]\ndb = "sqlite:////srv/a.db"', "projects.A b"),
        ('[faithview.projects."../x"]\ndb = "sqlite:////srv/a.db"', "projects.../x"),
        ("[faithview.projects]\na = 1", "projects.a: "),
        ("[faithview.projects.a]", "projects.a.db: "),
        ("[faithview.projects.a]\ndb = 3", "projects.a.db: "),
        ('[faithview.projects.a]\ndb = "sqlite:///a.db"', "absolute path"),
        ('[faithview.projects.a]\ndb = "sqlite://"', "projects.a.db: "),
        ('[faithview.projects.a]\ndb = "mysql://u:hunter2@h/d"', "projects.a.db: "),
        ('[faithview.projects.a]\ndb = "hunter2"', "projects.a.db: "),
        (_A + 'title = ""', "projects.a.title: "),
        (_A + 'title = "a\\nb"', "projects.a.title: "),
        (_A + "title = 3", "projects.a.title: "),
        (_A + 'databse = "x"', "projects.a.databse: "),
        (_A + "roles = 3", "projects.a.roles: "),
        (_A + '[faithview.projects.a.roles]\nowner = ["a@example.com"]', "a.roles.owner: "),
        (_A + '[faithview.projects.a.roles]\nadmin = "a@example.com"', "projects.a.roles."),
        (_A + "[faithview.projects.a.roles]\nadmin = [3]", "projects.a.roles."),
        (_A + '[faithview.projects.a.roles]\nreviewer = "everyone"', "projects.a.roles."),
        (_A + '[faithview.projects.a.roles]\nviewer = "Everybody"', "projects.a.roles."),
        (_A + '[faithview.roles]\nreviewer = ["a@example.com"]', "faithview.roles.reviewer: "),
    ],
)
def test_what_is_not_understood_is_refused_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        _read(_LOGIN + text)
    assert said in str(refused.value)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "roles", ['[faithview.roles]\nadmin = ["a@example.com"]', '[faithview.projects.a.roles]\nviewer = "everyone"']
)
def test_roles_without_a_log_in_are_refused(roles: str) -> None:
    with pytest.raises(InvalidInput, match="no log-in is configured"):
        _read(_A + roles)
    assert _read(_A)[0].name == "a"


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    secrets = tmp_path / "secrets.toml"
    secrets.write_text(_LOGIN + _TWO, encoding="utf-8")
    return {"FAITHVIEW_SECRETS": str(secrets)}


def test_a_project_names_its_store(environ: dict[str, str]) -> None:
    assert settings_of(project="legal", environ=environ).database_url == "sqlite:////srv/legal.db"
    in_environment = {**environ, "FAITHVIEW_PROJECT": "legal"}
    assert settings_of(environ=in_environment).database_url == "sqlite:////srv/legal.db"
    assert settings_of("sqlite:////x.db", environ=in_environment).database_url == "sqlite:////x.db"
    given = {**environ, "FAITHVIEW_DB": "sqlite:////y.db"}
    assert settings_of(project="legal", environ=given).database_url == "sqlite:////srv/legal.db"
    assert settings_of(environ=given).database_url == "sqlite:////y.db"


def test_two_stores_at_once_are_refused(environ: dict[str, str]) -> None:
    with pytest.raises(InvalidInput, match="either a project or a store's URL"):
        settings_of("sqlite:////x.db", "legal", environ)
    with pytest.raises(InvalidInput, match="are both set"):
        settings_of(environ={**environ, "FAITHVIEW_PROJECT": "legal", "FAITHVIEW_DB": "sqlite:////x.db"})


@pytest.mark.parametrize("name", ["sales", ""])
def test_an_unknown_project_is_named_with_those_that_there_are(environ: dict[str, str], name: str) -> None:
    with pytest.raises(NotFound, match=f"no project '{name}'; the projects are: support, legal"):
        settings_of(project=name, environ=environ)
