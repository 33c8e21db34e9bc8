#!/usr/bin/env bash
# A step of action.yml: keeps one issue with the table of problems. The issue is opened, edited,
# closed and opened again. Trouble with GitHub is a warning: the check alone decides about the job.
#
# CODE: the exit code of the check. TABLE: its report in Markdown. DETAILS: its report in JSON.
set -euo pipefail

# Only people who may triage can set a label, so nobody else can make an issue look like this one.
label=doilinks
mark="<!-- doilinks keeps this issue up to date -->"

errors=$(mktemp)
body=$(mktemp)
trap 'rm -f "$errors" "$body"' EXIT

trouble() { # a warning of the workflow, in which no line is another command
  local text
  text="The issue could not be kept up to date: $*
$(cat "$errors")
The job needs \"permissions: issues: write\", and the runner needs the program gh."
  text=${text//'%'/%25}
  text=${text//$'\r'/}
  echo "::warning title=doilinks::${text//$'\n'/%0A}"
  exit 0
}

stay() {
  echo "The issue stays as it is: $*"
  exit 0
}

case "$CODE" in
  0) if grep -Eq '"unknown": [1-9]' "$DETAILS"; then stay "not every name could be checked."; fi ;;
  1) ;;
  *) stay "the check has not said what is right." ;;
esac

export GH_HOST=${GITHUB_SERVER_URL#*://} # github.com, or GitHub Enterprise Server,
export GH_ENTERPRISE_TOKEN=$GH_TOKEN     # for which gh reads this one
repository=repos/$GITHUB_REPOSITORY
branch=$(gh api "$repository" --jq .default_branch 2>"$errors") || trouble "no answer about $GITHUB_REPOSITORY."
if [[ $GITHUB_EVENT_NAME == pull_request* || $GITHUB_REF != "refs/heads/$branch" ]]; then
  stay "it is about the branch $branch, and this run is not."
fi

numbers=$(gh api --paginate "$repository/issues?labels=$label&state=all&sort=created&direction=asc&per_page=100" \
  --jq ".[] | select(.pull_request == null and ((.body // \"\") | startswith(\"$mark\"))) | .number" \
  2>"$errors") || trouble "the issues cannot be listed."
first=${numbers%%$'\n'*}

state=open
[[ $CODE == 1 ]] || state=closed
{
  echo "$mark"
  cat "$TABLE"
  printf '\nThis is the state of [the last run](<%s>). The issue closes when nothing fails.\n' \
    "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID"
} >"$body"

if [[ -n $first ]]; then
  gh api --silent --method PATCH "$repository/issues/$first" -F body=@"$body" -f state="$state" \
    2>"$errors" || trouble "issue $first cannot be edited."
  echo "Issue $first is $state."
elif [[ $state == open ]]; then
  first=$(gh api --method POST "$repository/issues" -f title="DOI names with problems" \
    -F body=@"$body" -f "labels[]=$label" --jq .number 2>"$errors") || trouble "no issue can be opened."
  echo "Issue $first is new."
fi

# Two runs at the same time can have opened two.
for number in $numbers; do
  [[ $number == "$first" ]] ||
    gh api --silent --method PATCH "$repository/issues/$number" -f state=closed 2>"$errors" ||
    trouble "issue $number cannot be closed."
done
