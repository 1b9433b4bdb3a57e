"""The estimates against scipy, and against their definitions where scipy has none, on random and degenerate series.

$DDPBENCH_PRINT_ESTIMATES is the program that reads series and prints estimates (print_estimates.cpp).
"""

from __future__ import annotations

import itertools
import os
import subprocess

import numpy as np
import pytest
from scipy import stats

CONFIDENCE = 0.95
FEWEST_PAIRS = 6
EXACT_BELOW = 25
LENGTHS = [*range(1, 41), 200]


def printed(lines: list[str]) -> list[np.ndarray]:
    run = subprocess.run(
        [os.environ["DDPBENCH_PRINT_ESTIMATES"]], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    )
    results = [np.array([float(word) for word in line.split()]) for line in run.stdout.splitlines()]
    assert len(results) == len(lines)
    return results


def line_of(name: str, parameters: list, values) -> str:
    return " ".join([name, *map(str, parameters), *(repr(float(value)) for value in values)])


def series_of_every_kind() -> dict[str, np.ndarray]:
    random = np.random.default_rng(20)
    makers = {
        "normal": lambda n: random.normal(0.3, 1, n),
        "heavy_tail": lambda n: random.standard_cauchy(n),
        "ties_and_zeros": lambda n: random.integers(-3, 5, n).astype(float),
        "two_values": lambda n: random.choice([-1.0, 2.0], n),
        "constant": lambda n: np.full(n, -3.25),
        "zeros": lambda n: np.zeros(n),
        "zeros_and_one_more": lambda n: np.eye(1, n)[0],
        "all_positive": lambda n: random.exponential(1, n),
        "tiny": lambda n: 1e-100 * random.normal(0, 1, n),
        "huge": lambda n: 1e100 * random.normal(0.1, 1, n),
        "microseconds_beside_seconds": lambda n: 1.3 + 1e-6 * random.normal(0, 1, n),
    }
    return {f"{kind}_{n}": make(n) for kind, make in makers.items() for n in LENGTHS}


SERIES = series_of_every_kind()


def walsh_averages(x: np.ndarray) -> np.ndarray:
    rows, columns = np.triu_indices(len(x))
    return np.sort(0.5 * (x[rows] + x[columns]))


