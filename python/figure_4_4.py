"""Figure 4.4 of the dissertation, the schedule of Example 4.3, from Python: figure_4_4.py TASK-SET FIGURE. Needs python3-matplotlib.

In a notebook: the same without the last two lines."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import rta

tasks = rta.read(sys.argv[1])
bounds = {row["name"]: row["response_bound_ns"] for row in rta.rows(rta.analyze(tasks, gpu_bound="T5", refine="none"))}
blocks = [record for record in rta.simulate(tasks, duration="1 us", trace="block")["trace"] if record["t"] == "block"]
figure, axis = plt.subplots()
for at, block in enumerate(sorted(blocks, key=lambda block: (block["sm"], block["start_ns"]))):
    axis.barh(at, block["end_ns"] - block["start_ns"], left=block["start_ns"], color=f"C{block['dag'] != 'tau1':d}")
    axis.text(block["start_ns"], at, f" SM {block['sm']}: {block['dag']}, block {block['block']}", va="center")
for task, bound in bounds.items():
    axis.axvline(bound, linestyle="--", color=f"C{task != 'tau1':d}", label=f"bound of {task} (T5): {bound} ns")
axis.set(xlabel="ns", yticks=[])
figure.legend(loc="upper center", ncols=2)
figure.savefig(sys.argv[2])
