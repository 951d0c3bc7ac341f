# Bare Debian 12, Debian 13 and Ubuntu 24.04 systems, made by debootstrap from the mirrors that this machine uses. Sourced, with $root set, as root.
# shellcheck shell=bash
: "${root:?}"
work=$root/build/fresh
mkdir -p "$work"

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

# borrow_keyring: sets $keyring to Ubuntu's, where this system lacks it: Debian 12 has no package of it, Debian 13 has, and signs it.
borrow_keyring() {
  local within=usr/share/keyrings/ubuntu-archive-keyring.gpg borrowed=$work/keyring made=no
  if [ ! -e "$borrowed/$within" ]; then
    describe trixie
    base trixie > /dev/null && { [ -d "$work/trixie/srv" ] || { made=yes && prepare trixie; }; } && inside trixie \
      'apt-get update -qq && cd /var/cache/apt/archives && apt-get download -qq ubuntu-keyring' > "$work/keyring.log" 2>&1 &&
      dpkg-deb -x "$work"/trixie.archives/ubuntu-keyring_*.deb "$borrowed"
    [ $made = no ] || rm -rf "${work:?}/trixie"
  fi
  describe noble
  keyring=$borrowed/$within
}

# base SUITE: makes $work/SUITE.tar, the bare system, unless it is there and younger than two weeks.
base() {
  local suite=$1 tar=$work/$1.tar target=$work/$1.new
  [ -z "$(find "$tar" -mtime -14 2> /dev/null)" ] || return 0
  if [ ! -e "$keyring" ] && [ "$suite" = noble ]; then borrow_keyring; fi
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

# unpack SUITE TARGET: the bare system, with this machine's way to the mirror.
unpack() {
  local suite=$1 target=$2
  rm -rf "$target" && mkdir -p "$target" && tar -C "$target" -xf "$work/$suite.tar" || return 1
  cp /etc/hosts /etc/resolv.conf "$target/etc/" || return 1
  apt-config dump | grep -E '^Acquire::(http|https|ftp|Check-|Retries|ForceIPv)' > "$target/etc/apt/apt.conf.d/90host"
  echo force-unsafe-io > "$target/etc/dpkg/dpkg.cfg.d/unsafe-io"
  printf 'deb %s %s %s\n' "$from" "$suite" "${components//,/ }" > "$target/etc/apt/sources.list"
}

# prepare SUITE: unpacks the bare system into $work/SUITE and gives it a clone of HEAD.
prepare() {
  local target=$work/$1
  mkdir -p "$work/$1.archives/partial" && unpack "$1" "$target" &&
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
