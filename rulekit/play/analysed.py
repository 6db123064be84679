"""The words of the doors for analysts: the graph of the places, positions, OpenSpiel and PettingZoo; see `rulekit.play.words`."""

ANALYSED: dict[str, tuple[str, ...]] = {
    "graph.none": ("{game} has no kind of borders and no fixed set of places {name}; it has {known}",
                   "{game} n'a ni sorte de bordures ni ensemble fixe de lieux {name} ; il y a {known}"),
    "graph.which": ("say which kind of borders, or which fixed set of places, joins the places of {game}: {known}",
                    "dites quelle sorte de bordures, ou quel ensemble fixe de lieux, joint les lieux de {game} : {known}"),
}
