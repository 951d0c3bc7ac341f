"""`rta analyze --explain`: the printed terms add up to the printed sums, and follow from the other numbers that the analysis prints."""

import collections
import json
import math
import re
import unittest

from program import ROOT, rta

CAMERAS = ROOT / "tasksets/examples/cameras.yaml"
PEDESTRIAN = ROOT / "tasksets/examples/pedestrian.yaml"
HOG = ROOT / "tasksets/literature/hog-like.yaml"
# `  camera[0] ... camera[5] (resize0, resize1 and 130 others), 792 tasks: 5/33 to 7/33, n_i = 1, 1 x 8 = 8`
TERM = re.compile(r"^  (.*?)(?:, (\d+) tasks)?: (?:(-?\d+)/\d+ to )?(-?\d+)/(\d+), n_i = (\d+), (\d+) x (\d+) = (\d+)$")
# `  pair[0] ... pair[1] (last), 2 tasks: 2 x (max(0, 23.5 - 4)/3 x 4/10 + 4 - 1.6) = 10`
LATE_TERM = re.compile(r"^  (?:.*, (\d+) tasks|.*): (?:\1 x )?\(max\(0, (.*) - (\d+)\)/3 x \3/(\d+) \+ \3 - (.*)\) = (.*)$")
# `  camera[0] ... camera[2] (capture, detect), 4 tasks: (3 + 5)/33 to (9 + 5)/33, n_u = 1, 1 x 10 = 10`
PATH_TERM = re.compile(r"^  (.*): (?:(\S+|\(.*?\)/\d+) to )?(\S+|\(\d+ [+-] \d+\)/\d+), n_u = (\d+), (\d+) x (\d+) = (\d+)$")
SEQUENTIAL = """
platform: {cpu: {processors: 3, scheduler: G-FL}}
dags:
  - {name: pair, copies: 2, T: 10 ms, nodes: {first: {on: cpu, C: 3 ms, sequential: true}, last: {on: cpu, C: 4 ms, sequential: true}}}
tasks:
  - {name: large, on: cpu, C: 9 ms, T: 14 ms, sequential: true}
  - {name: small, on: cpu, C: 1 ms, T: 2 ms, sequential: true}
"""


