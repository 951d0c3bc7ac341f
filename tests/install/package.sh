#!/bin/bash
# Makes the Debian packages of a finished build and unpacks them: package.sh BUILD FOLDER. What lies then in FOLDER/root runs as it would
# when installed, and lintian, where it is there, finds no error. Exit status 1 and the reason when not.
set -eu
build=$(readlink -f -- "$1")
folder=$2
source=$(cd -- "$(dirname -- "$0")/../.." && pwd)
fail() { echo "error: $*"; exit 1; }

mkdir -p "$folder"
folder=$(readlink -f -- "$folder")
rm -rf "$folder/root" "$folder/packages"
cpack --config "$build/CPackConfig.cmake" -B "$folder/packages" > "$folder/cpack.log" 2>&1 || { tail -n 20 "$folder/cpack.log"; fail "cpack failed"; }
for package in "$folder"/packages/*.deb; do dpkg-deb -x "$package" "$folder/root"; done

control() { dpkg-deb -f "$folder"/packages/"$1"_*.deb "$2"; }
root=$folder/root
rta=$root/usr/bin/rta
version=$("$rta" --version | cut -d ' ' -f 2)
[[ $(control rta Version) == "$version-1~"* ]] || fail "the package's version is not $version"
# Libraries at run time as the linker found them, and none of the packages for compilers.
[[ $(control rta Depends) == *libc6* && $(control rta Depends) == *libglpk* && $(control rta Depends) != *-dev* ]] ||
  fail "rta depends on: $(control rta Depends)"
[ "$(control rta Static-Built-Using)" = "$(dpkg-query -Wf '${source:Package} (= ${source:Version})' libjs-vega)" ] ||
  fail "the Vega that is in rta is said to be: $(control rta Static-Built-Using)"
# Both programs are hardened: position independent, relocations read-only and bound at the start, guarded stacks, checked functions.
for program in rta rta-check; do
  elf=$(readelf --wide --file-header --program-headers --dynamic --dyn-syms "$root/usr/bin/$program")
  for mark in "Type: *DYN" GNU_RELRO BIND_NOW __stack_chk_fail "__[a-z]*printf_chk"; do
    grep -q -- "$mark" <<< "$elf" || fail "$program is not hardened: readelf shows no '$mark'"
  done
done
# Every file that the copyright names is there.
for name in $(sed -n 's/^Files: //p' "$source/packaging/copyright"); do
  [ "$name" = "*" ] || [ -e "$source/$name" ] || fail "packaging/copyright names $name, which is not there"
done
# Whatever the library's CMake files look for is installed with it.
for name in Boost:libboost-dev nlohmann_json:nlohmann-json3-dev LibYAML:libyaml-dev fmt:libfmt-dev GLPK:libglpk-dev TBB:libtbb-dev OpenSSL:libssl-dev \
  ZLIB:zlib1g-dev SQLite3:libsqlite3-dev pugixml:libpugixml-dev; do
  grep -q "find_dependency(${name%:*}" "$root"/usr/lib*/cmake/rta/rtaConfig.cmake || fail "rtaConfig.cmake does not look for ${name%:*}"
  [[ ", $(control librta-dev Depends)," == *", ${name#*:},"* ]] || fail "librta-dev does not depend on ${name#*:}"
done
[ "$(grep -c find_dependency "$root"/usr/lib*/cmake/rta/rtaConfig.cmake)" -eq 10 ] || fail "rtaConfig.cmake looks for something that librta-dev does not bring"

grep -q "^## $version (" "$source/CHANGELOG.md" || fail "CHANGELOG.md has no $version"
[ "$(grep -m 1 '^## ' "$source/CHANGELOG.md" | cut -d ' ' -f 2)" = "$version" ] || fail "the newest entry of CHANGELOG.md is not $version"
for file in share/man/man1/rta.1.gz share/man/man1/rta-check.1.gz share/doc/rta/copyright share/doc/rta/changelog.gz share/doc/rta/changelog.Debian.gz \
  share/doc/rta/docs/guide.md share/doc/rta/docs/guide-task-set.md share/bash-completion/completions/rta share/zsh/vendor-completions/_rta share/rta/schema/task-set.json \
  include/rta/analysis/analyze.hpp share/doc/librta-dev/copyright; do
  [ -s "$root/usr/$file" ] || fail "/usr/$file is missing"
done
gzip -dc "$root/usr/share/man/man1/rta.1.gz" | cmp - <("$rta" help --man) || fail "rta.1 is not what rta help --man prints"
# rta-proved is there where OCaml is, and every option of both is on its page.
checkers=rta-check
! command -v ocamlopt > /dev/null || checkers="rta-check rta-proved"
for checker in $checkers; do
  [ -s "$root/usr/share/man/man1/$checker.1.gz" ] || fail "the manual page of $checker is missing"
  for option in $("$root/usr/bin/$checker" --help | grep -oE -- '--[a-z-]+' | grep -vxE -- '--(release|path-bound|certificate)' | sort -u); do
    gzip -dc "$root/usr/share/man/man1/$checker.1.gz" | sed 's/\\-/-/g' | grep -q -- "$option" || fail "$checker.1 does not explain $option"
  done
done

set=$root/usr/share/doc/rta/tasksets/examples/pedestrian.yaml
"$rta" analyze "$set" --certificate "$folder/proof.cert" -o "$folder/result.json" || fail "rta analyze ended with $?"
"$root/usr/bin/rta-check" "$set" "$folder/proof.cert" > /dev/null || fail "rta-check ended with $?"
if [[ $checkers == *rta-proved* ]]; then
  hog=$root/usr/share/doc/rta/tasksets/literature/hog-like.yaml
  "$rta" analyze "$hog" --release completion --path-bound T10n --certificate "$folder/hog.cert" -o "$folder/hog.json" || fail "rta analyze ended with $?"
  "$root/usr/bin/rta-proved" "$hog" "$folder/hog.cert" > /dev/null || fail "rta-proved ended with $?"
fi
"$rta" diff "$folder/result.json" "$folder/result.json" > /dev/null || fail "rta diff ended with $?"

if ls "$root"/usr/lib/python3/dist-packages/rta/_native*.so > /dev/null 2>&1; then
  [[ $(control python3-rta Depends) == *"python3 (>= 3."* ]] || fail "python3-rta depends on: $(control python3-rta Depends)"
  PYTHONPATH=$root/usr/lib/python3/dist-packages python3 -c 'import rta, sys; sys.exit(rta.__version__ != sys.argv[1])' "$version" || fail "import rta failed"
fi

# shellcheck source=/dev/null
completed=$(source "$root/usr/share/bash-completion/completions/rta"; COMP_WORDS=(rta analyze --scheduler G-) COMP_CWORD=3; _rta; echo "${COMPREPLY[*]}")
[ "$completed" = "G-EDF G-FL" ] || fail "bash completes to: $completed"

if command -v lintian > /dev/null; then
  lintian --allow-root --fail-on error "$folder"/packages/*.deb || fail "lintian found errors"
  hardening=hardening-no-pie,hardening-no-relro,hardening-no-bindnow,hardening-no-fortify-functions
  lintian --allow-root --tags "$hardening" --display-info --fail-on info "$folder"/packages/*.deb || fail "lintian finds hardening that is missing"
else
  echo "lintian is not installed: nothing was asked of it"
fi
echo "$(cd "$folder/packages" && ls ./*.deb | tr '\n' ' ')"
