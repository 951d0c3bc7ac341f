"""How far kernels slow one another down, as `rta examine --interference` measures it. A part that is known is not measured again."""

import json

PARTS = ["whole", "halves", "parts", "same-sm", "copies", "partitions", "cpus"]
# What of the first three has blocks of registers as company.
OF_OTHERS = ["registers"]


def file_of(part):
    return f"interference-{part}.json"


def words_of(parts, folder, quick, limit):
    words = ["examine", "-o", folder, "--rules", "none", f"--interference={','.join(parts)}", "--keep", "--quiet", "--format", "json"]
    return [*words, "--time-limit", f"{max(1, int(limit))}s", *["--quick"] * quick]


def found_in(folder, parts):
    """Of these parts those that were measured, each as its program wrote it."""
    files = {part: folder / "traces" / file_of(part) for part in parts}
    return {part: json.loads(file.read_text()) for part, file in files.items() if file.exists()}


def judged(run, rta, parts, folder):
    """What bounds take of these parts: `interference` of rta's report. `run`: as Check.run."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, found in parts.items():
        (folder / file_of(part)).write_text(json.dumps(found))
    ran = run([rta, "examine", "--traces", folder, "--rules", "none", "--format", "json"], 60)
    if ran.status not in (0, 1):
        raise ValueError(ran.reason())
    return json.loads(ran.out)["interference"]


def together(parts):
    """Their cases, with what is the same in all."""
    measured = {"cases": []}
    for found in parts.values():
        measured = {**{key: value for key, value in found.items() if key != "not_possible"}, "cases": measured["cases"] + found["cases"]}
    return measured
