#!/bin/sh
# Runs a command again and again beside four busy processes, and tells how often it failed.
#     repeat.sh TIMES COMMAND...
times=$1
shift
busy=""
for _ in 1 2 3 4; do
    sh -c 'while :; do :; done' &
    busy="$busy $!"
done
# shellcheck disable=SC2086 # a list of processes
trap 'kill $busy' EXIT
failed=0
run=0
while [ "$run" -lt "$times" ]; do
    run=$((run + 1))
    if ! "$@"; then
        failed=$((failed + 1))
        echo "run $run failed" >&2
    fi
done
echo "$failed of $times runs failed: $*"
[ "$failed" = 0 ]
