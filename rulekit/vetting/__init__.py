"""Takes situations as read and a game, makes `Case`s to run and diagnostics: what they name that the game does not have, wrong forms."""

from rulekit.vetting.vet import case_of, read_all, vet, vet_ids

__all__ = ["case_of", "read_all", "vet", "vet_ids"]
