#!/usr/bin/env bash
# From a fresh clone to a built ddpbench, its demo, or its tests. What is already there is reused.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly root
readonly could_not_run=3

# Debian's package, a header of it, and where it comes from elsewhere. For the build, and further ones for the tests.
readonly build_packages="\
libcli11-dev CLI/CLI.hpp github.com/CLIUtils/CLI11
libtomlplusplus-dev toml++/toml.h github.com/marzer/tomlplusplus
nlohmann-json3-dev nlohmann/json.hpp github.com/nlohmann/json
libcsv-dev csv.h github.com/rgamble/libcsv
zlib1g-dev zlib.h zlib.net
libdeflate-dev libdeflate.h github.com/ebiggers/libdeflate
libmd-dev md5.h www.hadrons.org/software/libmd
libsqlite3-dev sqlite3.h www.sqlite.org
libboost-dev boost/math/distributions/students_t.hpp www.boost.org (headers alone)"
readonly test_packages="\
libbenchmark-dev benchmark/benchmark.h github.com/google/benchmark
librapidcheck-dev rapidcheck.h github.com/emil-e/rapidcheck
libgtest-dev gtest/gtest.h github.com/google/googletest
libgmock-dev gmock/gmock.h github.com/google/googletest"
readonly header_packages=$build_packages$'\n'$test_packages
# what `apt-get download` must bring beside them: shared libraries, and pip for a Python that has none
readonly further_packages="libtomlplusplus3 libdeflate0 libmd0 libcsv3 libsqlite3-0 libbenchmark1debian python3-pip-whl"

usage() {
  cat <<'END'
usage: ./bootstrap.sh build|demo|test [--deps DIR] [--python DIR | --torch-prefix DIR | --torch-version V] [--lightning-version V]

  build   set up what is missing and build; leaves build/bin/ddpbench
  demo    the same, then run the shipped experiment `demo`
  test    the same, then run every test (what needs a quiet host is a proof: ctest -L proof)

  --deps DIR           put the build's libraries below DIR, without root; where there is no apt-get, take those that stand in
                       DIR/include and DIR/lib, take from PyPI what it holds, and list the rest
  --python DIR         use this environment (it holds bin/python, with torch, matplotlib and jinja2) in place of .venv:
                       its torch is built against, its frameworks are measured
  --torch-prefix DIR   use this LibTorch (it holds include/ and lib/) in place of the wheel
  --torch-version V    use this release of the wheel, in folders of its own: .venv-V and build-V
                       (2.7.1 still has kernels for V100; the default is in cmake/requirements.txt)
  --lightning-version V  add this release of Lightning beside the environment's own: experiments then take
                       lightning_version = ["default", "V"] as an axis

example: ./bootstrap.sh demo
END
}

refuse() {
  printf 'bootstrap.sh: %s\n' "$1" >&2
  exit 2
}

