# shellcheck shell=sh disable=SC2154  # $root and $program are the caller's
# Runs $program (rta or rta-check) of the source folder $root with the caller's arguments, and builds it first when that is needed. Sourced by
# ./rta and ./rta-check. Standard output is the program's alone.

# changed PROGRAM: prints something where it is older than a source of it. One call of find: a change time, unlike a modification time, cannot
# be set back, and that of a folder tells of deletions.
changed() {
  case $1 in
    rta-check) set -- "$1" "$root/checker" ;;
    *) set -- "$1" "$root/src" "$root/include" ;;
  esac
  mark=$root/build/release/.built-$1
  shift
  find "$@" "$root/cmake" "$root/CMakeLists.txt" "$root/CMakePresets.json" "$root/setup" /usr/lib/os-release -cnewer "$mark" -print -quit 2>&1
}

# stands PROGRAM: it is built, of the sources as they are.
stands() {
  [ -x "$root/build/release/$1" ] && [ -e "$root/build/release/.built-$1" ] && [ -z "$(changed "$1")" ]
}

if ! stands "$program"; then
  # What `analyze` needs is half of rta: the first verdict does not wait for the rest.
  case $program:${1:-} in rta:analyze) program=rta-analyze ;; esac
  [ "$program" = rta-analyze ] && stands rta-analyze || sh "$root/setup/build.sh" "$program" < /dev/null || exit
fi
exec "$root/build/release/$program" "$@"
