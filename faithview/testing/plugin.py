"""The plugin for pytest. pytest loads it wherever FaithView is installed, so it imports the rest when that is used."""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from faithview.testing.options import SessionOptions, add_options, read_options, use_options

if TYPE_CHECKING:
    from faithview.testing.fixture import Faithfulness
    from faithview.testing.session import SessionReport

# An attribute of ours on pytest's objects; one of a report travels from pytest-xdist's workers.
_ANSWERS = "_faithview_answers"
_MARKER = "faithview(segment=None, min_score=None): the segment and the minimum score of the answers that a test judges"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --faithview-db and the others."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Check the options, and record answers in the process that writes."""
    config.addinivalue_line("markers", _MARKER)
    try:
        options = read_options(config)
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    use_options(options)
    is_worker = hasattr(config, "workerinput")  # of pytest-xdist: it hands its reports to the controller
    if options.stores and not is_worker and not config.getoption("collectonly", default=False):
        config.pluginmanager.register(_Recorder(config, options), "faithview-recorder")


def pytest_unconfigure() -> None:
    """Leave nothing set: a process can go on after the session."""
    use_options(SessionOptions())


@pytest.fixture
def faithfulness(request: pytest.FixtureRequest) -> "Faithfulness":
    """Judge answers and record them: `check(answer, context)`, `assert_faithful(answer, context, min_score=…)`."""
    from faithview.testing.fixture import Faithfulness, row_name

    # The markers; the one nearest to the test counts.
    markers = [marker.kwargs for marker in request.node.iter_markers("faithview")]
    given: dict[str, Any] = {name: value for kwargs in reversed(markers) for name, value in kwargs.items()}
    answers: list[str] = []
    setattr(request.node, _ANSWERS, answers)
    node_id = request.node.nodeid
    return Faithfulness(
        options=read_options(request.config),
        min_score=given.get("min_score"),
        key=row_name(node_id),
        segment=row_name(given.get("segment") or node_id.partition("::")[0]),
        record=answers.append,
    )


@pytest.hookimpl(hookwrapper=True)  # the form that every pytest knows
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Attach what the test judged to its report."""
    outcome = yield
    answers: list[str] | None = getattr(item, _ANSWERS, None)
    if answers and outcome.excinfo is None:
        setattr(outcome.get_result(), _ANSWERS, list(answers))
        answers.clear()


class _Recorder:
    """Collects what all tests judged, stores it at the end, and says so in the summary."""

    def __init__(self, config: pytest.Config, options: SessionOptions) -> None:
        self._config = config
        self._options = options
        self._answers: dict[str, list[str]] = {}
        self._baseline_id: str | None = None
        self._report: SessionReport | None = None

    def pytest_sessionstart(self) -> None:
        """Look for the baseline: a wrong name is known before anything is judged."""
        from faithview.domain.errors import InvalidInput
        from faithview.testing.session import find_baseline_id

        try:
            self._baseline_id = find_baseline_id(self._options)
        except InvalidInput as error:
            raise pytest.UsageError(str(error)) from None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record what a test judged; a repeated test starts over."""
        if report.when == "setup":
            self._answers.pop(report.nodeid, None)
        answers = getattr(report, _ANSWERS, None)
        if answers:
            self._answers.setdefault(report.nodeid, []).extend(answers)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Store and compare; a regression fails a session that passed."""
        from faithview.testing.fixture import unpack
        from faithview.testing.session import store_session

        recorded = [unpack(text) for texts in self._answers.values() for text in texts]
        self._report = store_session(
            self._options, recorded, baseline_id=self._baseline_id, folder=self._config.rootpath
        )
        if self._report.failures and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what was stored, how it compares, and what went wrong."""
        if self._report is None:
            return
        terminalreporter.section("faithview")
        for line in self._report.lines:
            terminalreporter.write_line(line)
        for line in self._report.failures:
            terminalreporter.write_line(f"FAILED: {line}", red=True)
