# Sourced by ./heddle, ./run-tests and .ci/run: from a fresh checkout to a built tree.
# Everything is said on standard error, so that standard output belongs to the tool alone.
#
#   bootstrap check    what `./heddle` needs: the command line, the library, what gets installed
#   bootstrap prove    the same, and what `./heddle prove` needs: LLVM, and the program it is
#   bootstrap tests    all of it, with tests and benchmarks
#
# Each installs the packages of its lists and builds unless nothing has changed since.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build

say() { printf 'heddle: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

# For each of the three: lists of packages, targets, whether tests are configured, inputs.
describe() {
  lists=("$root/scripts/packages/check.txt")
  inputs=(CMakeLists.txt cmake docs include scripts/packages/check.txt share src)
  case $1 in
    check) targets=(heddle heddle_library heddle_completions) testing=OFF ;;
    prove)
      lists+=("$root/scripts/packages/prove.txt")
      targets=(heddle heddle_library heddle_completions heddle-prove) testing=OFF proving=ON
      inputs+=(scripts/packages/prove.txt)
      ;;
    tests)
      lists+=("$root/scripts/packages/prove.txt" "$root/scripts/packages/tests.txt")
      targets=(all) testing=ON proving=ON
      inputs+=(bench examples scripts/packages/prove.txt scripts/packages/tests.txt tests)
      ;;
  esac
}

# What is on the lists and not on the machine.
missing_packages() {  # LIST…
  # dpkg-query complains about each package it does not know; the list below says it better.
  # shellcheck disable=SC2046
  { dpkg-query -W -f '${Package} ${db:Status-Status}\n' $(cat "$@") 2>/dev/null || true; } |
    awk 'FILENAME == "-" { if ($2 == "installed") have[$1]; next } !($1 in have)' - "$@"
}

as_root() {
  if ((EUID == 0)); then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else return 1
  fi
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -qq "$@" </dev/null >&2; }

get() {  # PACKAGE…
  apt install --no-install-recommends "$@" 2>/dev/null || { apt update && apt install --no-install-recommends "$@"; }
}

install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system; needed are the equivalents of: $(cat "${lists[@]}" | paste -sd' ')"
    return
  fi
  local missing
  missing=$(missing_packages "${lists[@]}" | paste -sd' ')
  if [[ $missing ]]; then
    say "installing $missing"
    # shellcheck disable=SC2086
    get $missing || die "cannot install packages; as root run: apt-get install $missing"
  fi
  missing=$(missing_packages "$root/scripts/packages/plugin.txt" | paste -sd' ')
  [[ $missing ]] || return 0
  say "installing $missing"
  # shellcheck disable=SC2086
  get $missing || say "$missing cannot be installed; structures passed by value will not be seen with gcc"
}

# Whether the tree is configured with an option.
has_option() { grep -qx "$1:BOOL=ON" "$build/CMakeCache.txt"; }

# A tree that was configured for tests or for proving stays so.
configure() {
  [[ -e $build/build.ninja ]] && { [[ $testing == OFF ]] || has_option BUILD_TESTING; } &&
    { [[ $proving == OFF ]] || has_option HEDDLE_PROVE; } && return
  [[ -e $build/build.ninja ]] && has_option BUILD_TESTING && testing=ON
  say "configuring in $build"
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBUILD_TESTING=$testing >&2 ||
    die "configuring failed"
}

up_to_date() {  # STAMP
  [[ -e $1 && -z $(cd "$root" && find "${inputs[@]}" -newer "$1" -print -quit 2>&1) ]]
}

build_tree() {  # STAMP
  install_packages
  configure
  say "building"
  touch "$1.new"  # before the build: what changes during it is newer
  cmake --build "$build" --parallel "$(nproc)" --target "${targets[@]}" >&2 || die "the build failed"
  mv "$1.new" "$1"
}

bootstrap() {
  local lists targets testing proving=OFF inputs stamp=$build/.stamp-$1
  describe "$1"
  up_to_date "$stamp" && return
  mkdir -p "$build"
  {
    flock 9
    up_to_date "$stamp" || build_tree "$stamp" 9>&-
  } 9>"$build/.lock"
}
