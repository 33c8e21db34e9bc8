"""A handbook whose build fails when a DOI does not exist."""

project = "Lab handbook"
author = "The lab"
copyright = "the lab"

extensions = ["doilinks.sphinx"]
exclude_patterns = ["_build"]

doi_check = "error"
# Answers are kept in doi-lock.json, beside this file and under version control. A name that was
# found does not go away, so that here a kept answer is not asked for again; the default is a month.
doi_check_max_age = 36500
