"""Hidden information: visibility, observations, information sets and determinizations."""
