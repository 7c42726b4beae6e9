"""Runs: each a folder that survives being killed.

`tasks` says what is learned and measured, `rates` the learning rate of every step, `parallel` how processes share a
batch, `folder` what is kept, `fit` trains, `many` makes several runs side by side.
"""
