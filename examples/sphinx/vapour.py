"""Evaporation from weather records.

The formulas are those of the page on methods; units are SI unless a name says otherwise.
"""

from math import exp

__all__ = ["priestley_taylor", "saturation"]


def saturation(celsius: float) -> float:
    """Saturation vapour pressure over water.

    Parameters
    ----------
    celsius
        Temperature of the air, from -30 to 35.

    Returns
    -------
    float
        Pressure in pascal.

    Notes
    -----
    A fit with three constants [1]_; over ice use another one, doi: 10.1256/qj.04.94.

    References
    ----------
    .. [1] Bolton, D. (1980). The computation of equivalent potential temperature. Monthly Weather
       Review, 108, 1046-1053. doi:10.1175/1520-0493(1980)108<1046:TCOEPT>2.0.CO;2.

    Examples
    --------
    >>> round(saturation(20.0))  # doi:10.1256/qj.04.94 has 2339
    2337
    """
    return 611.2 * exp(17.67 * celsius / (celsius + 243.5))


def priestley_taylor(radiation: float, celsius: float, alpha: float = 1.26) -> float:
    """Evaporation of a wet surface, in watt per square metre.

    See :doi:`10.1175/1520-0493(1972)100<0081:OTAOSH>2.3.CO;2`. How well a run did is told by the
    efficiency, 10.1016/0022-1694(70)90255-6.
    """
    slope = saturation(celsius) * 17.67 * 243.5 / (celsius + 243.5) ** 2
    return alpha * radiation * slope / (slope + 66.0)
