"""Vapour, after doi:10.1000/module."""


def soft(value: float) -> float:
    """Soften a value: see doi:10.1000/summary.

    More is in https://doi.org/10.1000/docstring.
    """
    return value
