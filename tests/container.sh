#!/bin/bash
# The Containerfile, built by buildah on a bare system instead of a registry's image, and what it leaves, run: container.sh [SUITE] (trixie).
# As root. Exit status: 0 it works, 1 it does not, 77 buildah or the bare system cannot be had.
set -u
root=$(cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd) || exit 3
# shellcheck source=tests/bare_systems.sh
. "$root/tests/bare_systems.sh"
suite=${1:-trixie}
built=localhost/rta:$suite

skip() { echo "skipped: $1"; exit 77; }
fail() { echo "error: $*"; exit 1; }
build() { buildah --root "$work/images" --runroot "$work/images.run" --storage-driver vfs "$@"; }
finish() { build rm --all > /dev/null 2>&1; build rmi --all --force > /dev/null 2>&1; rm -rf "$work/images" "$work/images.run" "$work/context" "$work/$suite.base"; }

[ "$(id -u)" -eq 0 ] || skip "needs root"
command -v buildah > /dev/null || skip "buildah is not installed"
describe "$suite"
reason=$(base "$suite") || skip "no bare system: $reason"
trap finish EXIT

unpack "$suite" "$work/$suite.base" || fail "cannot unpack $work/$suite.tar"
container=$(build from scratch) && build add --quiet "$container" "$work/$suite.base" / > /dev/null && build commit --quiet "$container" "localhost/bare:$suite" > /dev/null ||
  fail "buildah makes no image of the bare system"
rm -rf "$work/$suite.base" "$work/context"
mkdir "$work/context" && git -C "$root" archive HEAD | tar -C "$work/context" -x || fail "cannot copy the sources"
build bud --isolation chroot --pull-never --build-arg "SYSTEM=localhost/bare:$suite" --file "$root/Containerfile" --tag "$built" "$work/context" \
  > "$work/container.log" 2>&1 || { tail -n 30 "$work/container.log"; fail "the Containerfile does not build"; }

# As `podman run -v ...:/work` starts it: the entry point, in the working directory.
started=$(build inspect --format '{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.WorkingDir}}' "$built")
[ "$started" = "[rta] /work" ] || fail "it starts $started"
container=$(build from --pull-never "$built") || exit 1
inside() { build run --isolation chroot --volume "$root/tasksets:/work:ro" "$container" -- "$@"; }
said=$(inside rta analyze examples/pedestrian.yaml) || fail "rta analyze ended with $?"
[[ $said == "schedulable: "* ]] || fail "rta analyze says: $said"
inside sh -c 'rta analyze examples/pedestrian.yaml -q --certificate /tmp/proof && rta-check examples/pedestrian.yaml /tmp/proof' > /dev/null || fail "rta-check ended with $?"
inside sh -c '! command -v g++ && ! command -v cmake && [ -z "$(ls /tmp/*.deb /var/lib/apt/lists/*_* 2> /dev/null)" ]' || fail "it is left with what only the build needs"
echo "$suite: $(build images --format '{{.Size}}' "$built") $(head -n 1 <<< "$said")"
