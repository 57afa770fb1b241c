"""The plugin for pytest: in process, in a process of its own, with pytest-xdist, and where nobody asked for it."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from textwrap import dedent

import pytest
import scipy.special  # loads NumPy's transforms, which cannot be loaded twice; see below

from faithview import Evaluation, Store, open_store
from faithview.testing import assert_faithful

# What sessions within a test import is imported before them: pytester forgets what was imported meanwhile.
from faithview.testing.fixture import row_name
from faithview.testing.options import PREVIOUS, current_options
from faithview.testing.session import store_session
from tests.dashboard import ROOT
from tests.other_plugins import WITHOUT_OTHER_PLUGINS

pytestmark = pytest.mark.process  # takes long

pytest_plugins = ["pytester"]

CONTEXT = "Parking is free for guests. The office opens at 9 am. Owners can add members."
TESTS = f"""
    import pytest
    CONTEXT = {CONTEXT!r}

    def test_parking(faithfulness):
        faithfulness.assert_faithful("Parking is free for guests.", CONTEXT, "What does parking cost?")

    @pytest.mark.faithview(segment="times")
    @pytest.mark.parametrize("hour", [9, HOUR])
    def test_hours(faithfulness, hour):
        result = faithfulness.check(f"The office opens at {{hour}} am.", CONTEXT, "When?")
        assert result.claims

    def test_two(faithfulness):
        faithfulness.check("Owners can add members.", CONTEXT, "Who?")
        faithfulness.check("Parking is free for guests.", CONTEXT, "What else?")