parse_arguments() {
  command="" deps="" python="" torch_prefix="" torch_version="" lightning_version=""
  while (($# > 0)); do
    case $1 in
      build | demo | test)
        [[ -z $command ]] || refuse "two commands: '$command' and '$1'"
        command=$1
        ;;
      --deps | --python | --torch-prefix)
        (($# > 1)) || refuse "$1 needs a folder"
        printf -v "$(tr - _ <<<"${1#--}")" %s "$(realpath -ms -- "$2")"
        shift
        ;;
      --torch-version)
        [[ ${2-} =~ ^2\.[0-9]+\.[0-9]+$ ]] || refuse "--torch-version '${2-}': must be a release 2.x.y, for example 2.7.1"
        torch_version=$2
        shift
        ;;
      --lightning-version)
        [[ ${2-} =~ ^2\.[0-9]+\.[0-9]+(\.post[0-9]+)?$ ]] ||
          refuse "--lightning-version '${2-}': must be a release 2.x.y, for example 2.5.1"
        lightning_version=$2
        shift
        ;;
      -h | --help) usage && exit 0 ;;
      *) refuse "unknown argument '$1' (known: build, demo, test, --deps DIR, --python DIR, --torch-prefix DIR, --torch-version V, --lightning-version V)" ;;
    esac
    shift
  done
  [[ -n $command ]] || refuse "no command is given (known: build, demo, test); see ./bootstrap.sh --help"
  [[ -z $torch_prefix || -e $torch_prefix/lib/libtorch_cpu.so ]] ||
    refuse "--torch-prefix $torch_prefix: no lib/libtorch_cpu.so in it"
  [[ -n $python ]] || ! has python3 || python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    refuse "$(python3 --version) is too old: 3.11 or newer is needed (a module of the site, or --python DIR)"
  [[ -z $python || -x $python/bin/python ]] || refuse "--python $python: no bin/python in it"
  local chosen=(${python:+--python} ${torch_prefix:+--torch-prefix} ${torch_version:+--torch-version})
  ((${#chosen[@]} < 2)) || refuse "${chosen[0]} and ${chosen[1]} exclude each other"
  readonly venv=${python:-$root/.venv${torch_version:+-$torch_version}} build=build${torch_version:+-$torch_version}
  readonly logs=$root/$build/logs
}

# ---- progress: one line as a step begins, one every ten seconds while it lasts, its log's tail where it fails

show_progress() {
  local log=$1 started=$SECONDS line
  while sleep 10; do
    line=$(tail -n 3 "$log" 2>/dev/null | tr '\r' '\n' | grep -v '^[[:space:]]*$' | tail -n 1 || true)
    printf '   %4d s  %.110s\n' $((SECONDS - started)) "$line"
  done
}

# step WHAT LOG COMMAND…
step() {
  local what=$1 log=$logs/$2.log started=$SECONDS status=0 reporter
  shift 2
  printf '== %s\n' "$what"
  mkdir -p "$logs"
  : >"$log"
  show_progress "$log" &
  reporter=$!
  # shellcheck disable=SC2064  # the reporter of this step
  trap "kill $reporter 2>/dev/null || true" EXIT
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill "$reporter" 2>/dev/null || true
  wait "$reporter" 2>/dev/null || true
  trap - EXIT
  if ((status != 0)); then
    tail -n 40 "$log" >&2
    printf 'bootstrap.sh: failed: %s (exit %d); the whole log is %s\n' "$what" "$status" "$log" >&2
    exit $could_not_run
  fi
  printf '   done in %d s\n' $((SECONDS - started))
}

# ---- system packages

has() { command -v "$1" >/dev/null 2>&1; }

has_cmake() {
  local version
  version=$(cmake --version 2>/dev/null | sed -n '1s/.* //p')
  [[ -n $version && $(printf '3.25\n%s\n' "$version" | sort -V | head -n 1) == 3.25 ]]
}

can_make_environments() { python3 -c 'import ensurepip, venv' 2>/dev/null; }

# Of such a list the packages whose headers the compiler does not find, also in the folders that are named.
missing_of() {
  local packages=$1 package header rest
  shift
  while read -r package header rest; do
    printf '#if !__has_include(<%s>)\nmissing %s\n#endif\n' "$header" "$package"
  done <<<"$packages" | g++ -E -P "${@/#/-I}" -x c++ - | sed -n 's/^missing //p'
}

missing_header_packages() {
  if has g++; then missing_of "$header_packages"; else cut -d ' ' -f 1 <<<"$header_packages"; fi
}

# Of the python3 that makes the environment: the arms in Python are a module of it. Without it they are left out.
has_python_header() {
  [[ -e $(python3 -c 'import sysconfig; print(sysconfig.get_paths()["include"])' 2>/dev/null)/Python.h ]]
}

can_install() { ((EUID == 0)) && has apt-get; }

missing_packages() {
  has g++ || echo g++
  has_cmake || echo cmake
  has ninja || echo ninja-build
  can_make_environments || echo python3-venv
  [[ -n $python ]] || has_python_header || echo python3-dev
  missing_header_packages
  if can_install && ! has mpicxx; then echo libopenmpi-dev; fi  # for backend mpi, which is left out without it
  if [[ $command == test ]]; then
    has git || echo git
    has chromium || has google-chrome || has chromium-browser || echo chromium
  fi
}

apt_install() { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; }

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]} > 0)) || return 0
  if can_install; then
    step "installing system packages: ${missing[*]}" packages apt_install "${missing[@]}"
    return
  fi
  cat >&2 <<END
bootstrap.sh: missing here: ${missing[*]}
  as root:       apt-get install ${missing[*]}
  without root:  ./bootstrap.sh $command --deps DIR   (needs g++, python3 and apt-get)
END
  exit $could_not_run
}

# ---- the same without root: packages unpacked below --deps, CMake and Ninja as wheels

# What lies below --deps, so that a later release which needs more unpacks anew.
unpacked_list() { printf '%s\n' "$header_packages" "$further_packages"; }

