"""reStructuredText: what counts in it, and that the place is exact."""

from ..tools.places import assert_places, names

REST = r"""=====
Title
=====

:doi: 10.1000/metadata
:Author: me

See ▸doi:10.1000/1 and *▸10.1000/2*, ``10.1000/code``, :doi:`▸10.1000/3` and :ref:`10.1000/key`.
`t <▸https://doi.org/10.1000/4>`_ `u`_ ▸https://doi.org/10.1002/(SICI)1097(1998)49:8<693::A>3.0.CO;2-0
[1]_ :math:`10.1000/math` ▸10.1000/a\_b ▸10.1000/c_ and ▸10.1000/d@e.org

`https://doi.org/10.1000/23 <▸https://doi.org/10.1000/23>`_ in ▸https://doi.org/10.1000/24
`dx <▸http://dx.doi.org/10.1000/23>`__ `https://doi.org/10.1000/25 at <▸https://doi.org/10.1000/25>`__

.. _u: ▸https://doi.org/10.1000/5
.. _unused: https://doi.org/10.1000/no
.. a comment 10.1000/comment

.. versionadded:: 1.2
   In ▸doi:10.1000/6

.. code-block:: python
   :caption: x

   10.1000/code

.. py:function:: f(x)
   :module: y

   Text. ▸doi:10.1000/7.

   .. note:: ▸doi:10.1000/8

   ::

     doi:10.1000/code

.. [1] Foot ▸doi:10.1000/9
   and ▸doi:
   10.1000/10

.. image:: https://zenodo.org/badge/DOI/10.5281/zenodo.3776837.svg
   :target: ▸https://doi.org/10.1000/11

+-----+-----------------+
| a   | ▸doi:10.1000/12  |
+-----+-----------------+
| a   | x               |
|     | ▸10.1000/13      |
+-----+-----------------+

============  ====
▸10.1000/14    x
============  ====
ab            ▸10.1000/15
============  ====

>>> 10.1000/doctest

.. |s| replace:: ▸doi:10.1000/16

term
    ▸doi:10.1000/17

| line ▸10.1000/18
| ▸10.1000/19

.. [Smith20] ▸doi:10.1000/20

.. parsed-literal::

   10.1000/code `t <▸https://doi.org/10.1000/22>`_

.. no-such-directive:: *unclosed
   :option: value

   ▸doi:10.1000/21 :no-such-role:`10.1000/key`
"""


def test_rest_places(capfd):
    assert_places(
        REST, "rst",
        [
            ("10.1000/1", "label"), ("10.1000/2", "bare"), ("10.1000/3", "role"),
            ("10.1000/4", "link"), ("10.1002/(SICI)1097(1998)49:8<693::A>3.0.CO;2-0", "url"),
            ("10.1000/a_b", "bare"), ("10.1000/c", "bare"), ("10.1000/d@e.org", "bare"),
            ("10.1000/23", "link"), ("10.1000/24", "url"), ("10.1000/23", "link"),
            ("10.1000/25", "link"), ("10.1000/5", "link"), ("10.1000/6", "label"),
            ("10.1000/7", "label"), ("10.1000/8", "label"), ("10.1000/9", "label"),
            ("10.1000/10", "label"), ("10.1000/11", "link"), ("10.1000/12", "label"),
            ("10.1000/13", "bare"), ("10.1000/14", "bare"), ("10.1000/15", "bare"),
            ("10.1000/16", "label"), ("10.1000/17", "label"), ("10.1000/18", "bare"),
            ("10.1000/19", "bare"), ("10.1000/20", "label"), ("10.1000/22", "link"),
            ("10.1000/21", "label"),
        ],
    )  # fmt: skip
    assert capfd.readouterr() == ("", "")


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
