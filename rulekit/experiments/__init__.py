"""Experiments: many games on all cores or on a cluster, sweeps over settings, leagues, and reports
with plots.
"""
