"""The ranks of a launch, as Lightning and Fabric ask for them: they are there already, and their process group is set up."""

from types import ModuleType
from typing import Any

from lightning.fabric.plugins.environments import ClusterEnvironment

from ddpbench_arms.output import leave_advice_out
from ddpbench_arms.ranks import Ranks
from ddpbench_arms.replica import Request

LOGGERS = ("lightning", "lightning.pytorch", "lightning.fabric")
leave_advice_out(*LOGGERS)


class LaunchEnvironment(ClusterEnvironment):
    """Tells Lightning of the ranks: each is a process of its own, and the launch has set up the process group."""

    def __init__(self, ranks: Ranks) -> None:
        super().__init__()
        self.ranks = ranks

    @property
    def creates_processes_externally(self) -> bool:
        return True

    @property
    def main_address(self) -> str:
        return "127.0.0.1"

    @property
    def main_port(self) -> int:
        return 1

    @staticmethod
    def detect() -> bool:
        return False

    def world_size(self) -> int:
        return self.ranks.world_size

    def set_world_size(self, size: int) -> None:
        pass

    def global_rank(self) -> int:
        return self.ranks.rank

    def set_global_rank(self, rank: int) -> None:
        pass

    def local_rank(self) -> int:
        return self.ranks.local_rank

    def node_rank(self) -> int:
        return self.ranks.rank // self.ranks.ranks_per_node


def layout(request: Request, ranks: Ranks, strategies: ModuleType) -> dict[str, Any]:
    """Returns what Trainer() and Fabric() are told of the launch. `strategies`: that one's module of them."""
    return {
        "accelerator": "gpu" if request.device.startswith("cuda") else "cpu",
        "strategy": request.strategy.lightning(strategies),
        "devices": ranks.ranks_per_node,
        "num_nodes": ranks.nodes,
        "precision": request.precision.lightning,
        "plugins": [LaunchEnvironment(ranks)],
    }
