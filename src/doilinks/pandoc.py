"""Pandoc and Quarto: ``pandoc --filter pandoc-doilinks``.

The filter takes its options from the document's metadata: ``doi-display: name`` in the YAML block,
or ``-M doi-display=name`` on the command line. In Python, :func:`rewrite` takes the JSON that
``pandoc -t json`` writes::

    from doilinks.pandoc import rewrite

    document = rewrite(text)
    document.text  # the JSON with links
    document.dois  # the DOIs that were found, as objects of doilinks.Found

With ``doi-check: warn`` or ``doi-check: error``, the filter checks every name before it returns the
document to pandoc. It reports problems on standard error. With ``error``, the filter fails, and
pandoc writes nothing. With ``-f commonmark_x+sourcepos`` and other readers that give positions,
messages have file, line and column. With all other readers they have no place, because pandoc does
not tell filters the name of its input.
"""

from .hosts.pandoc.entry import main

__all__ = [  # all but main are imported late
    "Document",  # noqa: F822
    "PandocError",  # noqa: F822
    "main",
    "rewrite",  # noqa: F822
]


def __getattr__(name: str) -> object:
    """Import a name when it is needed. A document without DOIs needs ``main`` alone."""
    if name not in __all__:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    return getattr(import_module(".hosts.pandoc.document", __package__), name)


def __dir__() -> list[str]:
    """List the names for ``help`` and completion, including those that are not imported yet."""
    return sorted({*globals(), *__all__})
