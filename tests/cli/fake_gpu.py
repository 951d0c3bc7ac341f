"""A machine with a GPU that is only simulated: fake_gpu.py FOLDER COMMAND... runs the command where /dev has an NVIDIA GPU and $NVCC "builds" a
program `examine` that plays its probes with `rta simulate`. FOLDER/experiments and FOLDER/limits.json say what there is; RTA_PROGRAM plays.
Any other program $NVCC builds with g++ for the CUDA of tests/validation/fake, whose variables of the environment it obeys; what FOLDER/built
has of an earlier call is not compiled again. `rta record` finds a stand-in for CUPTI, where CUPTI's headers are installed."""

import os
import pathlib
import subprocess
import sys

# /dev of this process alone: what programs need of the real one, and the files by which a driver is known.
ENTER = """
set -e
mkdir -p "$1/dev" && mount --rbind /dev "$1/dev" && mount -t tmpfs none /dev
for file in null zero full random urandom; do touch /dev/$file && mount --bind "$1/dev/$file" /dev/$file; done
touch /dev/nvidiactl /dev/nvidia0
shift
exec "$@"
"""

NVCC = r"""#!/usr/bin/env python3
import hashlib, os, pathlib, re, shutil, subprocess, sys
fake, words = pathlib.Path(os.environ["FAKE_GPU"]), sys.argv[1:]
if "-o" not in words:
    sys.exit("nvcc: nothing to do")
out, source = words[words.index("-o") + 1], next((word for word in words if word.endswith(".cu")), "")
if "-c" in words:
    pathlib.Path(out).write_text("")
elif not source:
    shutil.copy(fake / "examine", out)
else:
    runtime = next((word[2:] for word in words if word.startswith("-I")), pathlib.Path(source).parent)
    runtime = pathlib.Path(runtime).resolve()
    content = [path.read_bytes() for path in sorted(runtime.rglob("*")) if path.is_file()]
    built = fake / "built" / hashlib.sha256(b"".join([pathlib.Path(source).read_bytes(), *content])).hexdigest()
    if not built.exists():
        built.parent.mkdir(exist_ok=True)
        folders = ["-I" + os.environ["FAKE_CUDA"], "-I" + str(runtime)]
        options = ["-std=c++17", "-O1", "-U_FORTIFY_SOURCE", "-pthread", "-D__CUDACC__", "-Wno-unknown-pragmas", *folders]
        compiler = ["ccache", "g++"] if shutil.which("ccache") else ["g++"]
        # The same program in another folder is the same to ccache where all paths are relative.
        environment = {**os.environ, "CCACHE_BASEDIR": "/"}
        compiled = str(built) + ".o"
        plain = os.path.abspath(source)
        text = pathlib.Path(source).read_text()
        if "<<<" in text:  # g++ knows no launches
            plain = str(built) + ".cpp"
            launch = r'fake::configured("\1", [](auto... a) { \1(a...); }, \2)('
            pathlib.Path(plain).write_text(re.sub(r"(\w+)<<<(.*?)>>>\(", launch, text, flags=re.S))
        subprocess.run([*compiler, *options, "-x", "c++", "-c", plain, "-o", compiled], check=True, cwd=runtime, env=environment)
        subprocess.run(["g++", "-pthread", compiled, "-o", str(built) + ".new"], check=True)
        os.replace(str(built) + ".new", built)
    shutil.copy(built, out)
"""

EXAMINE = """#!/usr/bin/env python3
import json, os, pathlib, subprocess, sys, time
fake = pathlib.Path(os.environ["FAKE_GPU"])
words = sys.argv[1:]
value = lambda option: words[words.index(option) + 1]
with open(fake / "calls", "a") as calls:
    calls.write(" ".join(words) + "\\n")
if "--limits" in words:
    print((fake / "limits.json").read_text())
elif "--probe" in words:
    name, output = value("--probe"), pathlib.Path(value("--output"))
    time.sleep(float(os.environ.get("FAKE_SECONDS", "0")))
    first = output / f"{name}-000.jsonl"
    subprocess.run([os.environ["RTA_PROGRAM"], "simulate", fake / "experiments" / f"{name}.yaml", "--trace", first], check=True, stdout=subprocess.DEVNULL)
    for i in range(1, int(value("--repeat"))):
        (output / f"{name}-{i:03}.jsonl").write_text(first.read_text())
elif value("--measure") == "resident_grids":
    lines = [json.dumps({"measure": "resident_grids", "sample": i, "resident": 100}) for i in range(int(value("--repeat")))]
    pathlib.Path(value("--output")).write_text("\\n".join(lines) + "\\n")
else:
    print("examine: this GPU is only simulated", file=sys.stderr)
    sys.exit(2)
"""


def is_possible():
    """Whether this process may have a /dev of its own."""
    return subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/dev"], capture_output=True).returncode == 0


CUPTI_HEADERS = next((path for path in map(pathlib.Path, (
    "/usr/local/cuda/include", "/usr/local/cuda/extras/CUPTI/include", "/usr/include")) if (path / "cupti.h").exists()), None)


def build_cupti(folder, tests):
    """The stand-in that records the fake device, in a folder as CUPTI's own."""
    library = folder / "lib64/libcupti.so"
    if library.exists():
        return
    library.parent.mkdir(parents=True)
    (folder / "include").symlink_to(CUPTI_HEADERS)
    included = ["-isystem", str(CUPTI_HEADERS), f"-I{tests.parents[1]}/validation/runtime"]
    subprocess.run(["g++", "-std=c++17", "-shared", "-fPIC", *included, "-o", str(library), str(tests / "cupti/libcupti_fake_device.cpp")], check=True)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    for name, text in (("nvcc", NVCC), ("examine", EXAMINE)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    tests = pathlib.Path(__file__).resolve().parents[1] / "validation"
    os.environ.update(FAKE_GPU=str(folder), NVCC=str(folder / "nvcc"), FAKE_CUDA=str(tests / "fake"))
    if CUPTI_HEADERS is not None:
        build_cupti(folder / "cupti", tests)
        os.environ["CUPTI"] = str(folder / "cupti")
    os.execvp("unshare", ["unshare", "-rm", "sh", "-c", ENTER, "enter", str(folder), *sys.argv[2:]])


if __name__ == "__main__":
    main()
