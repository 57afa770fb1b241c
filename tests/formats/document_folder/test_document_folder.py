"""Folders of documents: which files are read, how they are split at their headings, and what is reported."""

import os
from pathlib import Path

import pytest

from faithview.domain.errors import UnreadableFile
from faithview.formats import document_folder
from faithview.formats.files.report import ReadReport
from faithview.services.knowledge.versions import read_knowledge_base


def _write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def _read(folder: Path, files: dict[str, str | bytes]) -> tuple[dict[str, str], ReadReport]:
    chunks, report = read_knowledge_base(_write(folder, files))
    assert [chunk.rank for chunk in chunks] == list(range(1, len(chunks) + 1))
    return {chunk.chunk_id: chunk.text for chunk in chunks}, report


def test_markdown_is_split_at_its_headings_and_kept_verbatim(tmp_path: Path) -> None:
    text = "Before.\n\n# Plans\n\n## Prices\n\nTeam costs **€19**.\n\nYearly\n------\n\nTwo months free.\n"
    chunks, _ = read_knowledge_base(_write(tmp_path, {"billing/plans.md": text}))
    assert [(c.chunk_id, c.text) for c in chunks] == [
        ("billing/plans.md", "Before."),
        ("billing/plans.md#plans/prices", "## Prices\n\nTeam costs **€19**."),
        ("billing/plans.md#plans/yearly", "Yearly\n------\n\nTwo months free."),
    ]
    assert chunks[1].metadata == {"document": "billing/plans.md", "title": "Plans", "heading": "Plans > Prices"}


def test_a_number_sign_in_code_is_not_a_heading(tmp_path: Path) -> None:
    text = "# Shell\n\n```sh\n# a comment\nls\n```\n\n    # indented code\n\n> # quoted\n"
    found, _ = _read(tmp_path, {"a.md": text})
    assert found == {"a.md#shell": text.strip()}


def test_front_matter_gives_the_title_and_is_not_text(tmp_path: Path) -> None:
    text = '---\ntitle: "Opening hours"\ntags: [a, b]\n---\nWe open at 9.\n'
    chunks, _ = read_knowledge_base(_write(tmp_path, {"a.md": text}))
    assert [(c.text, c.metadata["title"]) for c in chunks] == [("We open at 9.", "Opening hours")]


def test_equal_headings_get_different_ids(tmp_path: Path) -> None:
    found, _ = _read(tmp_path, {"a.md": "# A\n\none\n\n# A\n\ntwo\n"})
    assert found == {"a.md#a": "# A\n\none", "a.md#a-2": "# A\n\ntwo"}


def test_a_long_section_is_split_between_paragraphs(tmp_path: Path) -> None:
    paragraphs = [f"{letter}{' word' * 150}." for letter in "abcde"]
    found, _ = _read(tmp_path, {"a.txt": "\n\n".join(paragraphs)})
    assert list(found.values()) == ["\n\n".join(paragraphs[:2]), "\n\n".join(paragraphs[2:4]), paragraphs[4]]


def test_html_gives_its_visible_text(tmp_path: Path) -> None:
    page = (
        "<!doctype html><html><head><title>Plans &amp; prices</title><style>p {color: red}</style></head><body>"
        "<nav><a href='/'>Home</a></nav><h1>Plans</h1><p>Team costs <b>€19</b>\n a month.<br>Before tax.</p>"
        "<script>if (1 < 2) { alert('x') }</script><h2>Limits</h2><ul><li>50 seats<li>10 inboxes</ul>"
        "<pre>a  b\nc</pre><table><tr><td>Scale</td><td>€39</td></tr></table></body></html>"
    )
    chunks, _ = read_knowledge_base(_write(tmp_path, {"plans.html": page}))
    assert [(c.chunk_id, c.text) for c in chunks] == [
        ("plans.html#plans", "Plans\n\nTeam costs €19 a month.\nBefore tax."),
        ("plans.html#plans/limits", "Limits\n\n50 seats\n\n10 inboxes\n\na  b\nc\n\nScale\n\n€39"),
    ]
    assert chunks[0].metadata["title"] == "Plans & prices"


