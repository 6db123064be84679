"""Takes games and orders, makes studies: many games on all cores or a cluster, sweeps over
settings, leagues, reports with plots."""
