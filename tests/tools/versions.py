"""What a test presumes of the version of a host, since the oldest that we allow are tested too."""

from __future__ import annotations

from importlib.metadata import version

import pytest
from packaging.version import Version


def older(package: str, than: str) -> bool:
    """Tell whether the package that is installed is older than a version."""
    return Version(version(package)) < Version(than)


def since(package: str, first: str, reason: str) -> pytest.MarkDecorator:
    """Skip a test, and say why, where the package is older than ``first``."""
    return pytest.mark.skipif(older(package, first), reason=f"{package} before {first}: {reason}")
