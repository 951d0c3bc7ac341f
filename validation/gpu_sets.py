"""The task sets that gpu-check runs, scaled to a GPU (`sms`, `threads_per_sm`, `blocks_per_sm`) and a number of processors."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]


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


SETS = {"one-kernel": one_kernel, "mixed-kernels": mixed_kernels, "persistent-threads": persistent_threads, "hog-like": hog_like}
