"""The address of a service: a URL that every program reads in the same way.

RFC 3986 leaves so much open that two programs may find different hosts in the same text, as in
``https://[::1]@evil.example[doi.org/``. The code that judges an address and the code that connects
to it must agree, so an address is accepted only in the plain form below.
"""

from __future__ import annotations

import re
from typing import Final

# RFC 3986 §3.2, of which the names of hosts are those of RFC 1123 §2.1, and an underscore.
_USER: Final = r"[!$&()*+,\-.0-9:;=A-Z_a-z~%]+@"
_HOST: Final = r"[0-9A-Za-z][-.0-9A-Z_a-z]*|\[[0-9A-Fa-f:.]+\]"
# An address becomes part of a link, so it contains nothing that could end an attribute or a line.
_REST: Final = r"[!$&()*+,\-./0-9:;=?@A-Z_a-z~%\[\]]*"
_ADDRESS: Final = rf"https?://(?:{_USER})?(?:{_HOST})(?::(?P<port>[0-9]{{1,5}}))?(?:[/?]{_REST})?"
_PORTS: Final = range(1 << 16)


def read_address(text: str) -> str:
    """Read an http or https address to which a path may be appended; ValueError for any other."""
    found = re.fullmatch(_ADDRESS, text, re.IGNORECASE)  # takes long to compile; few need it
    if found is None or int(found["port"] or 0) not in _PORTS:
        raise ValueError
    return text if text.endswith(("/", "=")) else text + "/"
