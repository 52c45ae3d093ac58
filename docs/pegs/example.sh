#!/bin/sh
# SUITE_PEGS=pegs ./example.sh
set -e
peg() { [ -z "$SUITE_PEGS" ] || suite peg "$@"; } # costs nothing where nobody looks

file=$(mktemp)
trap 'rm -f "$file"' EXIT
peg --start begin
seq 20000 | sort -R >"$file"
peg written # begin -> written
peg --begin sorting
sort -n -o "$file" "$file"
peg --end sorting
tail -n 1 "$file"
peg read                    # written -> read
peg --stop --from begin done # begin -> done, with all of it
