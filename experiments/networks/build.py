"""Networks by name: a new one is one function, and one line in the list."""

from __future__ import annotations

from collections.abc import Callable

from torch import nn

from experiments.networks.digits import digits
from experiments.networks.flow import flow
from experiments.networks.natural import natural
from experiments.networks.peer import peer
from experiments.networks.small import small
from experiments.settings.values import Network
from pdobasis.errors import UnknownNameError

NETWORKS: dict[str, Callable[[Network, int], nn.Module]] = {
    "digits": digits,
    "small": small,
    "natural": natural,
    "flow": flow,
    "e2cnn": peer,
}


def build(network: Network, channels: int) -> nn.Module:
    if network.kind not in NETWORKS:
        raise UnknownNameError("network", network.kind, NETWORKS)
    return NETWORKS[network.kind](network, channels)
