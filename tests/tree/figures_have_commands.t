#!/bin/sh
# Beside each committed figure stands the command that measured its CSV, as its metadata have it, and the one that made
# the figure. reports_are_fresh.t says that the pages are what reports/generate writes.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
cd "$root" || exit 1

# after PATTERN PAGE: below each line of the pattern, and its table if it has one, come the commands.
after() {
    awk -v pattern="$1" -v page="$2" '
        waits && !/^$/ && !/^\|/ && !comment {
            if (!/^<details><summary>Commands<\/summary><pre>$/) { print page ": no commands below " waits; bad = 1 }
            waits = ""
        }
        $0 ~ pattern { waits = $0; comment = /^<!--/; found++ }
        /-->$/ { comment = 0 }
        END { exit bad || waits != "" || !found }' "$2"
}

pictures() {
    shown=$(grep -lE '^!\[.*pictures/' README.md docs/*.md) || return 1
    for page in $shown; do after '^!\[.*pictures/' "$page" || return 1; done
    for picture in docs/pictures/*.png; do
        # shellcheck disable=SC2086 # a list
        grep -q "(.*pictures/${picture##*/})" $shown || { echo "no page shows $picture" && return 1; }
    done
}

gains() { after '^<!-- gains:' docs/scans.md && after '^<!-- results: begin' docs/plugins.md; }

# seen SED: of a page changed like that this is said.
seen() {
    sed "$1" docs/scans.md >"$work/page.md"
    cmp -s docs/scans.md "$work/page.md" && return 1
    ! after "$2" "$work/page.md"
}

# Of each CSV: in the page of its folder, below its heading.
in_reports() {
    for csv in reports/*/*.csv; do
        name=${csv##*/}
        python3 - "$csv" >"$work/command" <<'END' || return 1
import json
import shlex
import sys

print(shlex.join(json.load(open(sys.argv[1] + "-metadata.json"))["notes"][0]["argv"]))
END
        awk -v heading="### ${name%.csv}" '/^##* / { on = $0 == heading } on' "${csv%/*}/README.md" >"$work/section"
        echo "${csv%/*}/README.md, of $name:"
        grep -xFf "$work/command" "$work/section" || return 1
        grep -F "[$name]($name), as \`scanbench report " "$work/section" || return 1
    done
}

# A page in which a command was changed becomes what it was.
mends() {
    sed 's/^build\/scanbench --plugins all --sizes 1e3/build\/scanbench --plugins all --sizes 1e4/' README.md >"$work/page.md"
    ! cmp -s README.md "$work/page.md" && reports/commands.py "$work/page.md" | diff README.md -
}

unknown() {
    echo '![A picture](pictures/drawn-by-hand.png)' >"$work/page.md"
    exits 1 "does not make drawn-by-hand.png" reports/commands.py "$work/page.md"
}

plan 7
claim "each picture is shown with the commands behind it" pictures
claim "so is each table of gains, and that of all plugins" gains
claim "a picture without them would be seen" seen '/^!\[/,/^build/{/^<details>/d}' '^!\['
claim "and a table without them" seen '0,/^<details><summary>Commands/{/^<details><summary>Commands/d}' '^<!-- gains:'
claim "the tables of each CSV have its command, and theirs" in_reports
claim "a changed command is written anew" mends
claim "a picture that no command makes is refused" unknown
