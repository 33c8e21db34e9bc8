"""The check: does every DOI of the documents resolve? It asks the Handle API, never the publisher.

For hosts: collect a :class:`doilinks.Found` for every DOI, call :func:`check` once, log what the
report says in the way of the host, and fail if it has errors::

    from doilinks import Found
    from doilinks.check import InvalidLockfile, check

    dois = [Found(doi, file="guide.md", line=12, column=5), ...]   # None: not known
    report = check(dois, options, root=folder_of_the_configuration,
                   # both of doilinks.core.found
                   silences=silences_in(text, MARKDOWN_COMMENTS, "guide.md"),
                   progress=lambda done, total: ...)   # only called when something is asked;
                                                       # news(print): a line now and then
    for problem in report.problems:          # in order of file and line; general ones last
        problem.severity                     # Severity.ERROR, .WARNING, .REMARK by the options
        problem.code                         # doi-not-found, …: the keys of doilinks.check.CODES
        problem.message                      # "not found: doi:10.1000/182x (did you mean …?)"
        problem.doi, problem.resolution      # for words of the host's own; None for a general one:
                                             # .outcome .reason .alias .near (DOI or None) .kept
        problem.file, .line, .column         # None when not known
        problem.work                         # what the name stands for, in a problem with that
        str(problem)                         # "guide.md:12:5: not found: … [doi-not-found]"
    report.errors, report.warnings, report.remarks     # the same, by severity
    report.summary                           # "287 DOIs: 285 found (280 from doi-lock.json), …
                                             # Works: 2 other, 1 retracted"
    report.news                              # "doi-lock.json written: commit it", or ""
    report.exit_code                         # 0 all resolve, 1 some do not, 3 unknown,
                                             # 4 a fault of doilinks (report.fault) ended it early
    report.resolutions[doi].outcome          # Outcome.FOUND .NOT_FOUND .NO_VALUES .DELETED
                                             # .UNKNOWN

The check raises ``InvalidLockfile`` (bad configuration: file, line, what to do) and
``Interrupted``, a ``KeyboardInterrupt`` with ``.report``, whose text says how much was kept. It
raises nothing else: trouble with the network gives ``unknown`` with a reason, and a fault of
doilinks is a problem of the report. :func:`doilinks.works.check` does all of this and compares the
texts with the works. If the API gives no answers, one general problem stands for all names
(``problem.doi`` is None). Messages contain names in URI form only, and no text of an answer.
File names are as the host gave them: :func:`render` (``text``, ``json``, ``github``, ``sarif``,
``junit``, ``gitlab``) and :func:`printable` make them harmless. A host that builds repeatedly
passes the same ``memory=Memory()`` to each check, so that no name is asked twice. This package
needs the extra ``check``, and says so by an ImportError; import it only if ``options.check`` asks
for it.
"""

from .ask.names import *  # noqa: F403  the package lists what is public
from .ask.names import __all__  # noqa: F401  so that the door has the same list
