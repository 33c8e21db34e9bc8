"""Real clients of ``doilinks server``: Neovim, headless, and JupyterLab in Chromium."""

import json
import os
import subprocess
from pathlib import Path
from urllib.request import urlopen

import pytest

from ..tools.modules import BIN
from ..tools.programs import LONGEST, running, taken_port, tool, wait
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


@pytest.mark.thorough
def test_jupyterlab(tmp_path):
    """An underline, and the card on hover with Ctrl; the picture is beside the document."""
    lab = tool(str(BIN / "jupyter-lab"), "the server in JupyterLab")
    path = tool("chromium", "JupyterLab is not opened", "chromium-browser", "google-chrome")
    from playwright.sync_api import sync_playwright

    lock(tmp_path)
    (tmp_path / "a.md").write_text(TEXT)
    environment = os.environ | {"HOME": str(tmp_path), "PATH": f"{BIN}:{os.environ['PATH']}"}
    with taken_port() as port:
        options = {
            "port": port, "port_retries": 0, "open_browser": False, "allow_root": True, "root_dir": tmp_path,
        }  # fmt: skip
        arguments = [f"--ServerApp.{name}={value}" for name, value in options.items()]
        site = f"http://127.0.0.1:{port}"
        with (
            (tmp_path / "log").open("wb") as log,
            running(lab, *arguments, "--IdentityProvider.token=", "--LabApp.news_url=", cwd=tmp_path,
                    env=environment, stdout=log, stderr=log) as process,
            sync_playwright() as playwright,
        ):  # fmt: skip
            wait(lambda: answers(f"{site}/api"), process, said=(tmp_path / "log").read_text)
            chromium = playwright.chromium.launch(
                executable_path=path, args=["--no-sandbox", "--disable-gpu"]
            )
            page = chromium.new_page()
            page.set_default_timeout(1000 * LONGEST)
            page.goto(f"{site}/lab/tree/a.md")
            mark = page.locator(".cm-lintRange-warning")
            assert mark.inner_text() == "http://dx.doi.org/10.1000/a_b"
            mark.hover()
            page.keyboard.down("Control")
            mark.hover(position={"x": 40, "y": 5})
            card = page.locator(".lsp-hover", has_text="known since").inner_text()
            page.screenshot(path=tmp_path / "jupyterlab.png")
            chromium.close()
    assert card.startswith("Retracted.\n\nThird\n\nMiller, M. & Berg, B. (1999).")


def answers(address):
    """Whether a server is there."""
    try:
        with urlopen(address) as answer:
            return answer.status == 200
    except OSError:
        return False
