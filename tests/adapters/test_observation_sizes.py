"""The adapters agree on the size of an observation, for every game."""

from __future__ import annotations

from math import prod
from pathlib import Path

import pyspiel
import pytest
from open_spiel.python.observation import make_observation

import rulekit
from rulekit.adapters import openspiel
from rulekit.adapters.pettingzoo import RulekitEnv
from rulekit.adapters.tensors import Planes

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [
    path.parent
    for part in ("examples", "games")
    for path in sorted((ROOT / part).glob("*/game.yaml"))
    if "rulekit: library" not in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_all_adapters_agree_on_the_size_of_an_observation(folder: Path) -> None:
    planes = Planes(rulekit.load(folder).table().names)
    assert len({plane.name for plane in planes.planes}) == len(planes.planes)
    game = pyspiel.load_game(openspiel.SHORT_NAME, {"game": str(folder)})
    seen = make_observation(game)
    environment = RulekitEnv(str(folder))
    agent = environment.possible_agents[0]
    assert seen.tensor.shape == (sum(part.size for part in seen.dict.values()),) == (planes.size,)
    assert (
        prod(game.observation_tensor_shape())
        == planes.size
        == prod(environment.observation_space(agent)["observation"].shape)
    )
    environment.reset(seed=1)
    assert environment.observe(agent)["observation"].shape == (planes.size,)
