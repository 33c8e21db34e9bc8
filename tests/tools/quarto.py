"""The filter of the extension for Quarto, as Quarto runs one, with the real pandoc.

Quarto itself is not run. Its ``wrapped-filter.lua`` calls ``pandoc.utils.run_json_filter`` inside
``pcall`` in a Lua filter, with the path of the script.
"""

from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "_extensions" / "doilinks" / "doilinks-filter.py"
_AS_QUARTO_DOES = """
function Pandoc(doc)
  local success, result = pcall(pandoc.utils.run_json_filter, doc, "%s")
  if not success then
    io.stderr:write("Could not run as a JSON filter.\\n" .. tostring(result) .. "\\n")
    os.exit(1)
  end
  return result
end
"""


def lua_filter(file: Path, script: Path = SCRIPT) -> Path:
    """Write the Lua filter that runs a script."""
    file.write_text(_AS_QUARTO_DOES % script)
    return file
