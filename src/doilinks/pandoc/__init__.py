"""Pandoc and Quarto: ``pandoc --filter pandoc-doilinks``.

The filter takes its options from the document's metadata: ``doi-display: name`` in the YAML block,
or ``-M doi-display=name`` on the command line. From Python, with panflute, it is an action::

    import panflute
    from doilinks.pandoc import action, finalize, prepare

    panflute.run_filters([action], prepare=prepare, finalize=finalize)

``prepare`` may be left out; it reads the options before anything else is done. ``finalize`` is the
check. In any case the DOIs found are in ``doc.dois``, a list of :class:`doilinks.Found`.

With ``doi-check: warn`` or ``doi-check: error`` every name is resolved before the document goes on
to pandoc. What there is to say is on standard error; with ``error`` the filter fails, and pandoc
writes nothing. ``-f commonmark_x+sourcepos`` and other readers that know positions give file, line
and column; others give none, and pandoc does not tell filters the name of its input.
"""

from .document import Document, PandocError, rewrite
from .entry import action, finalize, main, prepare

__all__ = ["Document", "PandocError", "action", "finalize", "main", "prepare", "rewrite"]
