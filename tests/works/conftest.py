"""The server of ``doilinks.testing``, without the proxies of the machine."""

from tests.check.conftest import _no_proxies, handle_api

__all__ = ["_no_proxies", "handle_api"]
