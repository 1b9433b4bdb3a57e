results=/scratch/out run=''
trap '[[ -n $run ]] && kill -TERM $run' TERM USR1
cd "${PBS_O_WORKDIR:-.}" || exit

ddpbench run x.toml --out /scratch/out --resume &
run=$!
wait $run
code=$?
while kill -0 $run 2>/dev/null; do
  wait $run
  code=$?
done
[[ $code == 75 ]] && echo "not all is done: submit this script once more, it goes on where it was ($results)"
exit $code