def ceil_div(a, b):
    return -(-a // b)


def explained(node, *options, stdin=b"", file=HOG):
    """The explanation's lines, and the analysis itself."""
    run = rta("analyze", file, "--release", "offsets", "--explain", node, *options, "--format", "json", stdin=stdin)
    result = json.loads(run.stdout)
    return result["explanations"][0]["lines"], result


def nodes_on(result, pool):
    return [(node, dag) for dag in result["dags"] for node in dag["nodes"] if node["pool"] == pool]


def line_with(lines, start):
    return next(line for line in lines if line.startswith(start))


class Demand(unittest.TestCase):
    def test_T1(self):
        lines, result = explained("camera/track", file=PEDESTRIAN)
        self.assertTrue(lines[0].startswith("T1: "), lines)
        demand = float(re.search(r"= ([\d.]+) ns,$", line_with(lines, "demand = "))[1])
        sums = [re.match(r"  .*: (\d+) - (-?\d+)/(\d+) = ([\d.]+)$", line) for line in lines]
        sums = [tuple(map(float, found.groups())) for found in sums if found]
        for C, C_Y, T, carried in sums:
            self.assertAlmostEqual(C - C_Y / T, carried, delta=0.01)
        self.assertAlmostEqual(sum(carried for *_, carried in sums), demand, delta=0.01)
        # Once more, from the points that the analysis prints; C is the file's.
        C_of = {name: float(C) * 1e6 for name, C in re.findall(r"(\w+): +\{on: cpu, C: ([\d.]+) ms", PEDESTRIAN.read_text())}
        nodes = nodes_on(result, "cpu")
        least = min(node["priority_point_ns"] for node, _ in nodes)
        expected = sum(C_of[n["name"]] * max(0, 1 - (n["priority_point_ns"] - least) / d["period_ns"]) for n, d in nodes)
        self.assertAlmostEqual(expected, demand, delta=0.01)


class CountedJobs(unittest.TestCase):
    def check_terms(self, lines, jobs_of):
        """Sums up the terms; `jobs_of` says how many jobs the fraction a/T counts. Returns the sum and the tasks per n_i."""
        total, tasks = 0, collections.Counter()
        for term in filter(None, map(TERM.match, lines)):
            least, most, T, n, factor, work, product = (int(number or term[4]) for number in term.groups()[2:])
            self.assertEqual((jobs_of(least, T), jobs_of(most, T), factor * work), (n, n, product), term[0])
            self.assertEqual(factor, n)
            total += product
            tasks[n] += int(term[2] or 1)
        return total, tasks

    def test_T1n(self):
        lines, result = explained("camera[0]/detect")
        total, tasks = self.check_terms(lines, lambda a, T: max(0, ceil_div(a, T)))
        printed = re.search(r"^sum n_i C_i = (\d+) ns in (\d+) jobs of the pool's (\d+) tasks", lines[1])
        self.assertEqual((total, sum(n * k for n, k in tasks.items()), sum(tasks.values())), tuple(map(int, printed.groups())))
        C, again, minus, m, R = map(int, re.match(r"R = (\d+) \+ \((\d+) - (\d+)\)/(\d+) <= (\d+) ns", lines[-1]).groups())
        self.assertEqual((again, minus), (total, C))
        self.assertLessEqual(C + ceil_div(total - C, m), R)
        # The n_i once more, from the bounds and points of all nodes.
        own = next(node for node, dag in nodes_on(result, "cpu") if (dag["name"], node["name"]) == ("camera[0]", "detect"))
        self.assertEqual((own["theorem"], own["response_bound_ns"]), ("T1n", R))
        expected = collections.Counter()
        for node, dag in nodes_on(result, "cpu"):
            ahead = min(R, own["priority_point_ns"] - node["priority_point_ns"])
            expected[max(0, ceil_div(node["response_bound_ns"] + ahead, dag["period_ns"]))] += 1
        self.assertEqual(tasks, expected)

    def test_T6n(self):
        lines, result = explained("camera[0]/grad0")
        total, tasks = self.check_terms(lines, ceil_div)
        self.assertIn(f"unfinished jobs of each task: {total};", line_with(lines, "carried over"))
        backlog, last, rate, L, R = map(int, re.match(r"R_k = \((\d+) - (\d+)\) / (\d+) \+ (\d+) = (\d+) ns", lines[-1]).groups())
        self.assertEqual((backlog, L + ceil_div(total - last, rate)), (total, R))
        expected = collections.Counter(ceil_div(node["response_bound_ns"], dag["period_ns"]) for node, dag in nodes_on(result, "gpu"))
        self.assertEqual(tasks, expected)

    def test_T1e(self):
        lines, result = explained("camera[0]/detect", "--refine", "demand", file=CAMERAS)
        total, tasks = self.check_terms(lines, lambda a, T: max(0, a // T + 1))
        self.assertEqual(sum(tasks.values()), len(nodes_on(result, "cpu")))
        x, work, c, again, ahead = map(
            int, re.match(r"it is reached at x = (\d+) ns: (\d+) - (\d+) x (\d+) = (\d+) ns", line_with(lines, "it is reached")).groups()
        )
        self.assertEqual((work, again, ahead), (total, x, total - c * x))
        self.assertTrue(line_with(lines, "demand = sup").endswith(f"<= {ahead} ns"))
        points = [node["priority_point_ns"] for node, _ in nodes_on(result, "cpu")]
        expected = collections.Counter(
            max(0, (x - node["priority_point_ns"] + min(points)) // dag["period_ns"] + 1) for node, dag in nodes_on(result, "cpu")
        )
        self.assertEqual(tasks, expected)


class Paths(unittest.TestCase):
    """T10n: each line's n_u from its F_u, the sums per pool, and the bound, from the printed numbers alone; F_u once more from the table."""

    def lines_of(self, node, *options, file=CAMERAS, stdin=b""):
        run = rta("analyze", file, "--release", "completion", *options, "--explain", node, "--format", "json", stdin=stdin)
        result = json.loads(run.stdout)
        lines = result["explanations"][0]["lines"]
        self.assertTrue(lines[0].startswith("T10n: "), lines)
        return lines, result

    def check_sums(self, lines, n_of):
        """`n_of(pool, kind, F, lim, T, a)` is the theorem's count. Returns per pool the F_u at the ends of each line."""
        seen, pool, order, reach, total, waits = collections.defaultdict(list), "", "", 0, 0, 0.0
        for line in lines[2:-1]:
            if found := re.match(r"pool (\S+) \((.*)\):$", line):
                (pool, order), total = found.groups(), 0
            elif found := re.match(r"  [ab] = (\d+) ns: ", line):
                reach = int(found[1])
            elif found := PATH_TERM.match(line):
                kind, least, most, n, again, work, product = found.groups()
                self.assertEqual((n, int(n) * int(work)), (again, int(product)), line)
                total += int(product)
                for length in filter(None, (least, most)):
                    F, lim, T = re.match(r"\(?(\d+)(?: ([+-] \d+)\))?/(\d+)$", length).groups()
                    lim = None if lim is None else int(lim.replace(" ", ""))
                    self.assertEqual(int(n), n_of(order, kind, int(F), lim, int(T), reach), line)
                    seen[pool].append((kind, int(F)))
            elif found := re.match(r"  and \d+ more such lines: (\d+)$", line):
                total += int(found[1])
            elif found := re.match(r"  waiting \((\d+) - (\d+)\)/\(?(\d+)(?: x (\d+)\))? = ([\d.]+) ns$", line):
                work, last, m, unit, length = found.groups()
                self.assertEqual(total, int(work), line)
                self.assertAlmostEqual((total - int(last)) / int(m) / int(unit or 1), float(length), delta=0.0011)
                waits += float(length)
            else:
                self.assertRegex(line, r"^  (n_u|of its own|\(F_u)")
        execution = int(re.search(r"execution (\d+) ns$", lines[1])[1])
        bound = int(re.search(r" = (\d+) ns, rounded up$", lines[-1])[1])
        self.assertAlmostEqual(execution + waits, bound, delta=1.01)
        return seen, bound

    @staticmethod
    def by_dag(order, kind, F, lim, T, reach):
        own, waits = kind.startswith("its own "), "what waits for it" in kind
        if own and order == "FIFO":
            return max(1, ceil_div(F, T)) + reach // T - waits
        return max(0, ceil_div(F, T) - waits) if own else max(0, ceil_div(F + lim, T))

    def check_ends(self, seen, result, pools):
        ends = {node["response_bound_ns"] for pool in pools for node, _ in nodes_on(result, pool)}
        self.assertEqual({F for pool in pools for _, F in seen[pool]} - ends, set())

    def test_fifo(self):
        lines, result = self.lines_of("camera[0]/detect", "--scheduler", "FIFO", "--path-bound", "T10n")
        seen, bound = self.check_sums(lines, self.by_dag)
        self.assertEqual(bound, 9760938)
        self.assertEqual(set(seen), {"cpu", "orin", "upload"})
        self.check_ends(seen, result, seen)
        self.assertIn("others of camera[0] ... camera[2] (capture, detect), 4 tasks", line_with(lines, "  others of")[2:])

    def test_one_visit(self):
        # Two other cameras, radar and logger have a node each ready when detect is, on 6 processors.
        run = rta("analyze", CAMERAS, "--scheduler", "FIFO", "--path-bound", "T10g", "--explain", "camera[0]/detect", "--format", "json")
        lines = json.loads(run.stdout)["explanations"][0]["lines"]
        self.assertIn("w = 0 ns: no more than 4 of 6 processors run what is ready then", lines)
        ready = int(line_with(lines, "A = ").split()[2])
        self.assertEqual(lines[-1], f"F = {ready} + 0 + 4000000 = {ready + 4000000} ns")

    def test_what_waits_for_the_node_counts_less(self):
        lines, _ = self.lines_of("camera[0]/resize0", file=HOG)
        seen, bound = self.check_sums(lines, self.by_dag)
        self.assertEqual(bound, 13572922)
        self.assertTrue(any("what waits for it" in kind for kind, _ in seen["cpu"]))

    def test_gel_by_node(self):
        def by_node(order, kind, F, lim, T, reach):
            if order == "FIFO" or not kind.startswith("its own "):
                return self.by_dag(order, kind, F, lim, T, reach)
            now = (0 if "what waits for it" in kind else 1) + lim // T if lim >= 0 else 0
            return now + max(0, ceil_div(F + min(lim, -T), T))

        lines, _ = self.lines_of("camera[0]", "--priorities", "node", "--path-bound", "T10n", file=HOG)
        seen, bound = self.check_sums(lines, by_node)
        self.assertEqual((bound, set(seen)), (24949728, {"cpu", "gpu"}))

    def test_of_many_dags_the_largest_are_listed(self):
        # 20 different tasks of 1 to 20 ms on 20 FIFO processors: each line of them counts once.
        tasks = "".join(f"  - {{name: t{i}, on: cpu, C: {i} ms, T: {1000 + i} ms}}\n" for i in range(1, 21))
        text = "platform: {cpu: {processors: 20, scheduler: FIFO}}\ntasks:\n" + tasks
        lines, _ = self.lines_of("t7", "--path-bound", "T10n", file="-", stdin=text)
        self.check_sums(lines, self.by_dag)
        self.assertIn("  and 4 more such lines: 10000000", lines)  # 1 + 2 + 3 + 4 ms


class Sequential(unittest.TestCase):
    def test_T3(self):
        lines, result = explained("pair[0]/last", stdin=SEQUENTIAL, file="-")
        self.assertTrue(lines[0].startswith("T3: "), lines)
        s, S, G = (float(line_with(lines, start).split(" = ")[1].split(" ns")[0]) for start in ("s = ", "S = ", "G(s) = "))
        sums = [re.match(r"^  .*: (\d+) - (\d+)/(\d+) = ([\d.]+)$", line) for line in lines]
        sums = [tuple(map(float, found.groups())) for found in sums if found]
        for C, C_Y, T, carried in sums:
            self.assertAlmostEqual(C - C_Y / T, carried, delta=0.01)
        self.assertAlmostEqual(sum(carried for *_, carried in sums), S, delta=0.01)
        largest = 0
        for term in filter(None, map(LATE_TERM.match, lines)):
            late, C, T, carried, value = map(float, term.groups()[1:])
            tasks = int(term[1] or 1)
            self.assertEqual(late, s)
            self.assertAlmostEqual(tasks * (max(0, late - C) / 3 * C / T + C - carried), value, delta=0.01)
            largest += value
        self.assertAlmostEqual(largest, G, delta=0.01)
        self.assertLessEqual(G + S, s + 0.01)
        # G and S once more, from the points that the analysis prints; C is the file's.
        C_of = {"first": 3e6, "last": 4e6, "large": 9e6, "small": 1e6}
        nodes = nodes_on(result, "cpu")
        least = min(node["priority_point_ns"] for node, _ in nodes)
        carried = [C_of[n["name"]] * max(0, 1 - (n["priority_point_ns"] - least) / d["period_ns"]) for n, d in nodes]
        C_and_u = [(C_of[n["name"]], C_of[n["name"]] / d["period_ns"]) for n, d in nodes]
        late = [max(0, s - C) / 3 * u + C - S_i for (C, u), S_i in zip(C_and_u, carried)]
        count = math.ceil(sum(u for _, u in C_and_u)) - 1
        self.assertAlmostEqual(sum(carried), S, delta=0.01)
        self.assertAlmostEqual(sum(sorted(late)[-count:]), G, delta=0.01)


if __name__ == "__main__":
    unittest.main()
