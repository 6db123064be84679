"""Takes nothing, makes `Span`: a place in a file of the author's, which every later stage carries
along."""

from __future__ import annotations

from attrs import frozen


@frozen(slots=True)
class Span:
    """A stretch of text. Lines and columns count from 1; `end_column` is one past the last
    character."""

    file: str
    line: int
    column: int
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def holds(self, other: Span) -> bool:
        """Does the other stretch lie in this one?"""
        begins = (self.line, self.column) <= (other.line, other.column)
        return (
            self.file == other.file
            and begins
            and (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        )

    def to(self, other: Span) -> Span:
        """The stretch from the beginning of this one to the end of `other` (of the same file)."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("", 0, 0, 0, 0)
