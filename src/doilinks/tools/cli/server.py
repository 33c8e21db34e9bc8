"""``doilinks server``: the Language Server Protocol, for any editor."""

from __future__ import annotations

from typing import Any

import click


@click.command(
    short_help="Serve an editor, by the Language Server Protocol.",
    epilog="\b\nExample, as an editor starts it:\n  doilinks server",
)
@click.option("--stdio", is_flag=True, help="Changes nothing: some editors pass it.")
def server(stdio: bool) -> int:  # noqa: ARG001  as its help says
    """Serve an editor on standard input and output, by the Language Server Protocol.

    The editor shows what is wrong with a DOI and which work it stands for, by the lock file of the
    project. Nobody is asked unless the settings of the editor are {"check": "onSave"}.
    """
    try:
        from ..editor.requests import serve
    except ImportError as error:
        raise click.ClickException(f'{error}: pip install "doilinks[server]"') from error
    serve()
    return 0


def jupyter_lsp_spec(_manager: object) -> dict[str, dict[str, Any]]:
    """Tell jupyter-lsp how to start the server, and for which documents."""
    # JupyterLab calls Markdown so.
    languages = ["ipythongfm", "gfm", "markdown", "rst", "python", "latex", "bibtex", "r", "julia"]
    types = [*(f"text/x-{each}" for each in languages), "text/plain", "text/markdown"]
    spec = {"version": 2, "argv": ["doilinks", "server"], "display_name": "doilinks"}
    return {"doilinks": spec | {"languages": languages, "mime_types": types}}
