"""What validation/gpu-check does after the overheads are known: gpu_check.py RTA WORK DURATION ROOT OUTPUT.

Writes task sets that fit this GPU and this machine, runs each with `rta run`, simulates each with the same task set, lets `rta examine`
look at the GPU's scheduling rules, and collects all figures in one JSON file. Exit status: 0 every job within its bound and every run
valid, 1 not, 2 something could not be run. What recording costs has limits of its own, which are printed and kept beside.
"""

import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

RTA, WORK, DURATION, ROOT, OUTPUT = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[4]), sys.argv[5]


def gpu_pool(device):
    return f"{{sms: {device['sms']}, threads: {device['threads_per_sm']}, blocks: {device['blocks_per_sm']}}}"


def one_kernel(device, cpus):
    """A single DAG with one kernel that fills the GPU: what a launch costs, little else."""
    blocks = device["sms"] * (device["threads_per_sm"] // 512)
    return f"""platform: {{cpu: {{processors: {min(2, cpus)}, scheduler: G-FL}}, gpu: {gpu_pool(device)}}}
dags:
  - name: camera
    T: 20 ms
    nodes:
      prepare: {{on: cpu, C: 1 ms}}
      kernel:  {{on: gpu, B: {blocks}, H: 512, L: 2 ms}}
      collect: {{on: cpu, C: 1 ms}}
    edges: [prepare -> kernel -> collect]
"""


def mixed_kernels(device, cpus):
    """Three DAGs whose kernels differ in size and length, at about half of the GPU's capacity; copies in both directions."""
    threads = device["sms"] * device["threads_per_sm"]
    dags = []
    for name, period, H, L, share in (("fast", 10, 128, 0.3, 0.2), ("middle", 20, 256, 1.0, 0.2), ("slow", 50, 512, 4.0, 0.15)):
        blocks = max(1, int(threads * share * period / (H * L)))
        dags.append(
            f"""  - name: {name}
    T: {period} ms
    nodes:
      prepare: {{on: cpu, C: 500 us}}
      upload:  {{on: copy, C: 300 us}}
      kernel:  {{on: gpu, B: {blocks}, H: {H}, L: {L} ms}}
      collect: {{on: cpu, C: 500 us}}
    edges: [prepare -> upload -> kernel -> collect]
"""
        )
    return f"platform: {{cpu: {{processors: {min(4, cpus)}, scheduler: G-FL}}, gpu: {gpu_pool(device)}, copy: {{engines: 1}}}}\ndags:\n" + "".join(
        dags
    )


def persistent_threads(device, cpus):
    """The middle kernel's work as items of resident workers, one per SM."""
    items = device["sms"]
    return f"""platform: {{cpu: {{processors: {min(2, cpus)}, scheduler: G-FL}}, worker: {{workers: {device["sms"]}, dispatch_overhead: 10 us}}}}
dags:
  - name: camera
    T: 20 ms
    nodes:
      prepare: {{on: cpu, C: 1 ms}}
      items:   {{on: worker, B: {items}, L: 2 ms}}
      collect: {{on: cpu, C: 1 ms}}
    edges: [prepare -> items -> collect]
"""


def hog_like(device, cpus):
    """The HOG-like set with this GPU's pool and as many cameras and processors as there is room for."""
    text = (ROOT / "tasksets/literature/hog-like.yaml").read_text()
    processors = max(1, min(16, cpus - 1))
    cameras = max(1, min(6, processors * 6 // 16))
    text = re.sub(r"processors: \d+", f"processors: {processors}", text)
    text = re.sub(r"gpu: \{[^}]*\}", f"gpu: {gpu_pool(device)}", text, count=1)
    return re.sub(r"copies: \d+", f"copies: {cameras}", text)


def measure(name, text):
    folder = WORK / name
    folder.mkdir(parents=True, exist_ok=True)
    task_set = folder / f"{name}.yaml"
    task_set.write_text(text)
    report = folder / "comparison.json"
    run = subprocess.run(
        [RTA, "run", task_set, "--duration", DURATION, "--keep", folder, "--output", report, "--quiet"], stdout=subprocess.DEVNULL
    )
    if run.returncode not in (0, 1) or not report.exists():
        print(f"gpu-check: {name}: could not be run", file=sys.stderr)
        return {"task_set": text, "could_not_run": True}
    result = {"task_set": text, "measured": json.loads(report.read_text())["comparisons"][0]}
    simulated = folder / "simulation.json"
    subprocess.run([RTA, "simulate", task_set, "--duration", DURATION, "--output", simulated, "--quiet"], stdout=subprocess.DEVNULL)
    if simulated.exists():
        result["simulated"] = json.loads(simulated.read_text())
    comparison = result["measured"]
    for dag in comparison["dags"]:
        bound, largest = dag["bound_ns"], dag["max_ns"]
        figures = f"max {largest / 1e6:.3f} ms" if largest is not None else "no job"
        print(f"{name:<20} {dag['dag']:<12} {dag['count']:>7} jobs  {figures}  bound {bound / 1e6:.3f} ms" if bound else f"{name} {dag['dag']}: no bound")
    failed = [check for check in comparison["checks"] if check["outcome"] == "failed"]
    print(f"{name:<20} {comparison['verdict']}{'' if not failed else ', INVALID: ' + '; '.join(c['name'] + ': ' + c['text'] for c in failed)}")
    return result


def examine():
    """What `rta examine` says of this GPU; its profiles go to validation/profiles."""
    folder = WORK / "examination"
    ran = subprocess.run([RTA, "examine", "-o", folder], capture_output=True, text=True)
    profiles = sorted(folder.glob("*.yaml"))
    if ran.returncode not in (0, 1) or not profiles:
        print(f"gpu-check: rta examine failed: {ran.stderr.strip()}", file=sys.stderr)
        return {"could_not_run": True, "error": ran.stderr}
    kept = ROOT / "validation/profiles"
    kept.mkdir(parents=True, exist_ok=True)
    for profile in profiles:
        shutil.copy(profile, kept / profile.name)
        print(f"profile kept in {kept / profile.name}")
    print(ran.stdout)
    return {"rules_hold": ran.returncode == 0, "text": ran.stdout, "profiles": [profile.name for profile in profiles]}


LIMITS = {"record_cost_per_block_ns": 1000, "effect_of_recording_on_L_percent": 2}


def exceeded_limits(overheads):
    """What recording costs above what it may, a line each."""
    return [f"{name} is {overheads[name]} (at most {limit} expected)" for name, limit in LIMITS.items() if overheads[name] > limit]


def parsed(text):
    """The JSON document, or None where the text is none."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def main():
    device = json.loads((WORK / "overheads.json").read_text())
    cpus = len(os.sched_getaffinity(0))
    print(f"{device['device']}, {device['sms']} SMs; {cpus} processors")
    for key, value in device.items():
        if key.endswith(("_ns", "_percent")):
            print(f"  {key}: {value}")
    exceeded = exceeded_limits(device)
    for line in exceeded:
        print(f"gpu-check: warning: recording costs more than it should: {line}", file=sys.stderr)
    sets = {"one-kernel": one_kernel, "mixed-kernels": mixed_kernels, "persistent-threads": persistent_threads, "hog-like": hog_like}
    results = {name: measure(name, make(device, cpus)) for name, make in sets.items()}
    doctor = subprocess.run([RTA, "workload", "--doctor", "--format", "json"], capture_output=True, text=True)
    examination = examine()
    missing = bool(examination.get("could_not_run")) or any(r.get("could_not_run") for r in results.values())
    passed = all(not r.get("could_not_run") and r["measured"]["verdict"] == "within" and r["measured"]["valid"] for r in results.values())
    result = {
        "schema": 1,
        "device": device["device"],
        "machine": platform.platform(),
        "duration": DURATION,
        "passed": passed,
        "overheads": device,
        "overheads_above_limits": exceeded,
        "doctor": parsed(doctor.stdout),
        "runs": results,
        "examination": examination,
    }
    name = re.sub(r"[^a-z0-9]+", "-", device["device"].lower()).strip("-")
    output = pathlib.Path(OUTPUT) if OUTPUT else ROOT / "validation/results" / f"{name}.json"
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(result, indent=1) + "\n")
    print(f"written to {output}")
    return 2 if missing else 0 if passed else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception as error:  # not Python's status 1, which would say that a bound was exceeded
        print(f"gpu-check: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(2)
