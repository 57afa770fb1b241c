"""What a help text has besides a command's own words: its options in groups, and examples."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from faithview.cli.examples import EXAMPLES

# With fewer options, headings only get in the way.
_FEWEST_TO_GROUP = 9
_OTHERS = "Options"
# Option by option, in the order of the groups in a help text.
_GROUPS: Mapping[str, Sequence[str]] = {
    "Input": (
        *("--answer", "--context", "--context-file", "--question", "--generate", "--format", "--with", "--map"),
        *("--mapping", "--save-mapping", "--segment", "--date-format", "--limit", "--preview"),
    ),
    "Run": ("--name", "--series", "--dataset", "--kb", "--kb-version", "--repeat", "--threshold"),
    "Judge": (
        *("--judge", "--method", "--strictness", "--prompt", "--companions", "--judge-option", "--no-cache"),
        "--max-retries",
    ),
    "Speed": (
        *("--concurrency", "--workers", "--batch", "--poll", "--engine", "--ray-address", "--ray-workers"),
        "--ray-gpus",
    ),
    "Budget": ("--estimate", "--max-calls", "--max-cost"),
    "Gates": ("--fail-under", "--min-coverage", "--fail-on-regression", "--baseline", "--require-baseline"),
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
