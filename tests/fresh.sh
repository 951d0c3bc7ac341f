#!/bin/bash
# The README's two commands in bare Debian 12, Debian 13 and Ubuntu 24.04 systems: fresh.sh [--first-command] [SUITE]...
# Each is made by debootstrap from the mirror that this machine uses, holds nothing but its essential packages and apt, and gets a clone
# of the committed state. As root. Exit status: 0 all worked, 1 some did not, 77 none could be fetched.
set -u
root=$(cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd) || exit 3
work=$root/build/fresh
mkdir -p "$work"
first_only=no
[ "${1:-}" != --first-command ] || { first_only=yes; shift; }
suites=("$@")
[ $# -gt 0 ] || suites=(bookworm trixie noble)
declare -A title=([bookworm]="Debian 12" [trixie]="Debian 13" [noble]="Ubuntu 24.04")

say() { printf '%s\n' "$*"; }

# mirror DISTRIBUTION DEFAULT: where this machine's apt gets that distribution from.
mirror() {
  local found
  found=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null | grep -v '^ *#' | grep -oE "https?://[^ ]*/$1/?( |\$)" | head -n 1)
  printf '%s\n' "${found:-$2}" | tr -d ' '
}

# describe SUITE: sets $from (the mirror), $components, $keyring and $script (debootstrap's; a newer suite than it knows works like an older).
describe() {
  local scripts=/usr/share/debootstrap/scripts
  case $1 in
    noble) from=$(mirror ubuntu http://archive.ubuntu.com/ubuntu) components=main,universe keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg script=$scripts/gutsy ;;
    *) from=$(mirror debian http://deb.debian.org/debian) components=main keyring=/usr/share/keyrings/debian-archive-keyring.gpg script=$scripts/sid ;;
  esac
  [ ! -e "$scripts/$1" ] || script=$scripts/$1
}

# base SUITE: makes $work/SUITE.tar, the bare system, unless it is there and younger than two weeks.
base() {
  local suite=$1 tar=$work/$1.tar target=$work/$1.new
  [ -z "$(find "$tar" -mtime -14 2> /dev/null)" ] || return 0
  if [ ! -e "$keyring" ]; then echo "no keyring $keyring (package $([ "$suite" = noble ] && echo ubuntu-keyring || echo debian-archive-keyring))"; return 1; fi
  rm -rf "$target"
  if debootstrap --variant=minbase --components="$components" --keyring="$keyring" "$suite" "$target" "$from" "$script" > "$work/$suite.debootstrap.log" 2>&1; then
    rm -f "$target"/var/cache/apt/archives/*.deb "$target"/var/lib/apt/lists/*_*
    tar -C "$target" -cf "$tar.new" . && mv "$tar.new" "$tar" && rm -rf "$target"
  else
    tail -n 1 "$work/$suite.debootstrap.log"
    rm -rf "$target"
    return 1
  fi
}

# prepare SUITE: unpacks the bare system, gives it this machine's way to the mirror and a clone of HEAD.
prepare() {
  local suite=$1 target=$work/$1
  rm -rf "$target" && mkdir -p "$target" "$work/$suite.archives/partial" && tar -C "$target" -xf "$work/$suite.tar" || return 1
  cp /etc/hosts /etc/resolv.conf "$target/etc/" || return 1
  apt-config dump | grep -E '^Acquire::(http|https|ftp|Check-|Retries|ForceIPv)' > "$target/etc/apt/apt.conf.d/90host"
  echo force-unsafe-io > "$target/etc/dpkg/dpkg.cfg.d/unsafe-io"
  printf 'deb %s %s %s\n' "$from" "$suite" "${components//,/ }" > "$target/etc/apt/sources.list"
  git -C "$root" bundle create -q "$work/head.bundle" HEAD && git -c advice.detachedHead=false clone -q "$work/head.bundle" "$target/srv/rta"
}

# inside SUITE COMMAND: runs a shell command in the system. Mounts live in a namespace of their own: they end with the command.
inside() {
  # shellcheck disable=SC2016  # expanded inside
  TARGET=$work/$1 ARCHIVES=$work/$1.archives COMMAND=$2 unshare --mount --pid --fork --kill-child --propagation private bash -c '
    mount -t proc proc "$TARGET/proc" && mount -t tmpfs tmpfs "$TARGET/dev/shm" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$TARGET/dev/pts" &&
      mount --bind "$TARGET/dev/pts/ptmx" "$TARGET/dev/ptmx" && mount --bind "$ARCHIVES" "$TARGET/var/cache/apt/archives" || exit 3
    exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
      chroot "$TARGET" sh -c "cd /srv/rta && $COMMAND"'
}

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
  if [ $status -eq 0 ]; then grep -E '^[a-z]+ +(ok|skipped)|passed,|skipped$' "$log" | sed 's/^/    /'; else tail -n 60 "$log" | sed 's/^/    /'; fi
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
