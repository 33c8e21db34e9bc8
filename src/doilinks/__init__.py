"""Finds DOI® names in prose, links them, shows them without ambiguity, and checks them.

This package is the core and needs nothing but Python. Each host has its own module, see the README.

>>> from doilinks import DOI, scan
>>> [match.doi.url for match in scan("See doi:10.1000/182.")]
['https://doi.org/10.1000/182']
"""

__all__ = ["DOI", "Found", "InvalidDOI", "Match", "__version__", "scan"]

__version__ = "0.1.0"


_HOMES = {
    "DOI": "doi", "InvalidDOI": "doi", "Found": "found", "Match": "scan", "scan": "scan",
}  # fmt: skip


def __getattr__(name: str) -> object:
    """Import a name when it is needed. The Pandoc filter needs none for most documents."""
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    value: object = getattr(import_module(f".core.{_HOMES[name]}", __name__), name)
    globals()[name] = value  # so that it is not asked for again
    return value


def __dir__() -> list[str]:
    """List the names for ``help`` and completion, including those that are not imported yet."""
    return sorted({*globals(), *__all__} - {"_HOMES", "__dir__", "__getattr__", "setup"})


def setup(_app: object) -> None:
    """Say which extension Sphinx needs, when ``extensions`` names this package.

    :raises ExtensionError: always
    """
    from sphinx.errors import ExtensionError

    message = 'doilinks is not an extension of Sphinx; in extensions, write "doilinks.sphinx"'
    raise ExtensionError(message)
