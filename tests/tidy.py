"""clang-tidy over the project's sources: tidy.py CLANG_TIDY BUILD_FOLDER JOBS [SECONDS].

A source that was found clean is not looked at again until it, a header that it includes, its compile command, the settings or
clang-tidy change. With SECONDS, no further source is begun after that time; those that changed last come first. Findings go to
standard output; exit status 1 when there are any.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("src", "tests", "fuzz", "bench", "validation", "examples", "python")
CLEAN = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "rta" / "tidy"
# The path-sensitive analyser takes most of the time; it looks at what is installed. In tests, hand-worked numbers are multiplied as they are.
RELAXED = {"tests", "fuzz", "bench"}
RELAXATION = "--checks=-clang-analyzer-*,-bugprone-implicit-widening-of-multiplication-result"
FORGET_AFTER = 60 * 24 * 3600  # s


def dependencies(build):
    """Object file -> the files that its compilation read, from Ninja's log of the last build."""
    found, current = {}, None
    listing = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        if line.startswith("    "):
            current.append(line.strip())
        elif match := re.match(r"(.+): #deps \d+, .*\((VALID|STALE)\)", line):
            current = found.setdefault(match[1], [])
    return found


def jobs(build):
    """The compile commands of the project's own sources, each source once."""
    seen = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if source.is_relative_to(ROOT) and source.relative_to(ROOT).parts[0] in FOLDERS:
            seen.setdefault(source, entry)
    return seen


def keys(build, tidy, sources):
    """Source -> a digest of all that clang-tidy's answer depends on, the same in every checkout; None where that is not known."""
    contents = {}

    def content(name):
        path = (build / name).resolve()
        if path not in contents:
            contents[path] = hashlib.sha256(path.read_bytes()).hexdigest()
        return contents[path]

    version = subprocess.run([tidy, "--version"], check=True, capture_output=True, text=True).stdout
    common = [version, (ROOT / ".clang-tidy").read_text(), pathlib.Path(__file__).read_text()]
    read = dependencies(build)
    result = {}
    for source, entry in sources.items():
        match = re.search(r" -o (\S+)", entry["command"])
        files = read.get(match[1]) if match else None
        if not files:
            result[source] = None
            continue
        digest = hashlib.sha256()
        for part in [*common, entry["command"].replace(str(ROOT), "."), content(source), *sorted(content(f) for f in files)]:
            digest.update(part.encode() + b"\0")
        result[source] = digest.hexdigest()
    return result


def by_age(sources):
    """The sources, those first that the last commits changed."""
    try:
        log = subprocess.run(["git", "-C", ROOT, "log", "--format=", "--name-only"], capture_output=True, text=True).stdout
    except FileNotFoundError:  # no git: in whatever order
        log = ""
    place = {}
    for name in log.splitlines():
        place.setdefault(name, len(place))
    return sorted(sources, key=lambda source: place.get(str(source.relative_to(ROOT)), -1))


def main():
    tidy, build, parallel = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
    end = time.monotonic() + float(sys.argv[4]) if len(sys.argv) > 4 else None
    CLEAN.mkdir(parents=True, exist_ok=True)
    sources = jobs(build)
    digests = keys(build, tidy, sources)
    todo = []
    for source, digest in digests.items():
        if digest and (CLEAN / digest).exists():
            (CLEAN / digest).touch()
        else:
            todo.append(source)

    def look(source):
        if end and time.monotonic() > end:
            return source, None
        relaxed = [RELAXATION] if source.relative_to(ROOT).parts[0] in RELAXED else []
        run = subprocess.run([tidy, "-p", build, "--quiet", "--extra-arg=-Wno-unknown-warning-option", *relaxed, source], capture_output=True, text=True)
        if run.returncode == 0 and digests[source]:
            (CLEAN / digests[source]).touch()
        return source, run

    # The largest first where all are looked at, so that no long one is left alone at the end.
    todo = by_age(todo) if end else sorted(todo, key=lambda source: -source.stat().st_size)
    failures = left = 0
    with concurrent.futures.ThreadPoolExecutor(parallel) as pool:
        for source, run in pool.map(look, todo):
            if run is None:
                left += 1
            elif run.returncode != 0:
                failures += 1
                print(f"{source.relative_to(ROOT)}: clang-tidy ends with {run.returncode}\n{run.stdout}{run.stderr}", flush=True)

    for old in CLEAN.iterdir():
        if old.stat().st_mtime < time.time() - FORGET_AFTER:
            old.unlink(missing_ok=True)
    print(f"{len(sources)} sources, {len(todo) - left} looked at, {failures} with findings, {left} left for ./check --long")
    return 1 if failures or not sources else 0


sys.exit(main())
