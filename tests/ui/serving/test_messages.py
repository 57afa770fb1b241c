"""What the dashboard says when it stops."""

import subprocess
import sys

import pytest

from faithview.domain.sample import Sample
from faithview.services.container import Store
from faithview.services.runs.worker import Workers
from faithview.ui import opened_store
from faithview.ui.serving.dashboard_server import say_what_goes_on
from tests.factories import LEXICAL, add_run


def test_a_run_that_goes_on_is_named_with_how_to_see_it(
    services: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = add_run(services, [Sample(answer="So.")], "Week 42", judge=LEXICAL)
    workers = Workers(services.database_url)
    monkeypatch.setattr(opened_store, "workers_over", lambda store: workers)
    say_what_goes_on()
    assert capsys.readouterr().err == ""

    def sleeping(*_: object, **__: object) -> subprocess.Popen[bytes]:
        return started

    started = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with started:
        with monkeypatch.context() as patched:
            patched.setattr(subprocess, "Popen", sleeping)
            workers.start(run.run_id)
        say_what_goes_on()
        said = capsys.readouterr().err
        assert said.startswith("The run 'Week 42' continues in the background. Check progress with ")
        assert f"`faithview run show {run.run_id}`" in said
        assert started.stdin is not None
        started.stdin.close()
        started.wait()
    say_what_goes_on()
    assert capsys.readouterr().err == ""
