# shellcheck shell=sh disable=SC2154  # $root and $program are the caller's
# Runs $program (rta or rta-check) of the source folder $root with the caller's arguments, and builds it first when that is needed. Sourced by
# ./rta and ./rta-check. Standard output is the program's alone.

# changed: prints something where $program is older than a source of it. One call of find: a change time, unlike a modification time, cannot
# be set back, and that of a folder tells of deletions.
changed() {
  case $program in
    rta) set -- "$root/src" "$root/include" ;;
    rta-check) set -- "$root/checker" ;;
  esac
  find "$@" "$root/cmake" "$root/CMakeLists.txt" "$root/CMakePresets.json" "$root/setup" /usr/lib/os-release \
    -cnewer "$root/build/release/.built-$program" -print -quit 2>&1
}

if [ ! -x "$root/build/release/$program" ] || [ ! -e "$root/build/release/.built-$program" ] || [ -n "$(changed)" ]; then
  sh "$root/setup/build.sh" "$program" < /dev/null || exit
fi
exec "$root/build/release/$program" "$@"
