"""Chapter 5 of [Y] beside its task sets (docs/reproduction.md): chapter5.py PROGRAM prints the tables and draws chapter-5.svg. Needs gnuplot.

Bounds are those of `rta analyze`, the largest rates of its --largest-rate, and what is simulated that of `rta simulate`."""

import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LITERATURE = HERE.parent.parent / "tasksets" / "literature"
THREADS, STAGES, PARALLEL = ((LITERATURE / f"tiny-yolo-{name}.yaml").read_text() for name in ("threads", "stages", "parallel"))
RATES = [10, 20, 28, 40, 50, 60, 62, 63, 67, 71, 75, 78, 80, 83, 86, 90, 100, 110, 120, 130, 140]  # frames/s
GROWS = 200_000_000  # ns: where the frames are too many they take longer and longer, which is not drawn
COLOURS = ["#4292c6", "#31a354", "#e6550d", "#000000"]


def run(program, command, text, *arguments):
    done = subprocess.run([program, command, "-", *arguments, "--format", "json", "--quiet"], input=text, capture_output=True, text=True)
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def with_period(text, T):
    return re.sub(r"(?m)^    T: .*$", f"    T: {T} ns", text)


def frames_at_once(k):
    """Every frame on one of k threads."""
    return re.sub(r"threads: 1$", f"threads: {k}", re.sub(r"    D: .*\n", "", THREADS), flags=re.MULTILINE)


def pipeline(program, k, T):
    """Stages of k threads each, one after another by the clock: the phases are sums of bounds."""
    text = with_period(re.sub(r"threads: 1$", f"threads: {k}", STAGES, flags=re.MULTILINE), T)
    bounds = [dag["response_bound_ns"] for dag in run(program, "analyze", text)["dags"]]
    if None in bounds:
        return text, None
    ends = [sum(bounds[:i]) for i in range(len(bounds))]
    return re.sub(r"phase: .*", lambda match: f"phase: {ends.pop(0)} ns", text), sum(bounds)


def cameras(text, n, T):
    return re.sub(r"(?m)^    T: .*$", f"    T: {n * T} ns\n    copies: {n}", text)


def observed(program, text):
    """Of stages one after another by the clock: from the release of the first to the end of the last."""
    dags = run(program, "simulate", text, "--duration", "20s")["dags"]
    phases = re.findall(r"phase: (\d+) ns", text)
    return int(phases[-1]) + dags[-1]["observed_max_ns"] if phases else max(dag["observed_max_ns"] for dag in dags)


def bound(program, text):
    bounds = [dag["response_bound_ns"] for dag in run(program, "analyze", text)["dags"]]
    return None if None in bounds else max(bounds)


def largest_rate(program, text, dag):
    return run(program, "analyze", text, "--largest-rate", dag)["largest_rates"][0]["least_period_ns"]


def ms(ns):
    return "-" if ns is None else f"{ns / 1e6:.1f} ms"


def rate(T):
    return f"{int(10_000_000_000 / T) / 10:.1f}"


def table(program):
    print("| | published, frames/s | least T | frames/s | bound there | frames at once | simulated there |\n|---|---|---|---|---|---|---|")

    def row(name, published, T, latency, seen):
        print(f"| {name} | {published} | {T / 1e6:.2f} ms | {rate(T)} | {ms(latency)} | {-(-latency // T)} | {ms(seen)} |", flush=True)

    for k in (1, 2, 4, 10):
        T = largest_rate(program, with_period(frames_at_once(k), 100_000_000), "yolo")
        text = with_period(frames_at_once(k), T)
        row("SERIAL" if k == 1 else f"one stage of all layers, {k} threads", {1: "28", 10: "71"}.get(k, ""), T, bound(program, text), observed(program, text))
    for k in (1, 2, 4, 10):
        start, _ = pipeline(program, k, 20_000_000)
        T = largest_rate(program, start, "stage1")
        text, latency = pipeline(program, k, T)
        row("PIPELINE" if k == 1 else f"PARALLEL, {k} threads a stage", {1: "63", 10: "71"}.get(k, ""), T, latency, observed(program, text))
    T = 14_100_000
    text = with_period(PARALLEL, T)
    row("PARALLEL, every node by itself", "71", T, bound(program, text), observed(program, text))
    print("\n| cameras | T of each | bound | simulated, in phase |\n|---|---|---|---|")
    for n in (1, 2, 4):
        text = cameras(PARALLEL, n, T)
        print(f"| {n} | {n * T / 1e6:.1f} ms | {ms(bound(program, text))} | {ms(observed(program, text))} |", flush=True)


def curves(program):
    points = {}
    for name, make in (("SERIAL", lambda T: with_period(frames_at_once(1), T)), ("four threads", lambda T: with_period(frames_at_once(4), T)),
                       ("PIPELINE", lambda T: pipeline(program, 1, T)), ("PARALLEL, every node by itself", lambda T: with_period(PARALLEL, T))):
        proven, seen = [], []
        for fps in RATES:
            made = make(1_000_000_000 // fps)
            text, latency = made if isinstance(made, tuple) else (made, bound(program, made))
            if latency is None and isinstance(made, tuple):
                break  # without bounds it has no phases
            at = observed(program, text)
            proven.append((fps, latency))
            seen.append((fps, at if at < GROWS else None))
        points[name] = (proven, seen)
        print(name, [(fps, ms(b), ms(s)) for (fps, b), (_, s) in zip(proven, seen)], flush=True)
    return points


def draw(points):
    def data(values):
        return "".join(f"{fps} {ns / 1e6}\n" for fps, ns in values if ns is not None)

    script = ["set terminal svg size 820,480 dynamic font 'sans-serif,12' background '#ffffff'", f"set output '{HERE / 'chapter-5.svg'}'", "set grid",
              "set xlabel 'frames per second'", "set ylabel 'latency of a frame, ms'", "set yrange [0:130]", "set key below maxcols 2",
              "set xrange [0:140]"]
    lines, blocks = [], []
    for i, (name, (proven, seen)) in enumerate(points.items()):
        for kind, values in (("bound", proven), ("simulated", seen)):
            block = f"$d{len(blocks)}"
            blocks.append(f"{block} << EOD\n{data(values)}EOD")
            style = f"with lines lw {(6, 2, 2, 2)[i]} lc rgb '{COLOURS[i]}'" if kind == "bound" else f"with points pt 6 ps 0.7 lc rgb '{COLOURS[i]}'"
            lines.append(f"{block} using 1:2 {style} title '{name}, {kind}'")
    for fps, height, published in ((28, 126, "SERIAL kept up with 28"), (63, 126, "PIPELINE with 63"), (71, 118, "PARALLEL with 71")):
        script.append(f"set arrow from {fps},0 to {fps},130 nohead dt 3 lc rgb '#969696'")
        script.append(f"set label '{published}' at {fps},{height} {'right offset -0.3,0' if fps < 71 else 'left offset 0.3,0'} font 'sans-serif,9' textcolor rgb '#636363'")
    subprocess.run(["gnuplot"], input="\n".join([*script, *blocks, "plot " + ", ".join(lines)]), text=True, check=True)


if __name__ == "__main__":
    table(sys.argv[1])
    draw(curves(sys.argv[1]))