@pytest.mark.parametrize(
    "page", ["<p>a", "<head><title>t<body><p>a", "a<script>b", "<nav><nav>x</nav></nav>a", "<!-- a"]
)
def test_broken_html_is_read_as_far_as_it_goes(page: str, tmp_path: Path) -> None:
    found, _ = _read(tmp_path, {"a.html": page, "b.txt": "b"})
    assert "a" in found.get("a.html", "a")


def test_files_are_read_in_the_order_of_their_paths(tmp_path: Path) -> None:
    found, _ = _read(tmp_path, {"b.md": "b", "a/z.md": "z", "a.txt": "a", "A/y.markdown": "y"})
    assert list(found) == ["A/y.markdown", "a.txt", "a/z.md", "b.md"]


def test_hidden_files_are_skipped_and_links_are_not_followed(tmp_path: Path) -> None:
    outside = _write(tmp_path / "outside", {"secret.md": "a secret"})
    folder = _write(tmp_path / "kb", {"a.md": "a", ".git/config.md": "x", ".draft.md": "x"})
    (folder / "link.md").symlink_to(outside / "secret.md")
    (folder / "linked").symlink_to(outside)
    (folder / "loop").symlink_to(folder)
    found, report = _read(folder, {})
    assert found == {"a.md": "a"}
    assert report.notes == ["Symbolic links are not followed: 'link.md', 'linked', 'loop'."]


def test_other_kinds_of_file_are_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    _, report = _read(tmp_path, {"a.md": "a", "1.png": b"\x89PNG", "2.pdf": b"%PDF-", "3.docx": b"PK\x03\x04"})
    assert report.notes == [
        "Left out, because only .md, .html and .txt files are read: '1.png', '2.pdf', '3.docx' and 1 more."
    ]


def test_encodings_are_detected_and_reported(tmp_path: Path) -> None:
    found, report = _read(
        tmp_path,
        {
            "a.txt": "\ufeffCafé".encode(),
            "b.txt": "Café".encode("utf-16"),
            "c.txt": "Café au lait".encode("cp1252"),
            "d.txt": b"caf\x81",
            "e.txt": bytes(range(256)),
            "f.txt": "a\x00b",
            "g.txt": "a\r\nb\rc",
            "h.txt": "",
            "i.txt": " \n",
        },
    )
    assert found == {"a.txt": "Café", "b.txt": "Café", "c.txt": "Café au lait", "g.txt": "a\nb\nc"}
    assert report.notes == [
        "Not UTF-8, so read as Windows-1252; check the accented letters, or save as UTF-8: 'c.txt'."
    ]
    problems = [str(problem) for problem in report.problems]
    assert [problem.split(":")[0] for problem in problems] == [f"file {n}" for n in (4, 5, 6, 8)]
    assert problems[0].startswith("file 4: d.txt is not UTF-8: line 1 ")
    assert problems[2] == "file 6: f.txt contains binary data instead of text"


def test_a_file_whose_name_cannot_be_stored_is_reported(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/caf\xe9.md"
    try:
        Path(os.fsdecode(name)).write_text("a")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    _, report = _read(tmp_path, {"a.md": "a"})
    (problem,) = report.problems
    assert "rename the file" in str(problem)
    assert "�" in problem.preview


def test_documents_and_folders_that_are_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _write(tmp_path, {"a.md": "a" * 100, "b.md": "b", "c.md": "c"})
    monkeypatch.setattr(document_folder, "PAGE", 50)
    found, report = _read(folder, {})
    assert list(found) == ["b.md", "c.md"]
    assert "a.md has more than 50 bytes" in str(report.problems[0])
    monkeypatch.undo()
    monkeypatch.setattr(document_folder, "DOCUMENT", 100)
    with pytest.raises(UnreadableFile, match="more than 100 characters"):
        _read(folder, {})


@pytest.mark.parametrize("files", [{}, {"a.png": b"\x89PNG"}, {"a.md": "   "}])
def test_a_folder_without_text_is_refused_in_one_sentence(files: dict[str, str | bytes], tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"has no text in \.md, \.html and \.txt files"):
        _read(tmp_path, files)