def critical_rank(n: int, confidence: float) -> int:
    """The largest K with P(T+ <= K - 1) <= (1 - confidence) / 2, from scipy's tests of all possible statistics."""
    tail = (1 - confidence) / 2
    if n >= EXACT_BELOW:
        deviation = np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return max(0, int(np.floor(n * (n + 1) / 4 - stats.norm.ppf(1 - tail) * deviation)))
    counts = np.zeros(n * (n + 1) // 2 + 1)
    counts[0] = 1
    for rank in range(1, n + 1):
        counts[rank:] = counts[rank:] + counts[:-rank].copy()
    return int(np.sum(np.cumsum(counts) / 2.0**n <= tail))


def expected_hodges_lehmann(x: np.ndarray, confidence: float) -> np.ndarray:
    averages = walsh_averages(x)
    rank = critical_rank(len(x), confidence) if len(x) >= FEWEST_PAIRS else 0
    bounds = [averages[rank - 1], averages[len(averages) - rank]] if rank > 0 else [np.nan, np.nan]
    return np.array([np.median(averages), *bounds])


@pytest.mark.parametrize("confidence", [0.95, 0.999])
def test_hodges_lehmann_is_exactly_that_of_its_definition(confidence):
    found = printed([line_of("hodges_lehmann", [confidence], x) for x in SERIES.values()])
    for (name, x), estimate in zip(SERIES.items(), found, strict=True):
        np.testing.assert_array_equal(estimate, expected_hodges_lehmann(x, confidence), err_msg=name)


@pytest.mark.parametrize("name", ["normal_9", "normal_24", "heavy_tail_12", "all_positive_17"])
def test_exact_bounds_are_where_the_test_of_scipy_begins_to_reject(name):
    x = SERIES[name]
    _, low, high = printed([line_of("hodges_lehmann", [CONFIDENCE], x)])[0]
    for bound, inwards in ((low, 1), (high, -1)):
        p = [stats.wilcoxon(x - bound - step * inwards * 1e-9, method="exact").pvalue for step in (-1, 1)]
        assert p[0] <= 1 - CONFIDENCE < p[1]


def expected_signed_rank_p(x: np.ndarray) -> float:
    left = x[x != 0]
    if len(left) == 0:
        return 1.0  # scipy has no answer
    exact = len(left) < EXACT_BELOW and len(np.unique(np.abs(left))) == len(left)
    return stats.wilcoxon(left, zero_method="wilcox", correction=False, method="exact" if exact else "asymptotic").pvalue


def test_signed_rank_p():
    found = printed([line_of("signed_rank", [], x) for x in SERIES.values()])
    for (name, x), (p,) in zip(SERIES.items(), found, strict=True):
        np.testing.assert_allclose(p, expected_signed_rank_p(x), rtol=1e-12, err_msg=name)


def test_zeros_are_left_out_as_scipy_leaves_them_out():
    x = SERIES["ties_and_zeros_40"]
    assert (x == 0).any()
    found = printed([line_of("signed_rank", [], x)])[0]
    expected = stats.wilcoxon(x, zero_method="wilcox", correction=False, method="asymptotic").pvalue
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_t_interval_and_p():
    # A mean that is ten digits larger than the scatter keeps six digits of the scatter.
    tolerances = {"microseconds": 1e-6}
    names = [name for name in SERIES if not name.startswith(("constant", "zeros_")) and len(SERIES[name]) > 1]
    found = printed([line_of("t", [CONFIDENCE], SERIES[name]) for name in names])
    for name, estimate in zip(names, found, strict=True):
        x = SERIES[name]
        scatter = stats.sem(x)
        if scatter == 0:
            continue
        low, high = stats.t.interval(CONFIDENCE, len(x) - 1, loc=np.mean(x), scale=scatter)
        relative = tolerances.get(name.split("_")[0], 1e-12)
        np.testing.assert_allclose(estimate[:3], [np.mean(x), low, high], rtol=1e-12, atol=1e-10 * scatter, err_msg=name)
        np.testing.assert_allclose(estimate[3], stats.ttest_1samp(x, 0).pvalue, rtol=100 * relative, err_msg=name)


def test_welch_with_degrees_rounded_down():
    random = np.random.default_rng(7)
    for sizes in [(2, 2), (2, 5), (5, 3), (8, 8), (20, 6)]:
        for ratio in (1, 10):
            sample, reference = random.normal(0.7, ratio, sizes[0]), random.normal(0, 1, sizes[1])
            found = printed([line_of("welch", [CONFIDENCE, len(sample)], [*sample, *reference])])[0]
            variances = np.var(sample, ddof=1) / len(sample), np.var(reference, ddof=1) / len(reference)
            exact = stats.ttest_ind(sample, reference, equal_var=False)
            degrees = np.floor(exact.df)
            error = np.sqrt(sum(variances))
            half = stats.t.ppf(0.5 + 0.5 * CONFIDENCE, degrees) * error
            value = np.mean(sample) - np.mean(reference)
            p = stats.t.sf(value / error, degrees)
            np.testing.assert_allclose(found, [value, value - half, value + half, p, 1 - p, degrees], rtol=1e-9)
            assert 2 * min(p, 1 - p) >= exact.pvalue * (1 - 1e-9), "fewer degrees never make a claim easier"


def test_welch_of_degenerate_samples():
    one, equal, apart = printed(["welch 0.95 1 3 1 2", "welch 0.95 2 4 4 4 4", "welch 0.95 2 5 5 4 4"])
    np.testing.assert_array_equal(one[:3], [1.5, np.nan, np.nan])
    np.testing.assert_array_equal(equal[:5], [0, 0, 0, 0.5, 0.5])
    np.testing.assert_array_equal(apart[:5], [1, 1, 1, 0, 1])


def test_t_of_degenerate_series():
    one, constant, zeros = printed(["t 0.95 0.5", "t 0.95 -3.25 -3.25 -3.25", "t 0.95 0 0 0"])
    np.testing.assert_array_equal(one, [0.5, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(constant, [-3.25, -3.25, -3.25, 0])
    np.testing.assert_array_equal(zeros, [0, 0, 0, 1])


def test_t_tail_keeps_its_digits_far_out():
    # Not nearer to 0: of one degree of freedom scipy 1.17 has 2 sf(1e-8) wrong by 3e-9 (1 - 2 atan(t) / pi is the truth).
    cases = [(t, n) for t in (0, 1e-3, 0.3, 1, 2.5, 7, 40, 1e4, 1e150, np.inf) for n in (1, 2, 3, 4, 9, 30, 199, 10_000)]
    found = printed([f"t_tail {t} {n}" for t, n in cases])
    for (t, n), (p,) in zip(cases, found, strict=True):
        np.testing.assert_allclose(p, 2 * stats.t.sf(t, n), rtol=1e-10, atol=1e-300, err_msg=f"t = {t}, {n} degrees")


def closed_test(p: np.ndarray) -> np.ndarray:
    """Holm by the principle that it shortens: a hypothesis falls when every set that holds it falls by Bonferroni."""
    adjusted = np.zeros(len(p))
    for size in range(1, len(p) + 1):
        for members in map(list, itertools.combinations(range(len(p)), size)):
            adjusted[members] = np.maximum(adjusted[members], min(1, size * p[members].min()))
    return adjusted


def test_holm_is_the_closed_test_with_bonferroni():
    random = np.random.default_rng(21)
    families = [random.uniform(0, 0.2, n) for n in range(1, 11)]
    families += [np.array([0.01, 0.01, 0.01]), np.array([0.0, 1.0, 0.5]), np.array([0.03, 0.02])]
    for family, found in zip(families, printed([line_of("holm", [], family) for family in families]), strict=True):
        np.testing.assert_allclose(found, closed_test(family), rtol=1e-14)


def test_holm_does_not_count_what_was_not_tested():
    np.testing.assert_array_equal(printed(["holm 0.03 nan 0.02"])[0], [0.04, np.nan, 0.04])


def test_bootstrap_on_the_same_indices():
    """numpy has the same generator: the intervals are equal to the last bit or two."""
    resamples, seed = 300, 7
    names = [name for name in SERIES if len(SERIES[name]) in (2, 7, 40, 200)]
    found = printed([line_of("bootstrap_of_median", [seed, resamples, CONFIDENCE], SERIES[name]) for name in names])
    for name, estimate in zip(names, found, strict=True):
        x = SERIES[name]
        draws = np.random.RandomState(seed)._bit_generator.random_raw(resamples * len(x)).astype(np.uint64)  # noqa: SLF001
        indices = ((draws * np.uint64(len(x))) >> np.uint64(32)).astype(int).reshape(resamples, len(x))
        medians = np.median(x[indices], axis=1)
        expected = [np.median(x), *np.quantile(medians, [0.025, 0.975])]
        np.testing.assert_allclose(estimate, expected, rtol=1e-14, err_msg=name)


def test_bootstrap_is_that_of_scipy_but_for_its_draws():
    """Of 5,000 draws 2.5 % lie beyond a bound; another run has 1.5 to 3.5 % beyond it (three sigma of a difference)."""
    x, resamples = SERIES["normal_200"], 5000
    _, low, high = printed([line_of("bootstrap_of_median", [3, resamples, CONFIDENCE], x)])[0]
    reference = stats.bootstrap((x,), np.median, n_resamples=resamples, method="percentile", rng=np.random.default_rng(4))
    distribution = np.sort(reference.bootstrap_distribution)
    assert np.quantile(distribution, 0.015) <= low <= np.quantile(distribution, 0.035)
    assert np.quantile(distribution, 0.965) <= high <= np.quantile(distribution, 0.985)
