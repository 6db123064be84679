"""The unit of the benchmark: four small games in plain Python, as a user would write them.

Each has a list as its board, `legal_moves`, `apply`, `winner` and `is_over`. They are written to be
read, not to be fast: no tables, no bit masks, no moves stored between turns.
"""

from __future__ import annotations

TRIPLES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    """Nine cells. Three in a row win."""

    def __init__(self) -> None:
        self.board: list[int | None] = [None] * 9
        self.player = 0

    def legal_moves(self) -> list[int]:
        return [cell for cell in range(9) if self.board[cell] is None]

    def apply(self, cell: int) -> None:
        self.board[cell] = self.player
        self.player = 1 - self.player

    def winner(self) -> int | None:
        for a, b, c in TRIPLES:
            if self.board[a] is not None and self.board[a] == self.board[b] == self.board[c]:
                return self.board[a]
        return None

    def is_over(self) -> bool:
        return self.winner() is not None or None not in self.board


class ConnectFour:
    """Six rows, seven columns. The check looks along the four lines through the last disc."""

    ROWS, COLUMNS = 6, 7
    LINES = ((0, 1), (1, 0), (1, 1), (1, -1))

    def __init__(self) -> None:
        self.board: list[list[int | None]] = [
            [None] * self.COLUMNS for _ in range(self.ROWS)
        ]  # row 0 is the lowest
        self.player = 0
        self.last: tuple[int, int] | None = None

    def legal_moves(self) -> list[int]:
        return [
            column for column in range(self.COLUMNS) if self.board[self.ROWS - 1][column] is None
        ]

    def apply(self, column: int) -> None:
        for row in range(self.ROWS):
            if self.board[row][column] is None:
                self.board[row][column] = self.player
                self.last = (row, column)
                break
        self.player = 1 - self.player

    def run(self, row: int, column: int, down: int, right: int) -> int:
        """Return the number of discs like the one at (row, column) beyond it in one direction."""
        owner = self.board[row][column]
        length = 0
        while True:
            row, column = row + down, column + right
            if (
                not (0 <= row < self.ROWS and 0 <= column < self.COLUMNS)
                or self.board[row][column] != owner
            ):
                return length
            length += 1

    def winner(self) -> int | None:
        if self.last is None:
            return None
        row, column = self.last
        for down, right in self.LINES:
            if 1 + self.run(row, column, down, right) + self.run(row, column, -down, -right) >= 4:
                return self.board[row][column]
        return None

    def is_over(self) -> bool:
        return self.winner() is not None or not self.legal_moves()


class Breakthrough:
    """Eight by eight. Pieces step forward, straight or diagonally, and capture diagonally. A player
    wins on the far row, or by capturing the last enemy piece."""

    SIZE = 8

    def __init__(self) -> None:
        self.board: list[list[int | None]] = [[None] * self.SIZE for _ in range(self.SIZE)]
        for column in range(self.SIZE):
            self.board[0][column] = self.board[1][column] = 0
            self.board[6][column] = self.board[7][column] = 1
        self.player = 0

    def legal_moves(self) -> list[tuple[int, int, int, int]]:
        moves = []
        forward = 1 if self.player == 0 else -1
        for row in range(self.SIZE):
            for column in range(self.SIZE):
                if self.board[row][column] != self.player:
                    continue
                for to in (column - 1, column, column + 1):
                    if not (0 <= to < self.SIZE and 0 <= row + forward < self.SIZE):
                        continue
                    target = self.board[row + forward][to]
                    if target is None or (target != self.player and to != column):
                        moves.append((row, column, row + forward, to))
        return moves

    def apply(self, move: tuple[int, int, int, int]) -> None:
        row, column, to_row, to_column = move
        self.board[to_row][to_column] = self.player
        self.board[row][column] = None
        self.player = 1 - self.player

    def winner(self) -> int | None:
        if 0 in self.board[self.SIZE - 1]:
            return 0
        if 1 in self.board[0]:
            return 1
        for player in (0, 1):
            if not any(player in row for row in self.board):
                return 1 - player
        return None

    def is_over(self) -> bool:
        return self.winner() is not None


class Hex:
    """Eleven by eleven. Player 0 connects the first row to the last, player 1 the first column to
    the last."""

    SIZE = 11
    NEIGHBOURS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))

    def __init__(self) -> None:
        self.board: list[list[int | None]] = [[None] * self.SIZE for _ in range(self.SIZE)]
        self.player = 0
        self.last: tuple[int, int] | None = None

    def legal_moves(self) -> list[tuple[int, int]]:
        return [
            (r, c) for r in range(self.SIZE) for c in range(self.SIZE) if self.board[r][c] is None
        ]

    def apply(self, cell: tuple[int, int]) -> None:
        row, column = cell
        self.board[row][column] = self.player
        self.last = cell
        self.player = 1 - self.player

    def winner(self) -> int | None:
        """Return the owner of the last stone if its chain touches both of their edges."""
        if self.last is None:
            return None
        owner = 1 - self.player
        seen = {self.last}
        waiting = [self.last]
        while waiting:
            row, column = waiting.pop()
            for down, right in self.NEIGHBOURS:
                near = (row + down, column + right)
                if near in seen or not (0 <= near[0] < self.SIZE and 0 <= near[1] < self.SIZE):
                    continue
                if self.board[near[0]][near[1]] == owner:
                    seen.add(near)
                    waiting.append(near)
        touched = {cell[owner] for cell in seen}
        return owner if 0 in touched and self.SIZE - 1 in touched else None

    def is_over(self) -> bool:
        return self.winner() is not None


GAMES = {
    "tic_tac_toe": TicTacToe,
    "connect_four": ConnectFour,
    "breakthrough": Breakthrough,
    "hex": Hex,
}
