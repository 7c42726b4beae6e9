"""Samples: where they come from, how they are kept, how they are changed while a network learns from them.

`sets` lists the kinds; `mnist`, `cifar` and `stl10` read them, `npm` fetches packages, `made` makes images that mean
nothing; `augment` turns, shifts and cuts. Flows are solved in the room `flow`.
"""
