#!/bin/sh
# Builds in build/release, packages first: build.sh [rta | rta-analyze | rta-check | all]; rta-analyze is rta with its first command
# alone, all (the default) what is installed. Called by ./rta, ./rta-check and ./check; says everything on standard error.
# Exit status: 0 built, 2 packages are missing or nothing can be written here, 3 the build failed.
set -u
exec >&2
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || exit 3
# shellcheck source=setup/install.sh
. "$root/setup/install.sh"

what=${1:-all}
case $what in
  rta) program=rta target=rta_program ;;
  rta-analyze) program=rta-analyze target=rta_analyze ;;
  rta-check) program=rta-check target=rta_check ;;
  all) program=rta target=all ;;
  *) say "build.sh: no target '$what'; there are: rta rta-analyze rta-check all"; exit 2 ;;
esac

build=$root/build/release
log=$root/build/release.log
if ! mkdir -p "$root/build" 2> /dev/null || [ ! -w "$root/build" ]; then
  say "rta: cannot build: no permission to write to $root/build"
  exit 2
fi

# One builder at a time; whoever waited finds the work done, and CMake sees that at once.
exec 9> "$root/build/.lock"
flock -n 9 || {
  say "rta: another build is running; waiting for it"
  flock 9
}

ensure_packages "build rta" "$root/build/packages.log" build 9>&-

# A build folder does not survive a move of the sources or an upgrade to another release.
# shellcheck source=/dev/null
place="$root $(. /usr/lib/os-release 2> /dev/null && echo "${ID:-} ${VERSION_ID:-}")"
if [ -d "$build" ] && [ "$(cat "$build/.place" 2> /dev/null)" != "$place" ]; then rm -rf "$build"; fi
mkdir -p "$build" || exit 2
printf '%s\n' "$place" > "$build/.place"

# jobs: as many as there are processors, but no more than the memory holds compilers: a unit takes up to 1.5 GB.
jobs() {
  awk -v processors="$(nproc)" '
    /^MemAvailable:/ { fit = int($2 / 1.5e6) }
    END { print (fit == "" || fit > processors ? processors : fit > 1 ? fit : 1) }' /proc/meminfo
}

compile() {
  cd "$root" && cmake --preset release && cmake --build --preset release --target "$target" --parallel "$(jobs)"
}

# Follows the build on a terminal: one line, rewritten.
show_progress() {
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in
      \[*/*\]*) printf '\rrta: building %s ' "${line%%\]*}]" >&2 ;;
    esac
  done
  printf '\r\033[K' >&2
}

: > "$build/.built.new"  # before the build: a source that changes while it runs is newer
if [ -n "${RTA_VERBOSE:-}" ]; then
  { compile 9>&-; echo $? > "$build/.status"; } 2>&1 | tee "$log"
elif [ -t 2 ]; then
  { compile 9>&-; echo $? > "$build/.status"; } 2>&1 | show_progress > "$log"
else
  [ -x "$build/$program" ] || say "rta: building"
  compile > "$log" 2>&1 9>&-
  echo $? > "$build/.status"
fi
if [ "$(cat "$build/.status")" != 0 ]; then
  [ -n "${RTA_VERBOSE:-}" ] || tail -n 30 -- "$log"
  say "rta: the build failed. The whole output is in $log"
  exit 3
fi
if [ "$what" = all ]; then cp -p "$build/.built.new" "$build/.built-rta-check"; fi
mv -f "$build/.built.new" "$build/.built-$program"
