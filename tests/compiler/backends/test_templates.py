"""The fixed text of the WebAssembly runtime, and its placeholders."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.compiler.backends.wasm import templates

BACKEND = Path(templates.__file__).parent
FILES = sorted(path.stem for path in (BACKEND / "wat").glob("*.wat"))
SECTIONS = [f"{file}.{section}" for file in FILES for section in templates.sections(file)]
CODE = "".join(path.read_text(encoding="utf-8") for path in BACKEND.glob("*.py"))


def test_all_placeholders_are_filled() -> None:
    text = templates.render("sets.class_span", mask_bytes=16)
    assert "(i32.const 16)" in text and "{" not in text


def test_a_placeholder_without_a_value_is_an_error() -> None:
    with pytest.raises(ValueError, match="mask_bytes"):
        templates.render("sets.class_span")


def test_a_value_without_a_placeholder_is_an_error() -> None:
    with pytest.raises(ValueError, match="words"):
        templates.render("sets.class_span", mask_bytes=16, words=2)


def test_comments_are_left_out() -> None:
    assert not any(";;" in text for file in FILES for text in templates.sections(file).values())


@pytest.mark.parametrize("name", SECTIONS)
def test_each_section_is_used(name: str) -> None:
    """Text that nothing inserts would grow stale. `arithmetic.plus` is named by its operator."""
    file, section = name.split(".")
    assert f'"{name}"' in CODE or (f'f"{file}.{{' in CODE and f'"{section}"' in CODE)


@pytest.mark.parametrize("name", SECTIONS)
def test_braces_stand_around_names_only(name: str) -> None:
    file, section = name.split(".")
    assert all(placeholder.isidentifier() for placeholder in templates.placeholders(file, section))
