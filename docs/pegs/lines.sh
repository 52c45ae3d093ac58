#!/bin/sh
# SUITE_PEGS=pegs ./lines.sh
# The line form without suite peg, by the date of GNU coreutils. Starting date lies in
# the arcs, and the clock may be set meanwhile.
set -e
last=
peg() {
	[ -n "$SUITE_PEGS" ] || return 0
	now=$(date +%s%N)
	if [ -n "$last" ]; then printf '%s\t%s\t%s\n' "$last" "$1" $((now - left)) >>"$SUITE_PEGS"; fi
	last=$1 left=$(date +%s%N)
}

peg begin
numbers=$(seq 20000)
peg written # begin -> written
echo "$numbers" | sort -rn | head -n 1
peg sorted # written -> sorted
