"""Dockerfile, compose file and `.dockerignore` fit the project and each other."""

import re
import subprocess
import sys
import tomllib
from typing import Any

import pytest
import typer
import yaml
from packaging.specifiers import SpecifierSet

from faithview.cli.main import app
from faithview.version import __version__
from tests.deployment import dockerfile
from tests.deployment.dockerfile import ROOT

FOUND = dockerfile.read()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OWN_SERVICES = {name: service for name, service in COMPOSE["services"].items() if "build" in service}


def _known_options(name: str) -> set[str]:
    command: Any = typer.main.get_command(app)
    return {option for parameter in command.commands[name].params for option in parameter.opts}


def test_every_file_that_is_copied_exists_and_is_sent_to_the_builder() -> None:
    sources = [source for sources, _ in dockerfile.copied(FOUND) for source in sources]
    assert len(sources) >= 9
    assert [source for source in sources if not (ROOT / source).exists()] == []
    files = [source if (ROOT / source).is_file() else f"{source}/any.py" for source in sources]
    assert [file for file in files if not dockerfile.sent(file)] == []


def test_every_file_that_the_wheel_is_built_from_is_copied() -> None:
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["only-include"], *wheel["force-include"], PROJECT["project"]["readme"], "pyproject.toml"}
    needed |= set(PROJECT["project"]["license-files"])
    assert needed <= {source for sources, _ in dockerfile.copied(FOUND) for source in sources}


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        ".streamlit/secrets.toml",
        ".venv/bin/python",
        "answers.db",
        ".env",
        "tests/conftest.py",
        "data/source/help.md",
        "faithview/cli/__pycache__/main.cpython-311.pyc",
    ],
)
def test_stores_secrets_and_history_are_not_sent_to_the_builder(path: str) -> None:
    assert not dockerfile.sent(path)


def test_both_images_have_one_python_that_the_package_takes() -> None:
    froms = [instruction.text for instruction in FOUND if instruction.name == "FROM"]
    assert len(froms) == 2
    assert {text.partition(" AS ")[0] for text in froms} == {"${PYTHON_IMAGE}"}
    (argument,) = [instruction.text for instruction in FOUND if instruction.name == "ARG"]
    found = re.fullmatch(r"PYTHON_IMAGE=python:(3\.\d+)-slim-bookworm@sha256:[0-9a-f]{64}", argument)
    assert found
    assert found[1] in SpecifierSet(PROJECT["project"]["requires-python"])
    assert f"Programming Language :: Python :: {found[1]}" in PROJECT["project"]["classifiers"]


def test_images_of_others_are_named_by_digest() -> None:
    others = [one["image"] for one in COMPOSE["services"].values() if not one["image"].startswith("faithview:")]
    assert others
    assert all(re.fullmatch(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}", image) for image in others)


def test_the_lock_is_installed_by_hash_and_the_project_without_looking_for_more() -> None:
    runs = " ".join(instruction.text for instruction in FOUND if instruction.name == "RUN" and not instruction.stage)
    lock, project = re.findall(r"pip install (.+?)(?= &&| /opt|$)", runs)
    assert {"--require-hashes", "--only-binary", "requirements.lock"} <= set(lock.split())
    assert {"--no-deps", "--no-build-isolation", "."} <= set(project.split())


def test_the_command_is_one_that_the_package_installs_and_knows_its_options() -> None:
    (program,) = dockerfile.only(FOUND, "ENTRYPOINT").words
    assert program in PROJECT["project"]["scripts"]
    name, *options = dockerfile.only(FOUND, "CMD").words
    assert {option for option in options if option.startswith("--")} <= _known_options(name)


def test_it_runs_as_a_user_by_number_that_owns_the_data_and_nothing_else() -> None:
    user = dockerfile.only(FOUND, "USER").text
    uid, _, gid = user.partition(":")
    assert int(uid) >= 1000
    made = next(text.text for text in FOUND if text.stage == 1 and text.name == "RUN")
    assert f"--uid {uid} " in made
    assert f"--gid {gid} " in made
    data = dockerfile.only(FOUND, "VOLUME").text
    variables = dockerfile.environment(FOUND)
    assert data == variables["HOME"] == variables["XDG_DATA_HOME"]
    assert re.search(rf"install --directory --owner faithview .*{data}\b", made)


def test_the_healthcheck_asks_the_port_that_is_served() -> None:
    command = dockerfile.only(FOUND, "CMD").words
    port = command[command.index("--port") + 1]
    assert dockerfile.only(FOUND, "EXPOSE").text == port
    code = dockerfile.healthcheck(FOUND)[-1]
    assert f"127.0.0.1:{port}/ready'" in code
    compile(code, "healthcheck", "exec")


def test_a_healthcheck_fails_where_nothing_answers() -> None:
    command = [sys.executable, *dockerfile.healthcheck(FOUND)[1:]]
    closed = [word.replace("8501", "1") for word in command]
    assert subprocess.run(closed, stderr=subprocess.DEVNULL, check=False).returncode != 0


def test_the_compose_file_builds_this_version_and_knows_its_commands() -> None:
    assert OWN_SERVICES.keys() == {"dashboard", "service", "watch"}
    for service in OWN_SERVICES.values():
        assert service["image"] == f"faithview:{__version__}"
        name, *options = service.get("command") or dockerfile.only(FOUND, "CMD").words
        assert {option for option in options if option.startswith("--")} <= _known_options(name)


def test_every_container_of_ours_is_shut_in_and_waits_for_the_database() -> None:
    for service in OWN_SERVICES.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["volumes"] == [f"data:{dockerfile.only(FOUND, 'VOLUME').text}"]
        assert service["depends_on"] == {"db": {"condition": "service_healthy"}}
    assert {name for service in COMPOSE["services"].values() for name in service["volumes"]} == {
        "data:/data",
        "db:/var/lib/postgresql/data",
    }
    assert set(COMPOSE["volumes"]) == {"data", "db"}


def test_ports_are_open_to_this_machine_only_and_are_those_that_are_served() -> None:
    for name, service in OWN_SERVICES.items():
        command = service.get("command") or dockerfile.only(FOUND, "CMD").words
        if name == "watch":
            assert "ports" not in service
            continue
        port = command[command.index("--port") + 1]
        assert service["ports"] == [f"127.0.0.1:{port}:{port}"]
        if "healthcheck" in service:
            assert f"127.0.0.1:{port}/ready'" in service["healthcheck"]["test"][-1]


def test_no_password_or_key_stands_in_the_compose_file() -> None:
    secret = re.compile(r"PASSWORD|_KEY|TOKEN|WEBHOOK")
    for service in COMPOSE["services"].values():
        for name, value in service.get("environment", {}).items():
            if secret.search(name):
                assert value is None or value.startswith("${"), f"{name} has a value"
    assert COMPOSE["services"]["dashboard"]["environment"]["FAITHVIEW_DB"].count("@") == 1
    assert (
        ":" not in COMPOSE["services"]["dashboard"]["environment"]["FAITHVIEW_DB"].partition("//")[2].partition("@")[0]
    )


def test_the_database_is_checked_as_the_user_that_the_dashboard_connects_as() -> None:
    database = COMPOSE["services"]["db"]
    user, name = database["environment"]["POSTGRES_USER"], database["environment"]["POSTGRES_DB"]
    assert database["healthcheck"]["test"][1:] == ["pg_isready", "--username", user, "--dbname", name]
    for service in OWN_SERVICES.values():
        assert service["environment"]["FAITHVIEW_DB"] == f"postgresql+psycopg://{user}@db/{name}"
