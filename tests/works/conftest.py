"""As in the tests of the check: no proxies of the machine."""

from tests.check.conftest import _in_its_folder, _no_proxies

__all__ = ["_in_its_folder", "_no_proxies"]
