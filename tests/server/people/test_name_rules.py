"""The list of names by itself: what makes no sense in it is a sentence that names the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cupboard.server.errors import BadName, BadSettings
from cupboard.server.people.name_rules import NameRules
from cupboard.server.settings import PeopleSettings


def rules(file: Path, data: bytes | None, mode: str = "list") -> NameRules:
    if data is not None:
        file.write_bytes(data)
    return NameRules(PeopleSettings(names=mode, name_list=file))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "mode", "why"),
    [
        (None, "list", "cannot be read: No such file"),
        (b"", "list", "is empty: write a name on each line"),
        (b"\xef\xbb\xbf# nothing\n\n  \n", "checked", "is empty"),
        (b"\xff\xfe\x00", "list", "is not a text file in UTF-8"),
        (b"x" * 41, "list", "is longer than 40 letters"),
        ("a\u200bb".encode(), "list", "has signs that cannot be seen"),
        ("\u3164".encode(), "list", "has signs that cannot be seen"),
        (b"good\n...\n", "checked", "nothing of '...' is a letter"),
        (b"name\n" * 30_000, "list", "is longer than 100000 bytes"),
    ],
)
def test_a_list_that_makes_no_sense_is_a_sentence(tmp_path: Path, data: bytes | None, mode: str, why: str) -> None:
    file = tmp_path / "names.txt"
    with pytest.raises(BadSettings) as refused:
        rules(file, data, mode)
    assert str(file) in str(refused.value) and why in str(refused.value)


def test_a_folder_is_no_list(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="is not a file"):
        rules(tmp_path, None)
    with pytest.raises(BadSettings, match=r"people\.name-list must name a file"):
        NameRules(PeopleSettings(names="checked"))


def test_what_makes_no_sense_later_changes_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    found = rules(tmp_path / "names.txt", b"Fox\r\nOwl\r\nFox\r\n")
    before = ("Fox", "Owl")
    assert found.choices == before
    for data in (b"", b"\xff", b"x" * 50):
        (tmp_path / "names.txt").write_bytes(data)
        assert [found.choices, found.choices] == [before, before]
    assert len(caplog.records) == 3, "each is said once"
    (tmp_path / "names.txt").write_bytes(b"Wolf\n")
    assert list(found.choices) == ["Wolf"]


@given(st.text(max_size=60))
def test_any_name_is_taken_or_refused(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    folder = tmp_path_factory.getbasetemp()
    for mode in ("list", "checked"):
        try:
            taken = rules(folder / f"{mode}.txt", b"idiot\nass\n", mode).check(name)
        except BadName:
            continue
        assert mode == "checked" or taken in ("", "Guest", "idiot", "ass")
        assert "idiot" not in taken.casefold()
