#!/bin/bash
# Puts a set of others' packages of Python into FOLDER, named by its last part, for tests; PYTHON, which has torch and TensorBoard, then
# runs them with PYTHONPATH=FOLDER and stays as it is. What FOLDER holds already stays.
#   trace_readers: TensorBoard's plugin torch_tb_profiler and Holistic Trace Analysis (HTA); 60 MB to download
#   training_loops: the frameworks of docs/examples/loops; 70 MB
# No package brings what it asks for: that would be another torch. Of what they ask for these alone are imported by what tests call.
set -euo pipefail

usage="usage: get_packages.sh FOLDER/trace_readers|FOLDER/training_loops PYTHON"
folder=$(realpath -m "${1:?$usage}")
python=${2:?$usage}
case ${folder##*/} in
  trace_readers)
    # HTA is tried with pandas before 3.
    packages=(torch_tb_profiler==0.4.3 HolisticTraceAnalysis==0.5.0 pandas==2.3.3 pytz==2025.2 plotly==5.24.1 tenacity==9.1.2)
    imports='torch_tb_profiler.plugin, torch_tb_profiler.profiler.loader, hta.trace_analysis'
    ;;
  training_loops)
    packages=(
      pytorch-ignite==0.5.5
      torchtnt==0.2.4 pyre_extensions==0.0.32 typing_inspect==0.9.0 mypy_extensions==1.2.0 tabulate==0.10.0
      fastai==2.8.12 fastcore==2.2.41 fastprogress==1.0.3 fasttransform==0.0.5 fastdownload==0.0.8 plum-dispatch==2.10.1 beartype==0.23.1
      cloudpickle==3.1.3 pandas==3.1.1 python-dateutil==2.9.0.post0 six==1.17.0 scikit-learn==1.9.1 joblib==1.6.0 threadpoolctl==3.8.0 narwhals==2.29.0
      mosaicml==0.32.1 coolname==5.0.0 torch_optimizer==0.3.0 py-cpuinfo==9.0.0 importlib_metadata==8.7.0 zipp==3.23.0 mosaicml-cli==0.8.3 validators==0.36.0 wcwidth==0.9.4 prompt_toolkit==3.0.53 questionary==2.1.1 ruamel.yaml==0.19.1 websockets==17.4 tenacity==9.2.1 graphql-core==3.3.2 gql==4.4.0 backoff==2.2.1
      rich==15.0.0 markdown-it-py==4.3.0 mdurl==0.1.2 requests==2.34.2 urllib3==2.8.0 idna==3.20 charset_normalizer==3.5.3 certifi==2026.10.18
    )
    imports='ignite.engine, torchtnt.framework.auto_unit, fastai.learner, composer'
    ;;
  *)
    echo "$usage" >&2
    exit 2
    ;;
esac
[[ -d $folder ]] && exit 0
new=$folder.new
rm -rf "$new"
"$python" -m pip install --no-input --disable-pip-version-check --progress-bar off -q --no-deps --no-compile --target "$new" "${packages[@]}"
# They start in many processes: what they import is compiled now.
PYTHONPATH=$new "$python" -W ignore -c "import $imports"
mv "$new" "$folder"
