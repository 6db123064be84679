"""`Span`: a place in an author's file, which all later stages carry along."""

from __future__ import annotations

from attrs import frozen


@frozen(slots=True)
class Span:
    """A range of text. Lines and columns count from 1. `end_column` is one past the last
    character.
    """

    file: str
    line: int
    column: int
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def holds(self, other: Span) -> bool:
        """Return True if the other range lies within this one."""
        begins = (self.line, self.column) <= (other.line, other.column)
        return (
            self.file == other.file
            and begins
            and (other.end_line, other.end_column) <= (self.end_line, self.end_column)
        )

    def to(self, other: Span) -> Span:
        """Return the range from the beginning of this one to the end of `other`, which is in the
        same file.
        """
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("", 0, 0, 0, 0)
