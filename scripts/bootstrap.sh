# Sourced by ./heddle, ./run-tests and .ci/run: from a fresh checkout to a built tree.
# Everything is said on standard error, so that standard output belongs to the tool alone.
#
#   bootstrap STAMP TARGETS -- INPUTS    builds unless no input is newer than the stamp

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build
packages=$root/scripts/packages.txt

say() { printf 'heddle: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

# What is on the list and not on the machine.
missing_packages() {
  # dpkg-query complains about each package it does not know; the list below says it better.
  # shellcheck disable=SC2046
  { dpkg-query -W -f '${Package} ${db:Status-Status}\n' $(<"$packages") 2>/dev/null || true; } |
    awk 'FILENAME == "-" { if ($2 == "installed") have[$1]; next } !($1 in have)' - "$packages"
}

as_root() {
  if ((EUID == 0)); then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else return 1
  fi
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -qq "$@" </dev/null >&2; }

# The copy of the list in the build directory says that this very list was satisfied once.
install_packages() {
  cmp -s "$packages" "$build/.packages" && return
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system; needed are the equivalents of: $(paste -sd' ' "$packages")"
    return
  fi
  local missing
  missing=$(missing_packages | paste -sd' ')
  if [[ $missing ]]; then
    say "installing $missing"
    # shellcheck disable=SC2086
    apt install --no-install-recommends $missing 2>/dev/null ||
      { apt update && apt install --no-install-recommends $missing; } ||
      die "cannot install packages; as root run: apt-get install $missing"
  fi
  cp "$packages" "$build/.packages"
}

up_to_date() {  # STAMP INPUTS…
  [[ -e $1 && -z $(cd "$root" && find "${@:2}" -newer "$1" -print -quit 2>&1) ]] &&
    cmp -s "$packages" "$build/.packages"
}

build_tree() {  # STAMP TARGETS…
  local stamp=$1
  install_packages
  if [[ ! -e $build/build.ninja ]]; then
    say "configuring in $build"
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo >&2 ||
      die "configuring failed"
  fi
  say "building"
  touch "$stamp.new"  # before the build: what changes during it is newer
  cmake --build "$build" --parallel "$(nproc)" --target "${@:2}" >&2 || die "the build failed"
  mv "$stamp.new" "$stamp"
}

bootstrap() {
  local stamp=$build/.stamp-$1 targets=()
  shift
  while [[ $1 != -- ]]; do targets+=("$1"); shift; done
  shift
  up_to_date "$stamp" "$@" && return
  mkdir -p "$build"
  {
    flock 9
    up_to_date "$stamp" "$@" || build_tree "$stamp" "${targets[@]}" 9>&-
  } 9>"$build/.lock"
}