unpack_packages() {
  local apt=$deps/apt archive boost
  local options=(-o "Dir::State=$apt" -o Dir::State::status=/var/lib/dpkg/status -o "Dir::Cache=$apt" -o Debug::NoLocking=1)
  rm -rf "$apt/archives"
  mkdir -p "$apt/lists/partial" "$apt/archives/partial"
  apt-get "${options[@]}" update || return
  boost=$(apt-cache "${options[@]}" depends libboost-dev | sed -n 's/^ *Depends: //p') || return  # the package that holds its headers
  # shellcheck disable=SC2046,SC2086  # lists of words
  (cd "$apt/archives" &&
    apt-get "${options[@]}" download $(cut -d ' ' -f 1 <<<"$header_packages") $boost $further_packages) || return
  for archive in "$apt"/archives/*.deb; do dpkg -x "$archive" "$deps" || return; done
  rm -rf "$apt"
  unpacked_list >"$deps/.ddpbench-complete"
}

install_without_root() {
  local program missing=()
  for program in g++ python3; do has "$program" || missing+=("$program"); done
  if ((${#missing[@]} > 0)); then
    printf 'bootstrap.sh: --deps needs these on the machine: %s\n' "${missing[*]}" >&2
    exit $could_not_run
  fi
  if ! { has apt-get && has dpkg; }; then
    require_libraries
  elif ! unpacked_list | cmp -s - "$deps/.ddpbench-complete"; then
    step "unpacking the build's libraries below $deps" deps unpack_packages
  fi
}

# ---- the same on a machine of another kind: what PyPI holds comes from there, the rest must be there

on_pypi() { [[ -z $python && $1 == nlohmann-json3-dev ]]; }  # with CMake and Ninja: cmake/requirements-tools.txt

require_libraries() {
  local wanted=$build_packages package list=""
  if [[ $command == test ]]; then wanted=$header_packages; fi
  for package in $(missing_of "$wanted" "$deps/include" "$deps/usr/include"); do
    on_pypi "$package" || list+=$(sed -n "s/^$package \([^ ]*\) \(.*\)/  <\1>  \2/p" <<<"$wanted")$'\n'
  done
  if [[ -n $python ]]; then
    has_cmake || list+=$'  cmake 3.25 or newer\n'
    has ninja || list+=$'  ninja\n'
  fi
  [[ -n $list ]] || return 0
  cat >&2 <<END
bootstrap.sh: there is no apt-get here, and these are missing:
$list  Each may come from a module of the site, from the system's packages (on RHEL with EPEL: their -devel), or from its project.
  What the compiler does not find by itself is looked for in $deps/include and $deps/lib.
  CMake, Ninja and nlohmann/json come from PyPI, if no --python is given. Then give the same command once more.
END
  exit $could_not_run
}

json_of_pypi() { "$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"] + "/nlohmann_json/include")'; }

# ---- Python

# torchvision 0.(N+15) is torch 2.N's, patch for patch.
torchvision_of() {
  local minor patch
  IFS=. read -r _ minor patch <<<"$1"
  echo "0.$((minor + 15)).$patch"
}

requirements() {
  local packages=$root/cmake/requirements.txt
  if [[ -n $torch_prefix ]]; then
    grep -v -E '^(torch|torchvision|lightning|accelerate|torchmetrics)==' "$packages"  # the last three would bring another torch
  elif [[ -n $torch_version ]]; then
    sed -e "s/^torch==.*/torch==$torch_version/" -e "s/^torchvision==.*/torchvision==$(torchvision_of "$torch_version")/" "$packages"
  else
    cat "$packages" "$root/cmake/requirements-cuda.txt"
  fi
  if [[ -n $deps ]]; then cat "$root/cmake/requirements-tools.txt"; fi
}

# Debian's python3 without python3-venv makes environments, but without pip: the wheel of python3-pip-whl then installs it.
create_environment() {
  if can_make_environments; then
    python3 -m venv --clear "$venv"
  else
    local wheels=("$deps"/usr/share/python-wheels/pip-*.whl)
    python3 -m venv --clear --without-pip "$venv" && PYTHONPATH=${wheels[0]} "$venv/bin/python" -m pip install pip
  fi
}

# A site's environment is taken as it is.
require_packages() {
  local wanted=(torch matplotlib jinja2) missing
  if [[ $command == test ]]; then mapfile -t wanted < <(sed -n 's/==.*//p' "$root/cmake/requirements.txt"); fi
  missing=$("$venv/bin/python" -c 'import sys
from importlib import metadata
names = {distribution.metadata["Name"].lower() for distribution in metadata.distributions()}
print(*(name for name in sys.argv[1:] if name not in names))' "${wanted[@]}")
  [[ -z $missing ]] || refuse "--python $python: these packages are missing: $missing"
}

make_environment() {
  if [[ -n $python ]]; then
    require_packages
    return
  fi
  local stamp=$venv/.ddpbench-requirements wanted
  wanted=$({ requirements && python3 --version; } | sha256sum)
  [[ -x $venv/bin/python && -e $stamp && $(<"$stamp") == "$wanted" ]] && return
  rm -f "$stamp"
  "$venv/bin/python" -m pip --version >/dev/null 2>&1 || step "making $venv" venv create_environment
  requirements >"$venv/requirements.txt"
  step "installing Python packages into $venv (torch: 4.6 GB)" pip \
    "$venv/bin/python" -m pip install --no-input --disable-pip-version-check --progress-bar off -r "$venv/requirements.txt"
  printf '%s\n' "$wanted" >"$stamp"
}

torch_folder() {
  if [[ -n $torch_prefix ]]; then
    printf '%s\n' "$torch_prefix"
  else
    "$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"] + "/torch")'
  fi
}

