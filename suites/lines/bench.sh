#!/bin/sh
# A benchmark in the language of the shell that speaks suite's line protocol: docs/harnesses.md.
# It needs a date with nanoseconds, as Linux has.
while read -r verb n name; do
	case $verb in
	list) echo '{"benchmarks": ["count to 100"]}' ;;
	run)
		start=$(date +%s%N)
		i=0
		while [ $i -lt "$n" ]; do
			j=0
			while [ $j -lt 100 ]; do j=$((j + 1)); done
			i=$((i + 1))
		done
		ns=$(($(date +%s%N) - start))
		echo "{\"name\": \"$name\", \"iterations\": $n, \"seconds\": ${ns}e-9}"
		;;
	esac
done
