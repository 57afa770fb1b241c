"""What a help text has besides a command's own words: its options in groups, and examples."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

EXAMPLES: Mapping[str, Sequence[str]] = {
    "": (
        "faithview demo",
        "faithview evaluate answers.jsonl --name monday",
        "faithview compare monday tuesday",
    ),
    "demo": ("faithview demo", "faithview demo --port 8600 --no-browser"),
    "ui": ("faithview ui", "faithview ui --host 0.0.0.0 --port 8080 --no-browser"),
    "check": (
        "faithview check --answer 'Open at 9.' --context 'At 8.'",
        "faithview check --answer @answer.txt --context-file kb.txt",
        "faithview check --answer - --context @kb.txt < answer.txt",
    ),
    "guard": (
        "faithview guard --answer @a.txt --context-file kb.jsonl",
        "faithview guard --answer - --context @kb.txt < answer.txt",
        "faithview guard --answer @a.txt --context @c.txt --json",
    ),
    "doctor": ("faithview doctor", "faithview doctor --no-call", "faithview doctor --judge openai:gpt-4.1-mini"),
    "evaluate": (
        "faithview evaluate answers.jsonl --name monday",
        "faithview evaluate a.csv --map answer=reply --preview",
        "faithview evaluate answers.jsonl --fail-under 0.8",
    ),
    "import": ("faithview import ragas.csv --name ragas", "faithview import results.json --preview"),
    "pull": (
        "faithview pull langfuse --since 7d -o traces.jsonl",
        "faithview pull phoenix --source-project support",
        "faithview pull mlflow --source-project bot --run mlflow",
    ),
    "resume": ("faithview resume monday", "faithview resume monday --retry-failed"),
    "rejudge": (
        "faithview rejudge monday --judge openai:gpt-4.1-mini",
        "faithview rejudge monday --judge lexical --estimate",
    ),
    "watch": ("faithview watch --sample 0.05", "faithview watch --once --application support"),
    "run": (
        "faithview run list",
        "faithview run show monday",
        "faithview run rename monday baseline",
    ),
    "run list": ("faithview run list", "faithview run list --series support --json", "faithview run list --archived"),
    "run show": ("faithview run show monday", "faithview run show monday --json"),
    "run rename": ("faithview run rename monday baseline", "faithview run rename 01JD3 'Before the update'"),
    "run note": ("faithview run note monday 'New prompt'", "faithview run note monday ''"),
    "run archive": ("faithview run archive monday", "faithview run archive monday --json"),
    "run unarchive": ("faithview run unarchive monday", "faithview run unarchive monday --json"),
    "run delete": ("faithview run delete monday", "faithview run delete monday --yes"),
    "compare": (
        "faithview compare monday tuesday",
        "faithview compare monday tuesday --fail-on-regression",
        "faithview compare monday tuesday --view corrected",
    ),
    "slices": ("faithview slices monday", "faithview slices monday --view reviewed --json"),
    "report": ("faithview report monday -o report.html", "faithview report monday tuesday -o changes.html"),
    "export": (
        "faithview export monday -o monday.jsonl",
        "faithview export monday --format csv -o monday.csv",
        "faithview export monday -o - | head -1",
    ),
    "labels import": (
        "faithview labels import monday labels.jsonl",
        "faithview labels import monday labels.csv --spot-check 3",
    ),
    "labels export": ("faithview labels export monday -o labels.csv", "faithview labels export monday --json"),
    "labels agreement": ("faithview labels agreement monday", "faithview labels agreement monday --json"),
    "serve": ("faithview serve", "faithview serve --port 9000 --judge lexical"),
    "bench": ("faithview bench labelled.jsonl", "faithview bench labelled.jsonl --judge lexical --explain 5"),
    "fit": ("faithview fit labelled.jsonl -o model.json", "faithview fit a.jsonl b.jsonl -o model.json"),
    "series list": ("faithview series list", "faithview series list --json"),
    "series move": ("faithview series move monday support", "faithview series move monday 'New series'"),
    "series rename": ("faithview series rename support 'Help desk'", "faithview series rename old existing"),
    "datasets list": ("faithview datasets list", "faithview datasets list --json"),
    "datasets show": ("faithview datasets show support", "faithview datasets show support --search refund --limit 5"),
    "datasets tag": (
        "faithview datasets tag support hard --row q17 --row q18",
        "faithview datasets tag support hard --all --remove",
    ),
    "datasets hold-out": (
        "faithview datasets hold-out support --share 0.2",
        "faithview datasets hold-out support --all --release",
    ),
    "datasets export": (
        "faithview datasets export support -o rows.jsonl",
        "faithview datasets export support --tag hard -o hard.jsonl",
    ),
    "datasets rename": ("faithview datasets rename support desk", "faithview datasets rename old 'New name'"),
    "datasets delete": ("faithview datasets delete support", "faithview datasets delete support --yes"),
    "spot-check draw": (
        "faithview spot-check draw monday --size 100",
        "faithview spot-check draw monday --size 50 --seed 1",
        "faithview spot-check draw a b --size 80 --unit answers",
    ),
    "spot-check list": ("faithview spot-check list", "faithview spot-check list --json"),
    "spot-check show": ("faithview spot-check show 3", "faithview spot-check show 3 --json"),
    "event add": (
        "faithview event add 'New prompt' --at 2026-11-02",
        "faithview event add Update --at 2026-11-02T09:00Z",
    ),
    "event list": ("faithview event list", "faithview event list --series support --json"),
    "event delete": ("faithview event delete 4", "faithview event delete 4 --yes"),
    "alert add": (
        "faithview alert add --below 0.8",
        "faithview alert add --fell 0.05 --segment billing",
        "faithview alert add --coverage 0.95",
    ),
    "alert list": ("faithview alert list", "faithview alert list --json"),
    "alert acknowledge": ("faithview alert acknowledge 7", "faithview alert acknowledge 7 --json"),
    "alert delete": ("faithview alert delete 2", "faithview alert delete 2 --yes"),
    "kb add": ("faithview kb add 2026-11 chunks.jsonl", "faithview kb add v2 chunks.csv --json"),
    "kb list": ("faithview kb list", "faithview kb list --json"),
    "kb check": ("faithview kb check 2026-11", "faithview kb check docs/ --against 2026-11 --run monday"),
    "kb diff": ("faithview kb diff 2026-10 2026-11", "faithview kb diff v1 v2 --runs monday tuesday"),
    "kb preflight": (
        "faithview kb preflight docs/ --fail-over 0",
        "faithview kb preflight kb.jsonl --run monday -o a.html",
        "faithview kb preflight docs/ --judge openai:m --estimate",
    ),
    "kb delete": ("faithview kb delete 2026-10", "faithview kb delete 2026-10 --yes"),
    "mappings list": ("faithview mappings list", "faithview mappings list --json"),
    "mappings delete": ("faithview mappings delete acme", "faithview mappings delete acme --yes"),
    "retention": (
        "faithview retention --keep 90d --dry-run",
        "faithview retention --keep 90d --yes",
        "faithview retention --keep 90d --keep-scores --yes",
    ),
    "db upgrade": ("faithview db upgrade", "faithview db upgrade --db sqlite:///team.db"),
    "db check": ("faithview db check", "faithview db check --schema --quiet"),
    "db backup": ("faithview db backup", "faithview db backup backup.db"),
    "db restore": ("faithview db restore backup.db", "faithview db restore backup.db --db sqlite:///new.db"),
    "completion": (
        "faithview completion bash >> ~/.bashrc",
        "faithview completion zsh > ~/.zfunc/_faithview",
        "faithview completion fish > faithview.fish",
    ),
}


# With fewer options, headings only get in the way.
_FEWEST_TO_GROUP = 9
_OTHERS = "Options"
# Option by option, in the order of the groups in a help text.
_GROUPS: Mapping[str, Sequence[str]] = {
    "Input": (
        *("--answer", "--context", "--context-file", "--question", "--generate", "--format", "--with", "--map"),
        *("--mapping", "--save-mapping", "--segment", "--date-format", "--limit", "--preview"),
    ),
    "Run": ("--run", "--name", "--series", "--dataset", "--kb", "--kb-version", "--repeat", "--threshold"),
    "Judge": (
        *("--judge", "--method", "--cascade-share", "--strictness", "--prompt", "--companions", "--judge-option"),
        *("--no-cache", "--max-retries"),
    ),
    "Speed": (
        *("--concurrency", "--workers", "--batch", "--poll", "--engine", "--ray-address", "--ray-workers"),
        "--ray-gpus",
    ),
    "Budget": ("--estimate", "--max-calls", "--max-cost"),
    "Gates": (
        "--fail-under",
        "--min-coverage",
        "--fail-on-regression",
        "--fail-over",
        "--baseline",
        "--require-baseline",
    ),
    _OTHERS: (),
    "Store and output": ("--db", "--project", "--json", "--log-level", "--log-format", "--help"),
}
_GROUP_OF = {option: title for title, options in _GROUPS.items() for option in options}


def write_options(parameters: Iterable[Any], context: Any, formatter: Any) -> None:
    """Write the arguments and the options of a command, the options of a long command in groups."""
    for title, records in group_options(parameters, context).items():
        with formatter.section(title):
            formatter.write_dl(records)


def group_options(parameters: Iterable[Any], context: Any) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return the names and meanings of the arguments and options of a command, by the title that they are under."""
    arguments: list[tuple[str, str]] = []
    options: list[tuple[str, tuple[str, str]]] = []
    for parameter in parameters:
        record = parameter.get_help_record(context)
        if record is None:
            continue
        if parameter.param_type_name == "argument":
            arguments.append(record)
        else:
            options.append((option_group(parameter.opts), record))
    if len(options) < _FEWEST_TO_GROUP:
        options = [(_OTHERS, record) for _, record in options]
    sections = {"Arguments": arguments} | {
        title: [record for group, record in options if group == title] for title in _GROUPS
    }
    return {title: records for title, records in sections.items() if records}


def option_group(names: Iterable[str]) -> str:
    """Return the title of the group that an option of these names is in."""
    return next((_GROUP_OF[name] for name in names if name in _GROUP_OF), _OTHERS)


def examples_of(command_path: str) -> Sequence[str]:
    """Return the examples of a command, such as "faithview run list"."""
    return EXAMPLES.get(command_path.partition(" ")[2], ())


def examples_of_group(group_path: str, names: Iterable[str]) -> Sequence[str]:
    """Return the examples of a group, or one of each of its first commands."""
    path = group_path.partition(" ")[2]
    return EXAMPLES.get(path) or [EXAMPLES[f"{path} {name}"][0] for name in list(names)[:3]]


def write_examples(examples: Sequence[str], formatter: Any) -> None:
    """Write the examples, each a line to copy."""
    if examples:
        with formatter.section("Examples"):
            indent = " " * formatter.current_indent
            formatter.write("".join(f"{indent}{line}\n" for line in examples))
