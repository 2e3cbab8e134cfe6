"""From the samples of a figure to the numbers that people read."""

import math


def percentile(ordered, part):
    """The least of ascending values that so large a part of them does not exceed."""
    return ordered[max(math.ceil(part * len(ordered)), 1) - 1]


def summary(values):
    """What is said of samples; nothing is left out of them. The spread is the distance
    between the quartiles as a part of the median."""
    ordered = sorted(values)
    median = percentile(ordered, 0.5)
    between = percentile(ordered, 0.75) - percentile(ordered, 0.25)
    return {
        "n": len(ordered),
        "min": ordered[0],
        "median": median,
        "p99": percentile(ordered, 0.99),
        "spread": between / median if median > 0 else 0.0,
    }


def ratio(value, base):
    return value / base if value is not None and base else None
