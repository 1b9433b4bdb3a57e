#!/bin/bash
# Puts the programs that others read traces with, TensorBoard's plugin torch_tb_profiler and Holistic Trace Analysis (HTA), into FOLDER,
# for the tests of traces; PYTHON, which has TensorBoard, then runs them with PYTHONPATH=FOLDER and stays as it is. 60 MB to download.
# What FOLDER holds already stays.
set -euo pipefail

folder=$(realpath -m "${1:?usage: get_trace_readers.sh FOLDER PYTHON}")
python=${2:?usage: get_trace_readers.sh FOLDER PYTHON}
# HTA is tried with pandas before 3. Of what both packages ask for, these alone are imported by what the tests call.
packages=(torch_tb_profiler==0.4.3 HolisticTraceAnalysis==0.5.0 pandas==2.3.3 pytz==2025.2 plotly==5.24.1 tenacity==9.1.2)
[[ -d $folder ]] && exit 0
new=$folder.new
rm -rf "$new"
"$python" -m pip install --no-input --disable-pip-version-check --progress-bar off -q --no-deps --no-compile --target "$new" "${packages[@]}"
# They start in many processes: what they import is compiled now.
PYTHONPATH=$new "$python" -c 'import torch_tb_profiler.plugin, torch_tb_profiler.profiler.loader, hta.trace_analysis'
mv "$new" "$folder"
