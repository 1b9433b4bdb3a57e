"""How replicas meet: a file for each way, and their table."""

from ddpbench_arms.strategies.ddp import Ddp
from ddpbench_arms.strategies.single import Single
from ddpbench_arms.strategies.strategy import Strategy

# By the names of the launch's axis, and of arms that have a strategy of their own (Entry.strategy, table.py).
STRATEGIES: dict[str, type[Strategy]] = {strategy.name: strategy for strategy in (Single, Ddp)}
