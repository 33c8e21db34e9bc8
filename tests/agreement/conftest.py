"""Prints for each setting how many names there are, and how many are in one view alone."""

AGREEMENT = "agreement"


def pytest_terminal_summary(terminalreporter):
    # By the reports, because the tests may have run in other processes.
    lines = [
        value
        for report in terminalreporter.getreports("passed")
        for name, value in report.user_properties
        if name == AGREEMENT
    ]
    for line in lines:
        terminalreporter.write_line(f"agreement: {line}")
