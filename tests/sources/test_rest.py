"""reStructuredText: what counts in it, and that the place is exact."""

from ..tools.places import names


def test_rest_leaves_docutils_as_it_was():
    from docutils.parsers.rst import directives, roles

    before = directives.directive, roles.role
    names("See :foo:`x` 10.1000/1\n\n.. bar::", "rst")
    assert (directives.directive, roles.role) == before


def test_rest_includes_nothing(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("doi:10.1000/secret")
    source = f"doi:10.1000/1\n\n.. include:: {secret}\n\n.. Include:: {secret}\n\n.. raw:: html\n   :file: {secret}\n"
    assert names(source, "rst") == ["10.1000/1"]


def test_a_long_line_of_rest_is_read():
    assert names("word " * 3000 + "10.1000/1\n", "rst") == ["10.1000/1"]