"""
_IS_INSTALLED = any(point.name == "faithview" for point in entry_points(group="pytest11"))

Run = Callable[..., pytest.RunResult]


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    assert store_session.__doc__
    assert scipy.special.bdtr
    assert_faithful("Parking is free for guests.", CONTEXT, judge="lexical")


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A project with tests: `run(options..., hour=11)` runs them with the judge "lexical"."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    for name in ("GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME", "BRANCH_NAME"):
        monkeypatch.delenv(name, raising=False)

    def run(*options: str, hour: int = 9, tests: str = TESTS, apart: bool = False) -> pytest.RunResult:
        pytester.makepyfile(test_answers=dedent(tests).replace("HOUR", str(hour)))
        given = [
            *(() if _IS_INSTALLED else ("-p", "faithview.testing.plugin")),
            "--faithview-judge=lexical",
            *("-p", "no:cacheprovider", "-p", "no:randomly"),
            *WITHOUT_OTHER_PLUGINS,
            *options,
        ]
        return pytester.runpytest_subprocess(*given) if apart else pytester.runpytest_inprocess(*given)

    return run


@pytest.fixture
def store(store_file: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{store_file}") as opened:
        yield opened


def stored(store: Store) -> Evaluation:
    """The newest run."""
    return store.run(store.runs()[0].run.run_id)


def test_without_a_store_tests_pass_and_fail_and_nothing_else_happens(project: Run) -> None:
    result = project(hour=11)
    result.assert_outcomes(passed=4)
    result.stdout.no_fnmatch_line("*faithview*run*")
    failing = f"""
        def test_it(faithfulness):
            faithfulness.assert_faithful("The office opens at 11 am.", {CONTEXT!r})
    """
    result = project(tests=failing)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*AnswerNotFaithful: 0 of 1 claim*", "E *Chunk 1 says “9 am.”, the answer “11 am.”*"])
    assert current_options().judge is None  # as it was before


def test_every_answer_of_a_session_is_a_row_of_one_run(project: Run, store: Store) -> None:
    result = project(f"--faithview-db={store_url(store)}", "--faithview-run=mine", hour=11)
    result.assert_outcomes(passed=4)
    run = stored(store)
    assert (run.summary.run.name, run.summary.run.judge.name, run.summary.run.source) == ("mine", "lexical", "pytest")
    assert [(r.sample.key, r.sample.segment, r.faithfulness) for r in run.results] == [
        ("test_answers.py::test_hours[11]", "times", 0.0),
        ("test_answers.py::test_hours[9]", "times", 1.0),
        ("test_answers.py::test_parking", "test_answers.py", 1.0),
        ("test_answers.py::test_two", "test_answers.py", 1.0),
        ("test_answers.py::test_two#2", "test_answers.py", 1.0),
    ]
    assert run.results[2].sample.question == "What does parking cost?"
    assert run.summary.run.threshold == 0.8
    result.stdout.fnmatch_lines([f"run mine ({run.run_id}): faithfulness 0.80 (*, n 5)"])


def test_a_session_is_stored_in_the_store_of_a_project(
    project: Run, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = tmp_path / "secrets.toml"
    described = {"support": store_url(store), "sales": f"sqlite:///{tmp_path / 'sales.db'}"}
    secrets.write_text(
        "".join(f'[faithview.projects.{name}]\ndb = "{url}"\n' for name, url in described.items()),
        encoding="utf-8",
    )
    monkeypatch.setenv("FAITHVIEW_SECRETS", str(secrets))
    project("--faithview-project=support", "--faithview-run=mine").assert_outcomes(passed=4)
    assert stored(store).summary.run.name == "mine"
    project("--faithview-project=support", "--faithview-baseline=mine").assert_outcomes(passed=4)
    assert not (tmp_path / "sales.db").exists()
    for options, message in (
        (["--faithview-project=sale"], "*--faithview-project: There is no project 'sale'; the projects are: *"),
        (
            ["--faithview-project=sales", f"--faithview-db={store_url(store)}"],
            "*Give either --faithview-db or --faithview-project, not both.",
        ),
    ):
        result = project(*options)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines([message])


@pytest.mark.process
def test_a_run_is_named_after_branch_and_commit(
    project: Run, store: Store, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        done = subprocess.run(["git", *who, *words], cwd=pytester.path, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(pytester.path.parent))
    project(f"--faithview-db={store_url(store)}")
    assert store.runs()[0].run.name == "pytest"
    git("init", "-q", "-b", "topic/new")
    git("add", ".")
    git("commit", "-qm", "x")
    project(f"--faithview-db={store_url(store)}")
    commit = git("rev-parse", "--short", "HEAD")
    assert store.runs()[0].run.name == f"topic/new@{commit}"
    git("checkout", "-q", "--detach")
    project(f"--faithview-db={store_url(store)}")
    assert store.runs()[0].run.name == commit
    monkeypatch.setenv("GITHUB_REF_NAME", "main")
    project(f"--faithview-db={store_url(store)}")
    assert store.runs()[0].run.name == f"main@{commit}"


def many(answer: str, question: str = "Question") -> str:
    return f"""
        import pytest
        @pytest.mark.parametrize("number", range(12))
        def test_it(faithfulness, number):
            faithfulness.check("{answer}", {CONTEXT!r}, f"{question} {{number}}?")
    """


def test_a_regression_fails_a_session_whose_tests_pass_and_names_the_tests(project: Run, store: Store) -> None:
    url = store_url(store)
    first = project(f"--faithview-db={url}", "--faithview-run=good", tests=many("The office opens at 9 am."))
    assert first.ret == pytest.ExitCode.OK
    same = project(f"--faithview-db={url}", "--faithview-baseline=good", tests=many("The office opens at 9 am."))
    assert same.ret == pytest.ExitCode.OK
    same.stdout.fnmatch_lines(["No regression since good: *, n 12 pairs*"])
    worse = project(f"--faithview-db={url}", "--faithview-baseline=good", tests=many("The office opens at 11 am."))
    worse.assert_outcomes(passed=12)
    assert worse.ret == pytest.ExitCode.TESTS_FAILED
    worse.stdout.fnmatch_lines(
        [
            "  1.00 -> 0.00  test_answers.py::test_it?0?",
            "  … 2 more answers worse",
            "FAILED: faithfulness fell by 1.0000 since good (p = *)",
        ]
    )


def test_the_previous_run_can_be_the_baseline(project: Run, store: Store) -> None:
    baseline = (f"--faithview-db={store_url(store)}", f"--faithview-baseline={PREVIOUS}")
    first = project(*baseline, tests=many("The office opens at 9 am."))
    assert first.ret == pytest.ExitCode.OK
    first.stdout.fnmatch_lines(["There is no earlier complete run by this judge on these questions*"])
    other = project(*baseline, "--faithview-require-baseline", tests=many("Owners can add members.", "Other"))
    other.assert_outcomes(passed=12)
    assert other.ret == pytest.ExitCode.TESTS_FAILED
    other.stdout.fnmatch_lines(["FAILED: there is no earlier complete run by this judge on these questions*"])
    same = project(*baseline, "--faithview-require-baseline", tests=many("The office opens at 9 am."))
    assert same.ret == pytest.ExitCode.OK
    same.stdout.fnmatch_lines(
        ["No regression since pytest: faithfulness 1.00 -> 1.00, 0.00 (*), p 1.00, n 12 pairs; *"]
    )
    assert project(*baseline, tests=many("The office opens at 9 am.")).ret == pytest.ExitCode.OK
    assert project(*baseline, tests=many("The office opens at 11 am.")).ret == pytest.ExitCode.TESTS_FAILED


def test_the_configuration_says_the_same_and_the_command_line_comes_first(
    project: Run, store: Store, pytester: pytest.Pytester
) -> None:
    pytester.makeini(
        f"[pytest]\nfaithview_db = {store_url(store)}\nfaithview_run = from the file\nfaithview_min_score = 0.5\n"
    )
    tests = f"""
        import pytest
        ANSWER = "Parking is free for guests. The office opens at 9 am on Mondays."
        def test_default(faithfulness):
            faithfulness.assert_faithful(ANSWER, {CONTEXT!r})
        @pytest.mark.faithview(min_score=0.9)
        def test_marker(faithfulness):
            faithfulness.assert_faithful(ANSWER, {CONTEXT!r})
        def test_argument(faithfulness):
            faithfulness.assert_faithful(ANSWER, {CONTEXT!r}, min_score=0.9)
        def test_plain():
            from faithview.testing import assert_faithful
            assert_faithful(ANSWER, {CONTEXT!r})
    """
    result = project("--strict-markers", tests=tests)
    result.assert_outcomes(passed=2, failed=2)
    assert (stored(store).summary.run.name, stored(store).summary.run.threshold) == ("from the file", 0.5)
    project("--faithview-run=from the line", "--faithview-min-score=0.9", tests=tests).assert_outcomes(failed=4)
    assert (stored(store).summary.run.name, stored(store).summary.run.threshold) == ("from the line", 0.9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--faithview-baseline=x"], "*also give --faithview-db or --faithview-project."),
        (["--faithview-min-score=80"], "*is '80'; give a number from 0 to 1."),
        (["--faithview-min-score=much"], "*is 'much'; give a number from 0 to 1."),
        (["--faithview-db=STORE", "--faithview-baseline=nope"], "*There is no run 'nope'*"),
        (["--faithview-db=nonsense://", "--faithview-baseline=x"], "*--faithview-db: *"),
        (["--faithview-db=nonsense"], "*--faithview-db: The database URL cannot be read.*"),
        (["--faithview-db=mysql://host/name"], "*--faithview-db: FaithView supports SQLite, and PostgreSQL*"),
        (["--faithview-db=nonsense", "--faithview-baseline=previous"], "*--faithview-db: *"),
        (["--faithview-db=sqlite:///FILE/store.db", "--faithview-baseline=previous"], "*--faithview-db: *"),
        (["--faithview-db="], "*--faithview-db is empty; give it a value*"),
        (["--faithview-db=STORE", "--faithview-baseline= "], "*--faithview-baseline is empty*"),
        (["--faithview-db=STORE", "--faithview-require-baseline"], "*has no effect without --faithview-baseline*"),
    ],
)
def test_what_cannot_be_used_is_said_before_anything_is_judged(
    project: Run, store: Store, store_file: Path, options: list[str], message: str
) -> None:
    result = project(
        *(option.replace("STORE", store_url(store)).replace("FILE", str(store_file)) for option in options)
    )
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])
    assert len(store.runs()) == 0


def test_a_store_that_fails_is_said_and_never_makes_a_test_fail(project: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = project(f"--faithview-db=sqlite:///{tmp_path / 'file' / 'store.db'}")
    result.assert_outcomes(passed=4)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["warning: 5 answers could not be stored: *"])


def test_a_store_that_fails_at_the_end_fails_the_gate(
    project: Run, store: Store, store_file: Path, pytester: pytest.Pytester
) -> None:
    project(f"--faithview-db={store_url(store)}", "--faithview-run=good")
    pytester.makeconftest(
        f"""
        import pathlib, pytest
        @pytest.fixture(autouse=True, scope="session")
        def _broken():
            yield
            pathlib.Path({str(store_file)!r}).write_bytes(b"no database" * 1000)
        """
    )
    store.close()
    for left in store_file.parent.glob(f"{store_file.name}-*"):
        left.unlink()
    result = project(f"--faithview-db=sqlite:///{store_file}", "--faithview-baseline=good")
    result.assert_outcomes(passed=4)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["warning: 5 answers could not be stored: *", "FAILED: it is not known whether *"])


def test_a_session_that_judges_nothing_stores_nothing_and_says_so(project: Run, store: Store) -> None:
    result = project(f"--faithview-db={store_url(store)}", tests="def test_it(): pass")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["warning: No test judged an answer with the fixture*"])
    project(f"--faithview-db={store_url(store)}", "--collect-only")
    assert len(store.runs()) == 0


def test_a_test_that_is_tried_again_has_one_row_with_its_last_answer(
    project: Run, store: Store, pytester: pytest.Pytester
) -> None:
    # What pytest-rerunfailures does, and the tests of this repository.
    pytester.makeconftest(
        """
        from _pytest.runner import runtestprotocol
        def pytest_runtest_protocol(item, nextitem):
            reports = runtestprotocol(item, nextitem=nextitem, log=False)
            if any(report.failed for report in reports):
                for report in reports:
                    if report.failed:
                        report.outcome = "rerun"
                    item.ihook.pytest_runtest_logreport(report=report)
                item._initrequest()
                reports = runtestprotocol(item, nextitem=nextitem, log=False)
            for report in reports:
                item.ihook.pytest_runtest_logreport(report=report)
            return True
        """
    )
    tests = f"""
        hours = [11, 9]
        def test_it(faithfulness):
            faithfulness.assert_faithful(f"The office opens at {{hours.pop(0)}} am.", {CONTEXT!r})
    """
    result = project(f"--faithview-db={store_url(store)}", tests=tests)
    assert result.ret == pytest.ExitCode.OK
    assert [(r.sample.key, r.faithfulness) for r in stored(store).results] == [("test_answers.py::test_it", 1.0)]


def test_ids_that_no_store_can_hold_are_shortened_and_stay_different(project: Run, store: Store) -> None:
    tests = f"""
        import pytest
        @pytest.mark.parametrize("text", ["x" * 2000 + "a", "x" * 2000 + "b", "\\x00\\ud800\\x1b[31m"])
        def test_it(faithfulness, text):
            faithfulness.check("Parking is free for guests.", {CONTEXT!r})
    """
    project(f"--faithview-db={store_url(store)}", tests=tests).assert_outcomes(passed=3)
    keys = [result.sample.key for result in stored(store).results]
    assert len(set(keys)) == 3
    assert max(map(len, keys)) <= 500
    assert row_name("a\x00\ud800") == "a\\x00\\ud800"


@pytest.mark.process
def test_workers_judge_and_the_controller_alone_writes(project: Run, store: Store, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import os, pathlib
        from faithview.services.guard import guard
        from faithview.services.runs import create
        def noting(name, inner):
            def note(*args, **kwargs):
                with pathlib.Path(name).open("a") as file:
                    file.write(f"{os.getpid()}\\n")
                return inner(*args, **kwargs)
            return note
        guard.create_judge = noting("judges", guard.create_judge)
        create.save_judged = noting("writers", create.save_judged)
        """
    )
    result = project(
        f"--faithview-db={store_url(store)}",
        "-n2",
        tests=dedent(many("The office opens at 9 am.")) + dedent(TESTS),
        apart=True,
    )
    result.assert_outcomes(passed=16)
    run = stored(store)
    assert len(run.results) == 17
    assert [r.sample.key for r in run.results] == sorted(r.sample.key for r in run.results)
    builders = (pytester.path / "judges").read_text().split()
    assert len(builders) == len(set(builders)) == 2  # one judge a worker, for eight tests each
    (writer,) = (pytester.path / "writers").read_text().split()
    assert writer not in builders
    assert len(store.runs()) == 1


