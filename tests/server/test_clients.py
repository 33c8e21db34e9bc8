"""Real clients of ``doilinks server``: Neovim, headless, and what JupyterLab reads of it."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from ..tools.modules import BIN
from ..tools.programs import LONGEST, tool
from ..tools.works import lock

TEXT = "# 😀\n\n😀 Miller and Berg, Third. http://dx.doi.org/10.1000/a_b.\n"


@pytest.mark.thorough
def test_neovim(tmp_path):
    neovim = tool("nvim", "the server in Neovim")
    lock(tmp_path)
    (tmp_path / "a.md").write_text(TEXT)
    results = tmp_path / "results.json"
    environment = os.environ | {
        "DOILINKS": str(BIN / "doilinks"), "RESULTS": str(results), "HOME": str(tmp_path),
    }  # fmt: skip
    script = Path(__file__).with_name("neovim.lua")
    done = subprocess.run(
        [neovim, "--headless", "-u", "NONE", "-c", f"luafile {script}", "-c", "cquit!"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    diagnostic, card, mended, cited = json.loads(results.read_text())
    line = TEXT.split("\n")[2]
    start = line.index("http")
    octets = [len(line[:end].encode()) for end in (start, line.index("a_b") + 3)]
    assert diagnostic == [2, *octets, "retracted"]
    assert card.startswith("**Retracted.**\n\n**Third**")
    assert mended == line.replace("http://dx.", "https://")
    assert cited == "see [@doi:10.1000/182"


def test_jupyterlab_finds_the_server():
    from importlib.metadata import entry_points

    (entry,) = entry_points(group="jupyter_lsp_spec_v1", name="doilinks")
    ((name, spec),) = entry.load()(None).items()
    # https://github.com/jupyter-lsp/jupyterlab-lsp/blob/main/python_packages/jupyter_lsp/jupyter_lsp/schema/schema.json
    assert (name, spec["version"], spec["argv"]) == ("doilinks", 2, ["doilinks", "server"])
    assert {"ipythongfm", "rst", "python"} <= set(spec["languages"])
    assert "text/x-ipythongfm" in spec["mime_types"]
