#!/bin/bash -l
@OPTIONS@
@SETUP@
results=@RESULTS@

@RUN@ &
run=$!
trap 'kill -TERM $run' TERM USR1
wait $run
code=$?
while kill -0 $run 2>/dev/null; do
  wait $run
  code=$?
done
[[ $code == 75 ]] && echo "not all is measured: submit this script once more, it goes on where it was ($results)"
exit $code