@pytest.mark.process
def test_what_a_dead_worker_had_judged_is_stored(project: Run, store: Store) -> None:
    tests = f"""
        import os
        def test_first(faithfulness):
            faithfulness.check("Parking is free for guests.", {CONTEXT!r})
        def test_second():
            os._exit(3)
        def test_third(faithfulness):
            faithfulness.check("Owners can add members.", {CONTEXT!r})
    """
    result = project(f"--faithview-db={store_url(store)}", "-n1", tests=tests, apart=True)
    result.assert_outcomes(passed=2, failed=1)
    assert [r.sample.key for r in stored(store).results] == [
        "test_answers.py::test_first",
        "test_answers.py::test_third",
    ]


@pytest.mark.process
def test_installed_it_loads_itself_and_imports_nothing_until_it_is_used(tmp_path: Path) -> None:
    # As pip leaves it: the files of the package, and beside them what its metadata says.
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    site = tmp_path / "site"
    info = site / "faithview-0.0.1.dist-info"
    info.mkdir(parents=True)
    (site / "faithview").symlink_to(ROOT / "faithview", target_is_directory=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: faithview\nVersion: 0.0.1\n", encoding="utf-8")
    points = "\n".join(f"{name} = {target}" for name, target in project["entry-points"]["pytest11"].items())
    (info / "entry_points.txt").write_text(f"[pytest11]\n{points}\n", encoding="utf-8")
    (info / "RECORD").write_text("faithview/__init__.py,,\n", encoding="utf-8")
    (tmp_path / "test_it.py").write_text(
        "import sys\n"
        "def test_it(pytestconfig):\n"
        "    assert pytestconfig.pluginmanager.hasplugin('faithview')\n"
        "    print('loaded:', *sorted(name for name in sys.modules if name.partition('.')[0] == 'faithview'))\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-W", "error", "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider"]
    command += [*WITHOUT_OTHER_PLUGINS, "test_it.py"]
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (loaded,) = re.findall(r"loaded: (.+)", done.stdout)
    assert loaded.split() == [
        "faithview",
        "faithview.domain",
        "faithview.domain.lazy_exports",
        "faithview.testing",
        "faithview.testing.options",
        "faithview.testing.plugin",
        "faithview.version",
    ]
    command.insert(-1, "-pno:faithview")
    (tmp_path / "test_it.py").write_text("import sys\ndef test_it(): assert 'faithview' not in sys.modules\n")
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def store_url(store: Store) -> str:
    return store.database_url
