"""As in the tests of the check: no proxies of the machine."""

from tests.check.conftest import _no_proxies

__all__ = ["_no_proxies"]
