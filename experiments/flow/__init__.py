"""Flows around obstacles: solved here, or by OpenFOAM, as samples for a network.

`obstacles` draws shapes and distances, `lattice` is a lattice Boltzmann solver, `openfoam` writes cases and reads
fields, `channel` puts both into arrays that a network can read.
"""
