"""The task sets that gpu-check runs, scaled to a machine: C and L include what it adds to nodes, which are played that much shorter."""

import collections
import pathlib
import re

from gpu_side_by_side import Run

ROOT = pathlib.Path(__file__).resolve().parents[1]

# device: a GPU's `sms`, `threads_per_sm` and `blocks_per_sm`; cpus: processors; real_time: whether SCHED_FIFO may be had; overheads: by pool,
# ns; slices: the longest slice and switch of processes on the GPU, ns.
Machine = collections.namedtuple("Machine", "device cpus real_time overheads slices")

MOST_OVERHEAD = 2_000_000  # ns; a machine that adds more is not fit for these periods
UNKNOWN_SLICES = (5_000_000, 1_000_000)
UNITS = {"ns": 1, "us": 1000, "ms": 1_000_000}


def overheads_of(measured):
    """Pool -> what a node of it takes beside its execution, ns: between the instant at which it is ready and its first instruction, and between
    its end and the thread that waits for it. A quarter more than the largest that the program overheads saw."""
    largest = {name: max(0, value["max"]) for name, value in measured.items() if isinstance(value, dict)}
    awake = largest["timer_to_thread_ns"] + largest["thread_to_thread_ns"]
    kernel = largest["kernel_launch_to_start_ns"] + largest["kernel_end_to_host_ns"]
    poll = 50_000  # so often whoever waits for resident workers looks
    added = {"cpu": awake, "gpu": awake + kernel, "copy": awake + kernel, "worker": awake + largest["persistent_dispatch_ns"] + poll}
    added["awaited"] = kernel  # a kernel that the thread which waits for it has launched: it is awake
    return {pool: min(MOST_OVERHEAD, -(-ns * 5 // 40_000) * 10_000) for pool, ns in added.items()}


def options_of(machine, text):
    """Of rta run: nodes are played shorter by what their C and L include."""
    pools = [pool for pool in machine.overheads if re.search(rf"\b{pool}: {{", text)]
    return [word for pool in pools for word in ("--overhead", f"{pool}={machine.overheads[pool]}ns")]


def of_threads_that_wait(machine):
    """The machine as DAGs on `threads` find it."""
    if "awaited" not in machine.overheads:
        return machine
    return machine._replace(overheads={**machine.overheads, "gpu": machine.overheads["awaited"]})


def time(machine, pool, ms):
    return f"{round(ms * 1_000_000) + machine.overheads.get(pool, 0)} ns"


def cpu_pool(machine, processors):
    """Without real-time scheduling in order of arrival, which threads that share a queue keep under any scheduling."""
    return f"{{processors: {processors}, scheduler: {'G-FL' if machine.real_time else 'FIFO'}}}"


def gpu_pool(machine, sharing=""):
    device = machine.device
    return f"{{sms: {device['sms']}, threads: {device['threads_per_sm']}, blocks: {device['blocks_per_sm']}{sharing}}}"


def filling(machine, T, H, L, share):
    """Blocks of a kernel that takes that share of the GPU; T and L in ms."""
    device = machine.device
    L_ms = L + machine.overheads.get("gpu", 0) / 1_000_000
    return max(1, int(device["sms"] * device["threads_per_sm"] * share * T / (H * L_ms)))


def one_kernel(machine):
    """A single DAG with one kernel that fills the GPU: what a launch costs, little else."""
    blocks = machine.device["sms"] * (machine.device["threads_per_sm"] // 512)
    return f"""platform: {{cpu: {cpu_pool(machine, min(2, machine.cpus))}, gpu: {gpu_pool(machine)}}}
dags:
  - name: camera
    T: 20 ms
    nodes:
      prepare: {{on: cpu, C: {time(machine, "cpu", 1)}}}
      kernel:  {{on: gpu, B: {blocks}, H: 512, L: {time(machine, "gpu", 2)}}}
      collect: {{on: cpu, C: {time(machine, "cpu", 1)}}}
    edges: [prepare -> kernel -> collect]
"""


def mixed_kernels(machine):
    """Three DAGs whose kernels differ in size and length, at about half of the GPU's capacity; copies in both directions."""
    dags = []
    for name, T, H, L, share in (("fast", 10, 128, 0.3, 0.2), ("middle", 20, 256, 1.0, 0.2), ("slow", 50, 512, 4.0, 0.15)):
        dags.append(
            f"""  - name: {name}
    T: {T} ms
    nodes:
      prepare: {{on: cpu, C: {time(machine, "cpu", 0.5)}}}
      upload:  {{on: copy, C: {time(machine, "copy", 0.3)}}}
      kernel:  {{on: gpu, B: {filling(machine, T, H, L, share)}, H: {H}, L: {time(machine, "gpu", L)}}}
      collect: {{on: cpu, C: {time(machine, "cpu", 0.5)}}}
    edges: [prepare -> upload -> kernel -> collect]
"""
        )
    pools = f"cpu: {cpu_pool(machine, min(4, machine.cpus))}, gpu: {gpu_pool(machine)}, copy: {{engines: 1}}"
    return f"platform: {{{pools}}}\ndags:\n" + "".join(dags)


def persistent_threads(machine):
    """The middle kernel's work as items of resident workers, one per SM."""
    workers = machine.device["sms"]
    return f"""platform: {{cpu: {cpu_pool(machine, min(2, machine.cpus))}, worker: {{workers: {workers}, dispatch_overhead: 10 us}}}}
dags:
  - name: camera
    T: 20 ms
    nodes:
      prepare: {{on: cpu, C: {time(machine, "cpu", 1)}}}
      items:   {{on: worker, B: {workers}, L: {time(machine, "worker", 2)}}}
      collect: {{on: cpu, C: {time(machine, "cpu", 1)}}}
    edges: [prepare -> items -> collect]
"""


def hog_like(machine):
    """The HOG-like set with this GPU's pool and as many cameras and processors as there is room for. Without real-time scheduling threads that
    launch kernels need processors of their own, and half of the cameras are left out. Where overheads take more than half of the processors
    cameras are slower, by a power of 2."""
    text = (ROOT / "tasksets/literature/hog-like.yaml").read_text()
    processors = max(1, min(16, machine.cpus - 1) if machine.real_time else machine.cpus * 3 // 4)
    cameras = max(1, min(6, processors * 6 // 16) // (1 if machine.real_time else 2))
    text = re.sub(r"cpu: \{processors: [^}]*\}", f"cpu: {cpu_pool(machine, processors)}", text, count=1)
    text = re.sub(r"gpu: \{[^}]*\}", f"gpu: {gpu_pool(machine)}", text, count=1)
    text = re.sub(r"copies: \d+", f"copies: {cameras}", text)

    def longer(node):
        return f"{node[1]}{time(machine, node[2], float(node[3]) * UNITS[node[4]] / 1_000_000)}"

    text = re.sub(r"(\{on: (\w+),[^}]*?\b[CL]: )([\d.]+) (ns|us|ms)", longer, text)
    busy = cameras * sum(int(ns) for ns in re.findall(r"\{on: cpu, C: (\d+) ns", text))
    T = 33
    while busy > T * 1_000_000 * processors / 2:
        T *= 2
    return re.sub(r"T: 33 ms", f"T: {T} ms", text).replace("D: 100 ms", f"D: {3 * T} ms") if T > 33 else text


def processes(machine):
    """Two processes whose kernels fill the GPU, without MPS: it serves them by time slices."""
    device = machine.device
    slice_ns, switch_ns = machine.slices or UNKNOWN_SLICES
    sharing = f", sharing: {{slice: {slice_ns} ns, switch: {switch_ns} ns}}"
    dags = []
    for name, T, L in (("perception", 50, 1.0), ("planning", 100, 3.0)):
        dags.append(
            f"""  - name: {name}
    T: {T} ms
    process: {name}
    nodes:
      prepare: {{on: cpu, C: {time(machine, "cpu", 1)}}}
      kernel:  {{on: gpu, B: {device["sms"] * (device["threads_per_sm"] // 512)}, H: 512, L: {time(machine, "gpu", L)}}}
      collect: {{on: cpu, C: {time(machine, "cpu", 1)}}}
    edges: [prepare -> kernel -> collect]
"""
        )
    return f"platform: {{cpu: {cpu_pool(machine, min(4, machine.cpus))}, gpu: {gpu_pool(machine, sharing)}}}\ndags:\n" + "".join(dags)


NODE = re.compile(r"^ +(\w+): +\{on: (\w+), (.*?)(?:, group: \w+)?\}$", re.MULTILINE)


def one_by_one(text):
    """The HOG-like set's head, and its cameras as DAGs of their own."""
    head, camera = re.split(r"^  - ", text, maxsplit=1, flags=re.MULTILINE)
    copies = int(re.search(r"copies: (\d+)", camera)[1])
    camera = re.sub(r"^ +copies: \d+\n", "", camera, flags=re.MULTILINE)
    return head, [f"  - {camera.replace('name: camera', f'name: camera{i}', 1)}" for i in range(copies)]


def in_own_processes(machine, text):
    """Its cameras as processes without MPS, which the GPU serves by time slices."""
    slice_ns, switch_ns = machine.slices or UNKNOWN_SLICES
    head, cameras = one_by_one(text)
    head = head.replace(gpu_pool(machine), gpu_pool(machine, f", sharing: {{slice: {slice_ns} ns, switch: {switch_ns} ns}}"))
    return head + "".join(camera.replace(f"name: camera{i}\n", f"name: camera{i}\n    process: camera{i}\n", 1) for i, camera in enumerate(cameras))


CLUSTERS = ("cpu0", "cpu1")


def in_clusters(text):
    """Its processors as two pools, and every second camera in the other one; None: there are too few of either."""
    head, cameras = one_by_one(text)
    pool = re.search(r"^  cpu: \{processors: (\d+), (.*)\}$", head, re.MULTILINE)
    half = int(pool[1]) // 2
    if half == 0 or len(cameras) < 2:
        return None
    head = head.replace(pool[0], "\n".join(f"  {name}: {{processors: {half}, {pool[2]}}}" for name in CLUSTERS))
    return head + "".join(camera.replace("on: cpu,", f"on: {CLUSTERS[i % 2]},") for i, camera in enumerate(cameras))


def on_one_thread(machine):
    """The HOG-like set, monolithic: one thread plays the nodes of a camera's DAG in the order of the file, each after the one before. CPU nodes in
    a row are one, which waits for the machine once."""
    nodes, text = [], hog_like(machine)
    for name, pool, demand in NODE.findall(text):
        if pool == "cpu" and nodes and nodes[-1][1] == "cpu":
            C = int(nodes[-1][2][3:-3]) + int(demand[3:-3]) - machine.overheads.get("cpu", 0)
            nodes[-1][2] = f"C: {C} ns"
        else:
            nodes.append([name, pool, demand])
    head = text[: text.index("    nodes:")].replace("    T:", "    threads: 1\n    T:", 1)
    lines = "".join(f"      {name}: {{on: {pool}, {demand}}}\n" for name, pool, demand in nodes)
    return f"{head}    nodes:\n{lines}    edges:\n      - {' -> '.join(node[0] for node in nodes)}\n"


ON_COMPLETION = ("--release", "completion")  # as the programs of the dissertation: every node as soon as it is ready


def table_6_1(machine):
    """The HOG-like set by granularity, as threads of one process (MT), and with a process per camera without and with MPS (MP, MP(MPS)). The
    columns of Table 6.1 of the dissertation are those under MPS, with all processors in one pool and in two (clusters), fine-grained under G-FL,
    others under G-EDF: so they are where real-time scheduling may be had, else all are FIFO."""
    fine = hog_like(machine)
    waiting = of_threads_that_wait(machine)
    T_and_D = re.compile(r"^    T: .*\n    D: .*$", re.MULTILINE)
    coarse, monolithic = (T_and_D.sub(T_and_D.search(fine)[0], text) for text in (hog_like(waiting), on_one_thread(waiting)))
    runs = {
        "fine, MT": Run(fine, options_of(machine, fine), ON_COMPLETION),
        "coarse, MT": Run(coarse, options_of(waiting, coarse), ("--granularity", "coarse")),
        "monolithic, MT": Run(monolithic, options_of(waiting, monolithic)),
    }
    by_deadline = coarse.replace("scheduler: G-FL", "scheduler: G-EDF")
    ways = {"fine": (machine, fine, ON_COMPLETION)}
    ways |= {name: (waiting, by_deadline, ("--granularity", name)) for name in ("coarse", "monolithic")}

    def in_processes(scenario, change, mps):
        for name, (as_found, text, options) in ways.items():
            changed = change(as_found, text)
            if changed is None:
                continue
            pools = {**as_found.overheads, **{pool: as_found.overheads["cpu"] for pool in CLUSTERS if "cpu" in as_found.overheads}}
            words = (*options_of(as_found._replace(overheads=pools), changed), "--tasks", "processes")
            runs[f"{name}, {scenario}"] = Run(changed, words, options, mps=mps)

    in_processes("MP", in_own_processes, False)
    in_processes("MP(MPS)", lambda _, text: text, True)
    in_processes("MP(MPS), clusters", lambda _, text: in_clusters(text), True)
    return runs


def tiny_yolo(machine, T, threads=None, stages=False):
    """Tiny YOLO of chapter 5 of the dissertation, its kernels as large for this GPU as they are for a DRIVE PX2's: convolutions of two waves,
    pooling layers of one. T in ns. `stages`: its nodes in groups."""
    device = machine.device
    text = (ROOT / f"tasksets/literature/tiny-yolo-{'pipelined' if stages else 'threads'}.yaml").read_text()
    here = device["sms"] * device["threads_per_sm"]
    text = re.sub(r"gpu: \{sms: [^}]*\}", f"gpu: {gpu_pool(machine)}", text, count=1)
    scheduler = "FIFO" if threads else "G-FL" if machine.real_time else "FIFO"
    text = re.sub(r"cpu: \{processors: [^}]*\}", f"cpu: {{processors: {min(6, max(1, machine.cpus - 1))}, scheduler: {scheduler}}}", text, count=1)
    text = re.sub(r"\bB: (\d+)", lambda found: f"B: {int(found[1]) * here // (9 * 2048)}", text)

    def longer(node):
        return f"{node[1]}{time(machine, node[2], float(node[3]) * UNITS[node[4]] / 1e6)}"

    text = re.sub(r"(\{on: (\w+),[^}]*?\b[CL]: )([\d.]+) (us|ms)", longer, text)
    text = re.sub(r"^    D: .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^    threads: .*\n", f"    threads: {threads}\n" if threads else "", text, flags=re.MULTILINE)
    return re.sub(r"^    T: .*$", f"    T: {T} ns", text, flags=re.MULTILINE)


# What one frame asks of CPUs and GPU without what the machine adds; ns.
FRAME, FRAME_ON_GPU = 14_900_000, 7_200_000


def chapter_5(machine, analyzed, quick=False):
    """SERIAL, several frames in parallel, PIPELINE (a thread per stage) and PARALLEL: each as fast as is proven (PIPELINE, for which nothing is, as
    several frames), and faster than it can be, to see what it keeps up with (`quick`: SERIAL alone).
    `analyzed`: of a task set, what `rta analyze` says of it in JSON."""

    def bound(text, options):
        return analyzed(text, options)["dags"][0]["response_bound_ns"]

    runs, saturated = {}, {}
    fine = machine
    machine = of_threads_that_wait(machine)
    for name, threads in (("SERIAL", 1), ("4 frames", 4), ("PIPELINE", None), ("PARALLEL", None)):
        stages = name == "PIPELINE"
        as_found = fine if name == "PARALLEL" else machine
        options = ("--granularity", "coarse") if stages else ON_COMPLETION if name == "PARALLEL" else ()
        if threads:
            (rate,) = analyzed(tiny_yolo(machine, 1_000_000_000, threads), ("--largest-rate", "yolo"))["largest_rates"]
            T = rate["least_period_ns"] * 51 // 50  # 2 % slower
        while not stages and T < 1_000_000_000 and bound(tiny_yolo(as_found, T, threads), options) is None:
            T = T * 5 // 4
        text = tiny_yolo(as_found, T, threads, stages)
        runs[name] = Run(text, options_of(as_found, text), options)
        if quick and threads != 1:
            continue
        text = tiny_yolo(as_found, FRAME * 2 // 3 if threads == 1 else FRAME_ON_GPU * 2 // 3, threads, stages)
        saturated[f"{name}, saturated"] = Run(text, options_of(as_found, text), options, judged=False, seconds=2)
    return {**runs, **saturated}


SIDE_BY_SIDE = {"table-6.1": 10, "yolo": 5}  # so many seconds for each run, where nothing else is asked for


SETS = {
    "one-kernel": one_kernel,
    "mixed-kernels": mixed_kernels,
    "persistent-threads": persistent_threads,
    "hog-like": hog_like,
    "processes": processes,
}
IN_PROCESSES = {"processes"}  # those that --tasks processes runs
