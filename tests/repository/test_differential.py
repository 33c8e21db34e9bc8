"""What a list shows of raw records, beside what pandoc's citeproc makes of them."""

import json
import sys
from pathlib import Path

import pytest

ROWS = [
    {
        "DOI": "10.1000/1", "type": "journal-article", "title": ["Waves of names"], "volume": "116",
        "author": [{"family": "Levy", "given": "J.P."}, {"family": "Berg", "given": "Jan van"}],
        "container-title": ["Journal of Names"], "issue": "6", "article-number": "061102",
        "issued": {"date-parts": [[2016, 2]]}, "language": "en",
    },
    {
        "DOI": "10.1000/2", "type": "book-chapter", "title": ["Names"], "subtitle": ["A guide"],
        "author": [{"family": "Steele", "given": "Guy L.", "suffix": "Jr."}], "page": "3-9",
        "container-title": ["Lecture Notes in Names", "Euro-Names"], "publisher": "P",
        "editor": [{"family": "Delta", "given": "O."}], "issued": {"date-parts": [[2011]]},
    },
    {
        "data": {"attributes": {
            "doi": "10.1000/3", "titles": [{"title": "Logs of wells"}], "publicationYear": 2012,
            "creators": [{"name": "(:unav)"}], "publisher": "Repository",
        }}
    },
]  # fmt: skip


def test_each_difference_is_on_purpose(tmp_path, capsys, monkeypatch):
    pytest.importorskip("pypandoc")
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    import records

    path = tmp_path / "raw.jsonl"
    path.write_text("".join(json.dumps({"record": row}) + "\n" for row in ROWS))
    monkeypatch.setattr(sys, "argv", ["records.py", str(path), "--show", "all"])
    records.main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 18, lines
    assert [line for line in lines if "differ" in line] == []
    assert "the book before its series 1" in "\n".join(lines)
    assert "is nothing 1" in "\n".join(lines)
