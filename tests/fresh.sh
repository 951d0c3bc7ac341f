#!/bin/bash
# The README's two commands in bare Debian 12, Debian 13 and Ubuntu 24.04 systems: fresh.sh [--first-command] [SUITE]...
# Each is made by debootstrap from the mirror that this machine uses, holds nothing but its essential packages and apt, and gets a clone
# of the committed state. As root. Exit status: 0 all worked, 1 some did not, 77 none could be fetched.
set -u
root=$(cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd) || exit 3
# shellcheck source=tests/bare_systems.sh
. "$root/tests/bare_systems.sh"
first_only=no
[ "${1:-}" != --first-command ] || { first_only=yes; shift; }
suites=("$@")
[ $# -gt 0 ] || suites=(bookworm trixie noble)
declare -A title=([bookworm]="Debian 12" [trixie]="Debian 13" [noble]="Ubuntu 24.04")

say() { printf '%s\n' "$*"; }

# try SUITE: the README's commands, one after the other; prints what the user would see, in short.
try() {
  local suite=$1 log=$work/$1.log start=$SECONDS status
  inside "$suite" './rta analyze tasksets/examples/pedestrian.yaml' > "$work/$suite.out" 2> "$work/$suite.err" < /dev/null
  status=$?
  say "  ./rta analyze tasksets/examples/pedestrian.yaml: exit status $status after $((SECONDS - start)) s, $(head -n 1 "$work/$suite.out")"
  if [ $status -ne 0 ]; then
    tail -n 40 "$work/$suite.err"
    return 1
  fi
  start=$SECONDS
  inside "$suite" './rta analyze tasksets/examples/pedestrian.yaml' 2>&1 < /dev/null | cmp - "$work/$suite.out" || { say "  the second call prints something else"; return 1; }
  say "  the same again: same output after $((SECONDS - start)) s"
  [ $first_only = no ] || return 0
  start=$SECONDS
  inside "$suite" ./check > "$log" 2>&1 < /dev/null
  status=$?
  say "  ./check: exit status $status after $((SECONDS - start)) s"
  if [ $status -eq 0 ]; then grep -E '^[a-z-]+ +(ok|skipped)|passed,|skipped$' "$log" | sed 's/^/    /'; else tail -n 60 "$log" | sed 's/^/    /'; fi
  return $status
}

tried=0 broken=0
for suite in "${suites[@]}"; do
  describe "$suite"
  if ! reason=$(base "$suite"); then
    say "${title[$suite]:-$suite}: skipped, cannot be fetched: $reason"
    continue
  fi
  tried=$((tried + 1))
  say "${title[$suite]:-$suite}"
  if prepare "$suite" && try "$suite"; then rm -rf "${work:?}/$suite"; else
    broken=$((broken + 1))
    say "  did not work; the system is in $work/$suite, what it printed beside it"
  fi
done
rm -f "$work/head.bundle"
[ $tried -gt 0 ] || exit 77
[ $broken -eq 0 ]