# ---- build

# A source that sees torch takes 1.5 GiB to compile.
compile_jobs() {
  local by_memory
  by_memory=$(awk '/MemAvailable/ {print int($2 / 1572864)}' /proc/meminfo)
  printf '%d\n' $((by_memory < 1 ? 1 : by_memory < $(nproc) ? by_memory : $(nproc)))
}

build() {
  local what=$build/bin/ddpbench targets=(--target ddpbench ddpbench_vocabulary)
  if [[ $command == test ]]; then what="everything, tests too" targets=(); fi
  local of_deps=()
  if [[ -n $deps ]]; then
    of_deps=("-DCMAKE_PREFIX_PATH=$deps;$deps/usr" "-DCMAKE_INCLUDE_PATH=$(json_of_pypi)")
    if [[ $command != test ]]; then of_deps+=(-DBUILD_TESTING=OFF); fi
  fi
  cd "$root"
  step "configuring $build/" configure cmake --preset release -B "$build" "-DDDPBENCH_TORCH_PREFIX=$(torch_folder)" \
    "-DDDPBENCH_PYTHON=$venv/bin/python" "-DDDPBENCH_TESTS_BUT=${DDPBENCH_TESTS_BUT:-}" "${of_deps[@]}"
  step "building $what" build \
    cmake --build "$build" --parallel "$(compile_jobs)" "${targets[@]}"
}

# Below the build, where `ddpbench` and its ranks find it. Its dependencies are the environment's.
add_lightning() {
  local folder=$build/share/ddpbench/lightning/$lightning_version
  cd "$root"
  [[ -d $folder ]] && return
  rm -rf "$folder.new"
  step "installing Lightning $lightning_version into $folder" lightning \
    "$venv/bin/python" -m pip install --no-input --disable-pip-version-check --progress-bar off --no-deps \
    --target "$folder.new" "lightning==$lightning_version"
  mv "$folder.new" "$folder"
}

# The tests of several nodes bring up a real Slurm on this machine, and servers of ssh; without them they are skipped. No service is to run
# afterwards: RUNLEVEL keeps those off that a package would start, the file keeps ssh off for good.
install_cluster_programs() {
  if ! has sshd; then mkdir -p /etc/ssh && touch /etc/ssh/sshd_not_to_be_run; fi
  apt_install slurm-wlm munge iproute2 openmpi-bin mpich openssh-client openssh-server ||
    echo "not installed: the tests of several nodes are skipped"
}

add_cluster_programs() {
  local PATH=$PATH:/usr/sbin
  if { has slurmctld && has mpirun && has mpirun.mpich && has sshd; } || ! can_install; then return; fi
  RUNLEVEL=1 step "installing Slurm and ssh, for the tests of several nodes" cluster install_cluster_programs
}

# Tests run the real Nsight Systems, others' readers of traces and others' training loops, put beside the build; without them they are skipped.
fetch() { "tests/support/get_$1.sh" "$build/$2" "${@:3}" || echo "not fetched: the tests with $2 are skipped"; }

add_packages() { [[ -d $build/$1 ]] || step "fetching packages for tests: $1" "$1" fetch packages "$1" "$venv/bin/python"; }
add_others_programs() {
  if ! has nsys && [[ -z ${DDPBENCH_NSYS:-} && ! -x $build/nsys/nsys ]] && can_install; then
    step "fetching Nsight Systems, for the tests of traces" nsys fetch nsys nsys
  fi
  add_packages trace_readers && add_packages training_loops
}

main() {
  parse_arguments "$@"
  local from=$PWD ctest
  if [[ -n $deps ]]; then install_without_root; else install_packages; fi
  make_environment
  if [[ -n $deps ]]; then PATH=$venv/bin:$PATH; fi
  build
  [[ -z $lightning_version ]] || add_lightning
  # One more than cores: many tests wait, for a time limit or another process. DDPBENCH_TESTS_BUT: a label, of tests that are neither built nor
  # run here (CI does that in another build).
  ctest=(ctest --test-dir "$build" --parallel $(($(nproc) + 1)) --output-on-failure --no-tests=error)
  if [[ -n ${DDPBENCH_TESTS_BUT:-} ]]; then ctest+=(--label-exclude "^$DDPBENCH_TESTS_BUT\$"); fi
  case $command in
    build) printf 'built: %s\n' "$root/$build/bin/ddpbench" ;;
    demo) cd "$from" && exec "$root/$build/bin/ddpbench" run demo ;;
    test) add_cluster_programs && cd "$root" && add_others_programs && exec "${ctest[@]}" ;;
  esac
}

main "$@"
