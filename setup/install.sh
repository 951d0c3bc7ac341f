# shellcheck shell=sh disable=SC2154  # $root is the caller's
# Finds and installs missing Debian packages. Sourced by setup/build.sh and check. Says everything on standard error.

say() { printf '%s\n' "$*" >&2; }

# packages PURPOSE...: the rows of setup/packages for these purposes, as "package reason".
packages() {
  while read -r when package reason; do
    for purpose in "$@"; do
      [ "$when" != "$purpose" ] || printf '%s %s\n' "$package" "$reason"
    done
  done < "$root/setup/packages"
}

# missing_packages PURPOSE...: those that dpkg does not have installed.
missing_packages() {
  wanted=$(packages "$@")
  # shellcheck disable=SC2046  # one word per package
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $(printf '%s\n' "$wanted" | sed 's/[? ].*//') 2>/dev/null | sed -n 's/^installed //p')
  printf '%s\n' "$wanted" | while read -r package reason; do
    printf '%s\n' "$installed" | grep -qxF -- "${package%\?}" || printf '%s %s\n' "$package" "$reason"
  done
}

# with_root COMMAND...: as it is for root, with sudo for anybody else.
with_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

have_package_lists() { [ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' -print -quit 2>/dev/null)" ]; }
known_to_apt() { [ -n "$(apt-cache --no-all-versions show "$1" 2>/dev/null)" ]; }

update_package_lists() {
  [ -z "$updated" ] || return 0
  updated=yes
  with_root apt-get -q -o DPkg::Lock::Timeout=300 update
}

# installable: reads "package reason" lines; drops the optional packages that this release does not have.
installable() {
  while read -r package reason; do
    case $package in
      *\?) ! known_to_apt "${package%\?}" || printf '%s %s\n' "${package%\?}" "$reason" ;;
      *) printf '%s %s\n' "$package" "$reason" ;;
    esac
  done
}

# install_packages: reads nothing; installs $names. Lists that are absent or too old are fetched once.
install_packages() {
  # shellcheck disable=SC2086  # one word per package
  apt-get -qq -s --no-install-recommends install $names > /dev/null 2>&1 || update_package_lists || return 1
  for attempt in 1 2; do
    # shellcheck disable=SC2086
    with_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=300 --no-install-recommends install $names < /dev/null && return 0
    [ "$attempt" = 1 ] && [ -z "$updated" ] && update_package_lists || return 1
  done
}

# ensure_packages WHAT LOG PURPOSE...: WHAT completes "These Debian packages are needed to …". Exits 2 when they cannot be installed.
ensure_packages() {
  what=$1 install_log=$2
  shift 2
  updated=
  command -v dpkg-query > /dev/null 2>&1 || return 0  # not Debian: CMake will say what it does not find
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  if ! have_package_lists && [ "$(id -u)" -eq 0 ]; then update_package_lists > "$install_log" 2>&1; fi
  if have_package_lists; then missing=$(printf '%s\n' "$missing" | installable); fi
  [ -n "$missing" ] || return 0

  say "These Debian packages are needed to $what:"
  printf '%s\n' "$missing" | while read -r package reason; do
    case $package in *\?) reason="$reason (if this release has it)" ;; esac
    printf '  %-30s %s\n' "${package%\?}" "$reason" >&2
  done
  command_line="apt-get install --no-install-recommends $(printf '%s\n' "$missing" | sed 's/ .*//; /?$/d' | tr '\n' ' ')"
  if [ "$(id -u)" -eq 0 ]; then
    say "Installing them with apt-get."
  elif ! command -v sudo > /dev/null 2>&1; then
    say "Install them as root (there is no sudo here), then try again:"
    say "  $command_line"
    exit 2
  elif [ -n "${CI:-}" ] || ! (: < /dev/tty) 2> /dev/null; then
    say "Install them, then try again (there is no terminal to ask on):"
    say "  sudo $command_line"
    exit 2
  else
    printf 'Install them now with sudo apt-get? [Y/n] ' >&2
    IFS= read -r answer < /dev/tty || answer=n
    case $answer in
      '' | [Yy] | [Yy][Ee][Ss]) ;;
      *)
        say "Nothing was installed. To do it yourself:"
        say "  sudo $command_line"
        exit 2
        ;;
    esac
    sudo -v || exit 2
  fi

  if {
    have_package_lists || update_package_lists
    names=$(printf '%s\n' "$missing" | installable | sed 's/ .*//')
    install_packages
  } > "$install_log" 2>&1; then
    return 0
  fi
  tail -n 20 -- "$install_log" >&2
  say "The packages could not be installed. The whole output is in $install_log; to try by hand:"
  say "  $command_line"
  exit 2
}
