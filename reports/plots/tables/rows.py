"""The columns that this side reads, one class per table. A field's name is its column, its type what the schema says.

`ddpbench list tables` explains every column. A column of a class must be
in the file unless it has a default; further columns of the file are
ignored, so that later versions can be read. An empty number is NaN: not
measured, never 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OverheadRow:
    cell_id: str
    arm: str
    reference: str
    clock: str
    overhead_us: float
    overhead_us_lo: float
    overhead_us_hi: float
    overhead_percent: float
    overhead_percent_lo: float
    overhead_percent_hi: float
    reference_step_us: float
    pairs: int
    launches: int
    aa_us_lo: float
    aa_us_hi: float
    injected_true_us: float
    injected_us: float
    verdict: str
    reason: str
    overhead_us_of_means: float
    p_value: float = math.nan
    p_holm: float = math.nan
    comparisons: int = 0  # in Holm's family
    budget_percent: float = math.nan
    budget_verdict: str = ""
    periodic_us: float = math.nan  # work of every n-th step
    periodic_us_lo: float = math.nan
    periodic_us_hi: float = math.nan
    overhead_us_of_means_lo: float = math.nan
    overhead_us_of_means_hi: float = math.nan
    step_us: float = math.nan  # what every percentage is of
    margin_us: float = math.nan
    resolution_us: float = math.nan  # of one comparison
    seen_us: float = math.nan  # among so many
    at_least_us: float = math.nan
    at_most_us: float = math.nan
    qualified: str = ""
    largest_rank: float = math.nan
    largest_rank_us: float = math.nan
    largest_rank_us_lo: float = math.nan
    largest_rank_us_hi: float = math.nan
    settle_launches: float = math.nan
    settle_pairs: float = math.nan  # of each launch
    settle_minutes: float = math.nan
    comm_wait_us: float = math.nan  # how much longer than its reference an arm waits in collectives; on the wall clock's rows
    comm_wait_us_lo: float = math.nan
    comm_wait_us_hi: float = math.nan
    versions: str = ""
    waiting_us: float = math.nan  # what of the cost is no CPU time of the ranks' main threads; on the awaited clock's rows
    waiting_us_lo: float = math.nan
    waiting_us_hi: float = math.nan
    control_factor: float = math.nan

    @property
    def reference_step_ms(self) -> float:
        return self.reference_step_us / 1000


@dataclass(frozen=True, slots=True)
class CellRow:
    cell_id: str
    label: str
    workload: str
    strategy: str
    backend: str
    precision: str
    nodes: int
    ranks_per_node: int
    world_size: int
    batch_size_per_rank: int
    global_batch_size: int
    options: str
    launches_ok: int
    super_blocks: int
    reference_step_ms: float


@dataclass(frozen=True, slots=True)
class BreakdownRow:
    cell_id: str
    arm: str
    phase: str
    mean_s: float
    share: float
    in_sum: bool
    comm_wait_s: float = math.nan  # of mean_s; nan: not told by phase


@dataclass(frozen=True, slots=True)
class DistributionRow:
    cell_id: str
    arm: str
    quantile: float
    step_ms: float


@dataclass(frozen=True, slots=True)
class DriftRow:
    cell_id: str
    launch_id: str
    arm: str
    super_block: int  # the middle one of a bin
    step_ms: float


@dataclass(frozen=True, slots=True)
class LossRow:
    cell_id: str
    launch_id: str
    arm: str
    source: str
    index: int
    loss: float


@dataclass(frozen=True, slots=True)
class StepTimeLawRow:
    group: str
    arm: str
    clock: str
    step_lengths: int
    step_us_min: float
    step_us_max: float
    c_us: float
    c_us_lo: float
    c_us_hi: float
    s: float
    s_lo: float
    s_hi: float
    step_us_at_1_percent: float
    step_us_at_1_percent_lo: float
    step_us_at_1_percent_hi: float
    at_1_percent: str
    step_us_at_5_percent: float
    step_us_at_5_percent_lo: float
    step_us_at_5_percent_hi: float
    at_5_percent: str
    reason: str


@dataclass(frozen=True, slots=True)
class StepTimeCurveRow:
    group: str
    arm: str
    clock: str
    kind: str
    step_us: float
    overhead_us: float
    overhead_us_lo: float
    overhead_us_hi: float


@dataclass(frozen=True, slots=True)
class CostAtStepRow:
    group: str
    arm: str
    clock: str
    step_ms: float
    percent: float
    percent_lo: float
    percent_hi: float
    is_extrapolated: bool
    at_most_5_percent: str


@dataclass(frozen=True, slots=True)
class InstructionRow:
    cell_id: str
    kind: str
    feature: str
    arm: str
    reference: str
    extra: float
    extra_lo: float
    extra_hi: float
    extra_percent: float
    extra_percent_lo: float
    extra_percent_hi: float
    pairs: int
    launches: int
    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class LadderRow:
    cell_id: str
    clock: str
    base: str
    kind: str
    feature: str
    arm: str
    reference: str
    cost_us: float
    cost_us_lo: float
    cost_us_hi: float
    pairs: int
    launches: int
    remainder_us: float


@dataclass(frozen=True, slots=True)
class MetricSummaryRow:
    cell_id: str
    arm: str
    metric: str
    median: float
    smallest: float
    largest: float
    unit: str
    values: int
    launches: int


@dataclass(frozen=True, slots=True)
class CountsRow:
    cell_id: str
    arm: str
    tensor_ops: float
    extra_tensor_ops: float
    host_reads: float
    extra_host_reads: float
    extra_collectives: float
    extra_collective_bytes: float
    collective_kinds: str
    python_calls: float
    extra_python_calls: float
    heap_allocations: float
    extra_heap_allocations: float
    resident_mib: float
    extra_resident_mib: float
    tensors_mib: float
    extra_tensors_mib: float


@dataclass(frozen=True, slots=True)
class CarryOverRow:
    cell_id: str
    clock: str
    arm: str
    previous: str
    effect_us: float
    effect_us_lo: float
    effect_us_hi: float
    super_blocks: int
    others: int
    p: float
    p_holm: float
    stands_out: bool


@dataclass(frozen=True, slots=True)
class EfficiencyRow:
    cell_id: str
    arm: str
    ranks: int
    launches: int
    load_balance: float
    communication_efficiency: float
    parallel_efficiency: float
    parallel_efficiency_lo: float
    parallel_efficiency_hi: float
    serialisation_efficiency: float
    transfer_efficiency: float
    contention: float
    exposed_us: float
    exposed_us_lo: float
    exposed_us_hi: float
    mode: str
    reference_cell: str
    computation_scaling: float
    global_efficiency: float
    identity_error_percent: float


@dataclass(frozen=True, slots=True)
class ScalingRow:
    cell_id: str
    workload: str
    strategy: str
    backend: str
    precision: str
    nodes: int
    batch_size_per_rank: int
    options: str
    arm: str
    world_size: int
    mode: str
    images_per_s: float
    images_per_s_lo: float
    images_per_s_hi: float
    speedup: float
    speedup_lo: float
    speedup_hi: float
    efficiency: float
    efficiency_lo: float
    efficiency_hi: float
    reference_cell: str
    launches: int
    super_blocks: int


@dataclass(frozen=True, slots=True)
class TrainingRow:
    cell_id: str
    arm: str
    mode: str
    reference_cell: str
    world_size: int
    devices: int
    global_batch_size: int
    hours: float
    hours_lo: float
    hours_hi: float
    device_hours: float
    device_hours_lo: float
    device_hours_hi: float
    more_device_hours_percent: float
    more_device_hours_percent_lo: float
    more_device_hours_percent_hi: float
    is_faster: bool
    is_tested: bool



@dataclass(frozen=True, slots=True)
class SettingRow:
    setting: str
    value: str
    reference_value: str
    cell_id: str
    reference_cell_id: str
    clock: str
    difference_us: float
    difference_us_lo: float
    difference_us_hi: float
    difference_percent: float
    difference_percent_lo: float
    difference_percent_hi: float
    reference_step_us: float
    repetitions: int
    p: float
    p_holm: float
    verdict: str
    reason: str
    comparisons: int = 0  # in Holm's family

    @property
    def reference_step_ms(self) -> float:
        return self.reference_step_us / 1000


@dataclass(frozen=True, slots=True)
class AuditRow:
    what: str
    severity: str
    values: str
    launches: int
    cells: int
    within_a_cell: bool
    asked_for: str


@dataclass(frozen=True, slots=True)
class PointRow:
    launch_id: str
    cell_id: str
    arm: str
    status: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlanRow:
    arms: str
