"""The oldest versions that the extras allow, as constraints for pip: ``make test-oldest`` has them.

A program that needs the package packaging alone.
"""

import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def oldest(extras: dict[str, list[str]]) -> dict[str, str]:
    """The lower bound of every package that an extra asks for.

    :raises ValueError: for one without a lower bound, or with another one in another extra
    """
    bounds: dict[str, str] = {}
    for extra, requirements in extras.items():
        for requirement in map(Requirement, requirements):
            name = requirement.name
            if name == "doilinks" or (requirement.marker and not requirement.marker.evaluate()):
                continue
            lower = [each.version for each in requirement.specifier if each.operator == ">="]
            if len(lower) != 1:
                raise ValueError(f"the extra {extra}: give {name} one lower bound, with >=")
            if bounds.setdefault(name, lower[0]) != lower[0]:
                raise ValueError(f"{name} has two lower bounds: {bounds[name]} and {lower[0]}")
    return bounds


if __name__ == "__main__":
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    try:
        pins = oldest(project["optional-dependencies"])
    except ValueError as error:
        sys.exit(f"{PROJECT}: {error}")
    print(*(f"{name}=={bound}" for name, bound in sorted(pins.items())), sep="\n")
