"""Takes a graph without geometry, makes a position for each place."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

ROUNDS = 120
CROWD = 250  # above this many places the positions are left on the circle: the cost grows with the square


def _distances(places: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[list[int]]:
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(places)
    graph.add_edges_from(edges)
    far = len(places) ** 0.5 + 2
    lengths = dict(nx.all_pairs_shortest_path_length(graph))
    return [[int(lengths[a].get(b, far)) for b in places] for a in places]


def layout(places: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, tuple[float, float]]:
    """Positions whose distances come near to the distances in the graph; always the same for the same graph."""
    n = len(places)
    xs = [n * cos(2 * pi * i / n) for i in range(n)]
    ys = [n * sin(2 * pi * i / n) for i in range(n)]
    wanted = _distances(places, edges) if n <= CROWD else []
    for _ in range(ROUNDS if wanted else 0):
        for i in range(n):
            weight = sum_x = sum_y = 0.0
            for j in range(n):
                if i != j:
                    want = wanted[i][j]
                    away = hypot(xs[i] - xs[j], ys[i] - ys[j]) or 1e-6
                    w = 1 / (want * want)
                    weight += w
                    sum_x += w * (xs[j] + want * (xs[i] - xs[j]) / away)
                    sum_y += w * (ys[j] + want * (ys[i] - ys[j]) / away)
            if weight:
                xs[i], ys[i] = sum_x / weight, sum_y / weight
    return {place: (xs[i], ys[i]) for i, place in enumerate(places)}
