"""Files that people write: task sets, experiments, sweeps and graphs. Unknown keys are refused, as rta refuses them."""

from parts import (ANY_NAME, BOOLEAN, DEVICES, DRAFT, FREE, MOST_PER_SM, MOST_PROCESSORS, NUMBER, POSITIVE, array, integer, interference, kernel_times, limit, mapping, not_both,
                   one_of_keys, period, says, size, time, varying, words)


COST = {**integer(0, 1_000_000_000), "description": "what the alternative costs, in a unit of the user's own"}


class TaskSet:
    """Task-set files; with `choices`, those of rta optimize, where a list may stand for a value."""

    def __init__(self, choices=False):
        self.choices = choices

    def open(self, schema):
        """A value that a choice may stand for."""
        if not self.choices:
            return schema
        priced = mapping({"value": schema, "cost": COST}, ["value", "cost"])
        return {"anyOf": [schema, array({"anyOf": [schema, priced]}, 1)]}

    def fields(self, texts):
        return {key: says(text, self.open(schema)) for key, (text, schema) in texts.items()}

    def pool(self):
        clusters = {"clusters": says("into how many pools of equal size it is split", self.open(integer(1, 64)))} if self.choices else {}
        cpu = mapping({**self.fields({
            "processors": ("number of identical processors", integer(1, MOST_PROCESSORS)),
            "scheduler": ("G-EDF (default), G-FL, FIFO, LP (priority points by a linear program), FP (fixed priorities), wait-set (one processor: an executor of ROS 2) or multi-threaded (one of several threads)",
                          words("G-EDF", "G-FL", "FIFO", "LP", "FP", "wait-set", "multi-threaded")),
            "preemptive": ("false: what has started runs to its end", BOOLEAN),
            "equals": ("order of jobs of equal priority (scheduler: FP)", words("fifo", "any")),
            "simultaneous": ("before_starts: at an instant the pool has seen all ends and releases before it starts anything (preemptive: false, not FIFO)", words("any_order", "before_starts")),
            "partitioned": ("true: as many pools of one processor each, named by number", BOOLEAN),
            "callbacks": ("true: an executor's, which publish before they end (one processor; FIFO, or FP without preemption)", BOOLEAN),
            "reservation": ("of an executor of one thread: SCHED_DEADLINE", self.reservation())}), **clusters}, ["processors"])
        if not self.choices:
            cpu["if"] = {"required": ["equals"]}
            cpu["then"] = {"properties": {"scheduler": {"const": "FP"}}, "required": ["scheduler"]}
        gpu = mapping({**self.fields({
            "device": ("a built-in device", words(*DEVICES)),
            "sms": ("number of SMs", integer(1, MOST_PROCESSORS)),
            "threads": ("G-threads per SM", integer(1, MOST_PER_SM)),
            "threads_per_block": ("G-threads of a block, at most", integer(1, MOST_PER_SM)),
            "blocks": ("blocks per SM, at most (default 32)", integer(1, MOST_PER_SM)),
            "shared_memory": ("per SM; default: never the limit", limit(size())),
            "registers": ("per SM; default: never the limit", limit(integer(1, 2**32))),
            "shared_memory_per_block": ("that a block may have at most; default: never the limit", limit(size())),
            "registers_per_block": ("that a block may have at most; default: never the limit", limit(integer(1, 2**32))),
            "registers_per_thread": ("that a G-thread may have at most; default: never the limit", limit(integer(1, 2**32))),
            "warp": ("H is rounded up to whole warps of so many threads", integer(1, 1024)),
            "shared_memory_unit": ("shared memory is allocated in multiples of it", size()),
            "shared_memory_reserved": ("shared memory that each block takes beside its own", size()),
            "register_unit": ("registers are allocated per warp in multiples of it", integer(1, 2**32)),
            "register_parts": ("parts of an SM's register file; a warp has its registers in one of them", integer(1, 4)),
            "launch_overhead": ("processor time of a launch, from the call until the kernel is in the GPU's queue", time()),
            "dispatch_latency": ("how long the resources of a block that has ended are idle before the next one has them", time())}),
            "sharing": says("processes have the GPU in turn", mapping({
                "slice": says("how long it serves one at a time", time(positive=True)),
                "switch": says("how long it takes to pass to the next", time())}, ["slice", "switch"])),
            "partitions": says("disjoint parts that are pools GPU/NAME: a name, and what it is",
                               {"type": "object", "minProperties": 1, "additionalProperties": self.partition()}),
            "rest": says("the partition that has what the others leave", ANY_NAME),
            "interference": says("by how much of its time alone a block takes longer beside others, by their classes", interference())},
            anyOf=[{"required": ["device"]}, {"required": ["sms", "threads"]}])
        engines = mapping(self.fields({"engines": ("number of copy engines", integer(1, 2))}), ["engines"])
        workers = mapping(self.fields({"workers": ("number of persistent threads", integer(1, MOST_PROCESSORS)),
                                       "dispatch_overhead": ("time to fetch an item", time())}), ["workers"])
        return {"oneOf": [cpu, gpu, engines, workers]}

    def partition(self):
        sms = integer(1, MOST_PROCESSORS)
        if self.choices:
            number = integer(1, 1024)
            sms = {"anyOf": [sms, mapping({"from": number, "to": number, "step": number, "cost": COST}, ["from", "to", "step"])]}
        return mapping(self.fields({"sms": ("number of its SMs", sms),
                                    "kind": ("green contexts, static partitions of MPS, MIG instances, masks of TPCs; of one GPU all are of one kind",
                                             words("green", "mps", "mig", "tpc"))}), ["sms", "kind"])

    def node_fields(self):
        return {**self.fields({
            "on": ("the pool that it runs on", ANY_NAME),
            "executor": ("the executor whose callback it is, in place of `on`", ANY_NAME),
            "entity": ("what the callback belongs to", words("timer", "subscription", "service", "client", "waitable")),
            "call": ("of a CPU node: a call of CUDA that waits for nothing and holds nothing up", words(
                "cudaFreeAsync", "cudaMalloc", "cudaMallocAsync", "cudaMallocHost", "cudaMemsetAsync", "cudaStreamCreate", "cudaStreamDestroy")),
            "C": ("worst-case execution time (CPU, copy), or the work of a block in thread x time (kernel, with `per: block`)", kernel_times()),
            "B": ("blocks of the kernel, or items of the job", integer(1)),
            "H": ("threads of a block", integer(1, 2**31)),
            "L": ("longest time of one block or item; of a block also {alone: TIME}, without company", kernel_times(positive=True)),
            "time": ("longest duration of the kernel alone on its GPU: beside B and H, with L or in place of it, or in place of all three", kernel_times(positive=True)),
            "class": ("what the kernel does most, one of its GPU's `interference`", ANY_NAME),
            "per": ("says that C of a kernel is the work of one block", words("block")),
            "shared_memory": ("of a block", size()),
            "registers": ("per thread", integer(0, MOST_PER_SM)),
            "cluster": ("so many blocks of the kernel start together, as a thread block cluster; divides B", integer(1, 16)),
            "cooperative": ("true: all blocks of the kernel start together, by a cooperative launch", BOOLEAN),
            "priority": ("of a kernel's stream: low, which is 0, high, which is 1, or a number up to 255; of a CPU node under FP: a number; the larger, the more urgent",
                         {"anyOf": [words("low", "high"), integer(0, 1_000_000)]}),
            "direction": ("of a copy", words("h2d", "d2h")),
            "D": ("relative deadline of its own", time(positive=True)),
            "sequential": ("true: each job waits for the one before", BOOLEAN),
            "group": ("the task that it belongs to with --granularity coarse; of an executor of several threads the callback group, exclusive unless it is `reentrant`", ANY_NAME)}),
            "stream": says("of a kernel or a copy: the stream of its DAG, whose operations run one after another in the order of the file, over all jobs", ANY_NAME),
            "process": says("the process that it belongs to", ANY_NAME),
            "requirement": REQUIREMENT}

    @staticmethod
    def after():
        one = mapping({"node": says("the node that is waited for", ANY_NAME), "jobs": says("so many jobs before; default: 1", integer(1, 10_000))}, ["node"])
        return says("nodes of earlier jobs of its DAG that it waits for", {"anyOf": [one, array(one, 1)]})

    @staticmethod
    def place():
        """Where a node runs; what is said of a callback alone."""
        return [one_of_keys("on", "executor"), not_both("on", "executor"), {"if": {"required": ["entity"]}, "then": {"required": ["executor"]}}]

    @staticmethod
    def executor():
        return mapping(TaskSet().fields({
            "on": ("the CPU pool that it has to itself, a processor for each of its threads", ANY_NAME),
            "kind": ("wait-set: polls, and runs one instance of all that was ready; events: in the order in which they came; priority: the "
                     "most urgent first; step: by `entity`; multi-threaded: each thread what is ready and of no group that is running",
                     words("wait-set", "events", "priority", "step", "multi-threaded")),
            "threads": ("of kind multi-threaded; default: as many as the pool has processors", integer(1, MOST_PROCESSORS)),
            "reservation": ("of one thread: SCHED_DEADLINE", TaskSet().reservation())}), ["on", "kind"])

    @staticmethod
    def reservation():
        return mapping(TaskSet().fields({
            "runtime": ("how much of its processor's time the thread has in every period", time(positive=True)),
            "period": ("in which it has so much", time(positive=True))}), ["runtime", "period"])

    @staticmethod
    def demand():
        """What a node must have, whatever its pool is."""
        return [one_of_keys("C", "L", "time"), not_both("C", "L"),
                {"if": {"required": ["C", "time"]}, "then": {"required": ["per"]}},
                {"if": {"anyOf": [{"required": ["H"]}, {"required": ["cluster"]}, {"required": ["cooperative"]}]}, "then": {"required": ["B"]}},
                {"if": {"anyOf": [{"required": ["B", "time"]}, {"required": ["L", "time"]}]}, "then": {"required": ["B", "H"]}},
                {"if": {"required": ["B"]}, "then": one_of_keys("H", "L")},
                {"if": {"required": ["per"]}, "then": {"required": ["C", "H"]}}]

    def with_variants(self, schema, inner):
        """Variants have keys in place of those beside them, so that nothing is required."""
        if not self.choices:
            return schema
        properties = {**schema["properties"], "variants": says("alternatives: what it has beside its other keys", array(mapping({**inner, "cost": COST}), 1))}
        demands = {key: schema[key] for key in ("allOf", "required") if key in schema}
        rest = {key: value for key, value in schema.items() if key not in demands}
        return {**rest, "properties": properties, "anyOf": [{"required": ["variants"]}, demands]}

    def node(self):
        fields = {**self.node_fields(), "after": self.after()}
        inner = {**TaskSet().node_fields(), "after": self.after()}
        whole = self.with_variants(mapping(fields, allOf=[*self.place(), *self.demand()]), inner)
        return {"if": {"required": ["kernels"]}, "then": self.split_node(), "else": whole}

    def split_node(self):
        of_nodes = ("D", "sequential", "group", "requirement", "executor", "entity")
        kernel = {key: value for key, value in self.node_fields().items() if key not in of_nodes}
        return mapping({**self.fields({
            "on": ("the CPU pool of all that it computes", ANY_NAME),
            "prepare": ("what it computes before its first kernel", time()),
            "launch": ("what launching a kernel takes", time()),
            "await": ("what noticing the end of a kernel takes", time()),
            "between": ("what it computes from one kernel to the next", time()),
            "finish": ("what it computes after its last kernel", time()),
            "split_overhead": ("what each of these takes longer because they are nodes of their own", time()),
            "priority": ("of its CPU nodes, under FP", integer(0, 1_000_000))}),
            "after": self.after(),
            "kernels": says("what it launches and awaits, one after another: kernels, copies, items", array(mapping(kernel, ["on"], allOf=self.demand()), 1))},
            ["on", "kernels"], anyOf=[{"required": [key]} for key in ("prepare", "launch", "await", "finish")])

    def release_fields(self):
        return {"name": says("every DAG and task has one", ANY_NAME), **self.fields({
            "copies": ("as many of it, NAME[0], NAME[1] …", integer(1, 1_000_000)),
            "T": ("period: releases are at least so long apart; or a rate, `30 Hz`", period()),
            "T_max": ("longest distance of two releases (default T); counts in chains", time(positive=True)),
            "jitter": ("each release comes up to so long after a nominal instant", time()),
            "phase": ("the first nominal release", {"anyOf": [time(), {"const": "any"}]} if self.choices else time()),
            "periodic": ("releases are exactly at phase + n T, by one clock, then late by up to the jitter", BOOLEAN),
            "D": ("relative deadline, end to end", time(positive=True))})}

    def dag_fields(self):
        # Names on both sides of each arrow.
        path = {"type": "string", "pattern": r"^\s*(?!->)\S(?:(?!->\s*(?:->|$)).)*->(?:(?!->\s*(?:->|$)).)*\S\s*$"}
        edge = {"anyOf": [path, mapping({"path": path, "from": ANY_NAME, "to": ANY_NAME, "cut": BOOLEAN},
                                        anyOf=[{"required": ["path"]}, {"required": ["from", "to"]}])]}
        return {**self.release_fields(),
                "priority": says("fixed priority of its CPU nodes", self.open(integer(0, 1_000_000))),
                "process": says("the process that its nodes belong to", ANY_NAME),
                "threads": says("so many threads play its jobs, node after node, and wait for kernels", self.open(integer(1, 10_000))),
                "wait": says("what they do meanwhile: block (default), or spin and keep their processor", self.open(words("block", "spin"))),
                "in_flight": says("at most so many jobs are under way at once; one that is released then waits to be admitted", self.open(integer(1, 10_000))),
                "requirement": REQUIREMENT,
                "nodes": says("a name, and what it is", {"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#/definitions/node"}}),
                "edges": says("`a -> b -> c`, `a -> [b, c]`", array(edge))}

    def dag(self):
        return self.with_variants(mapping(self.dag_fields(), ["name", "T", "nodes"]), TaskSet().dag_fields())

    def task(self):
        fields = {**self.release_fields(), **{key: value for key, value in self.node_fields().items() if key != "D"}}
        plain = TaskSet()
        return self.with_variants(mapping(fields, ["name", "T"], allOf=[*self.place(), *self.demand()]), {**plain.release_fields(), **plain.node_fields()})

    @staticmethod
    def chain():
        return mapping({"name": says("every chain has one", ANY_NAME),
                        "stages": says("DAGs, tasks and nodes (DAG/NODE) in the order of the data", array(ANY_NAME)),
                        "communication": says("register (default): read at the start, write at the end; LET: at release and deadline",
                                              words("register", "LET")),
                        "reaction": says("limit of the maximum reaction time", time(positive=True)),
                        "age": says("limit of the maximum data age", time(positive=True)),
                        "requirement": REQUIREMENT}, ["name", "stages"])

    def definitions(self):
        return {"pool": self.pool(), "node": self.node(), "dag": self.dag(), "task": self.task(), "chain": self.chain()}

    def schema(self):
        title = "rta: task set with choices, for rta optimize" if self.choices else "rta: task set"
        return {"$schema": DRAFT, "title": title, **mapping({
            "platform": platform(),
            "executors": says("of ROS 2: a name, and what it is", {"type": "object", "additionalProperties": self.executor()}),
            "dags": says("DAGs of nodes", array({"$ref": "#/definitions/dag"})),
            "tasks": says("DAGs of one node each", array({"$ref": "#/definitions/task"})),
            "chains": says("data that goes from a sensor to an actuator over several DAGs", array({"$ref": "#/definitions/chain"})),
            "time_unit": TIME_UNITS}, ["platform"], **one_of_keys("dags", "tasks")), "definitions": self.definitions()}


REQUIREMENT = says("what has to hold, by its name elsewhere, or several", {"anyOf": [ANY_NAME, array(ANY_NAME, 1)]})
TIME_UNITS = says("what numbers without a unit count", words("ns", "us", "ms", "s"))


def platform():
    return says("pools: a name, and what it is",
                {"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#/definitions/pool"}})


STREAM_CALLS = ("cudaEventSynchronize", "cudaStreamSynchronize", "cuStreamSynchronize")
PLAIN_CALLS = ("cudaDeviceSynchronize", "cudaFree", "cudaFreeAsync", "cudaFreeHost", "cudaMalloc", "cudaMallocAsync", "cudaMallocHost",
               "cudaMemset", "cudaMemsetAsync", "cudaStreamCreate", "cudaStreamDestroy", "cuCtxSynchronize")


def experiment():
    when = {"at": says("when it is issued", time()),
            "after": says("operations further up that it waits for", {"anyOf": [ANY_NAME, array(ANY_NAME)]}),
            "delay": says("from their end", time())}
    issue = {"on": says("the GPU or the copy engines; may be left out when there is one", ANY_NAME),
             "stream": says('"NULL" is the NULL stream', ANY_NAME), **when}
    amount = {"anyOf": [*time()["anyOf"], *size()["anyOf"]]}
    fields = TaskSet().node_fields()
    kernel = {**fields, **{key: {**fields[key], **varying(positive=key == "L")} for key in ("L", "C")}}  # nothing is alone there
    common = {"allOf": [one_of_keys("at", "after"), {"if": {"required": ["delay"]}, "then": {"required": ["after"]}}]}
    operation = {"oneOf": [
        mapping({"kernel": says("its name", ANY_NAME), **issue, **{key: kernel[key] for key in
                 ("B", "H", "L", "C", "shared_memory", "registers", "priority", "per", "process")},
                 "copy_in": says("a copy before it: its time, or its size with `copy_rate`", amount),
                 "copy_out": says("a copy after it", amount)}, ["kernel", "stream", "B", "H"], **common, **one_of_keys("L", "C")),
        mapping({"copy": says("its name", ANY_NAME), **issue, "C": says("its time", varying()), "size": says("with `copy_rate`", size()),
                 "direction": words("h2d", "d2h")}, ["copy", "stream"], **common, **one_of_keys("C", "size")),
        mapping({"copy": says("its name", ANY_NAME), **issue, "stream": words("NULL"), "C": says("its time", varying()),
                 "size": says("with `copy_rate`", size()), "direction": words("h2d", "d2h"),
                 "call": says("what copies", words("cudaMemcpy"))}, ["copy", "call"], **common, **one_of_keys("C", "size")),
        mapping({"call": says("a call by a thread of its own", words(*PLAIN_CALLS)), "name": says("its name; else the function's", ANY_NAME),
                 **when}, ["call"], **common),
        mapping({"call": says("a call that waits for a stream", words(*STREAM_CALLS)), "name": says("its name; else the function's", ANY_NAME),
                 "stream": issue["stream"], **when}, ["call", "stream"], **common)]}
    return {"$schema": DRAFT, "title": "rta: experiment of kernels, copies and calls", **mapping({
        "platform": platform(), "experiment": says("operations in the order in which they are issued", array(operation, 1)),
        "time_unit": TIME_UNITS, "copy_rate": says("bytes per second, e.g. 1280 MiB", size())}, ["platform", "experiment"]),
        "definitions": {"pool": TaskSet().pool()}}


def sweep():
    number = rf"{NUMBER}"
    share = {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": rf"^{number}([ \t]*%)?$"}]}
    whole_range = {"anyOf": [integer(0, 2**32 - 1), {"type": "string", "pattern": r"^[0-9]+([ \t]*\.\.[ \t]*[0-9]+)?$"}]}
    unit = r"[ \t]*(ns|us|ms|s)"
    one_time = {"type": "string", "pattern": f"^{POSITIVE}{number}{unit}$"}
    rate = {"type": "string", "pattern": rf"^{POSITIVE}{number}[ \t]*(ns|us|ms|s|Hz)$"}
    times = {"type": "string", "pattern": rf"^{number}{unit}([ \t]*\.\.[ \t]*{number}{unit})?$"}

    def choice(one):
        """One value, a list of equally likely ones, or values with their weights."""
        return {"anyOf": [one, array(one, 1), {"type": "object", "minProperties": 1, "additionalProperties": integer(0, 10**9)}]}

    def work(length):
        return {"utilization": says("in total; of all, or a number of them", share),
                "split": says("how it is split among the nodes", words("RandFixedSum", "DRS", "UUniFast-discard", "proportional")),
                "largest": says("of one node, at most", share), length: says("lengths, log-uniform", times)}

    weight = {"weight": integer(0, 10**9)}
    shape = {"anyOf": [{"const": "chain"},
                       mapping({"chain": FREE, **weight}, ["chain"]),
                       mapping({"layers": whole_range, "p": share, **weight}, ["layers"]),
                       mapping({"gnp": share, **weight}, ["gnp"]),
                       mapping({"fork-join": whole_range, "depth": integer(1, 32), "nesting": share, **weight}, ["fork-join"]),
                       mapping({"series-parallel": share, **weight}, ["series-parallel"])]}
    periods = {"anyOf": [times, rate, array(rate, 1),
                         mapping({"harmonic": rate, "factor": integer(2, 1000), "levels": integer(1, 47)}, ["harmonic", "levels"]),
                         mapping({"log-uniform": times, "granularity": one_time}, ["log-uniform"]),
                         {"type": "object", "minProperties": 1, "propertyNames": {"pattern": "^[+0-9]"}, "additionalProperties": integer(0, 10**9)}]}
    small = integer(0, 2**20)
    random = mapping({
        "dags": says("number, or a range `5 .. 20`", whole_range), "nodes": says("of each DAG", whole_range),
        "periods": says("a range `10 ms .. 100 ms`, a list, harmonic or log-uniform", periods),
        "deadline": says("D as a multiple of T; left out: none", share), "jitter": says("as a share of T", share),
        "phases": says("periodic releases: all begin together, or each DAG's at random within its T", words("together", "random")),
        "shape": says("chain, layers, gnp, fork-join, series-parallel, or a list of them", {"anyOf": [shape, array(shape, 1)]}),
        "group_size": says("left out: no groups", whole_range),
        "grouped": says("the share of the groups that are kept; the nodes of the others are on their own", share),
        "split_overhead": says("what a CPU node takes longer as a node of its own", {"type": "string", "pattern": f"^{number}{unit}$"}),
        "processes": says("one for all DAGs, or one per dag", words("one", "dag")),
        "cpu": says("work of the CPU nodes", mapping({**work("C"), "min": says("the least time, as a share of C", share), "sequential": says("each job waits for the one before", BOOLEAN)})),
        "gpu": says("work of the kernels", mapping({**work("L"), "share": says("of the nodes that are kernels", share),
                    "B": says("blocks", choice(whole_range)), "H": says("threads of a block", choice(small)),
                    "shared_memory": says("of a block", choice(size())), "registers": says("per thread", choice(small))}, ["share", "B", "H"]))},
        ["nodes", "periods", "shape", "cpu"])
    values = {"anyOf": [array(FREE, 1), mapping({key: {"type": ["number", "string"]} for key in ("from", "to", "step")}, ["from", "to", "step"])]}
    axis = {"type": "object", "minProperties": 1, "propertyNames": {"pattern": r"^(platform|random)\."}, "additionalProperties": values}
    analysis = mapping({
        "name": says("what it is called in the results", {"type": "string", "pattern": "^[!#-+\\--~]+$"}),
        "simulate": says("sets with bounds are also simulated for so long", one_time),
        "search": says("so many runs of that length look for the worst case", integer(1)),
        "periodic": says("releases are at the sets' phases; else sporadic", BOOLEAN),
        "threads": says("so many threads play each DAG, node after node", integer(1, 4096)),
        "release": words("offsets", "early", "completion", "segments", "best"), "optimize": words("priorities"),
        "priorities": words("dag", "node", "best"), "most_periods": integer(1),
        "enough": says("deadlines: the first bounds that meet them end the analysis", words("bounds", "deadlines")), "scheduler": words("G-EDF", "G-FL", "FIFO", "LP", "FP"),
        "non_preemptive": BOOLEAN, "path_bound": words("best", "T10n", "T10v", "T10g"), "fitting": BOOLEAN, "objective": words("sum", "max-lateness"), "granularity": words("fine", "coarse", "monolithic"),
        "cpu_bound": words("best", "published", "T1", "T3", "T4"), "gpu_bound": words("best", "T5", "T6a", "T6b"), "shared_weights": BOOLEAN,
        "refine": words("none", "demand", "carry", "response", "early", "all")}, ["name"], dependencies={"search": ["simulate"]})
    part = mapping({"seed": integer(0, 2**64 - 1), "sets": says("of each point", integer(1, 10**9)),
                    "grid": says("parameters with their values; each item of a list is an axis", {"anyOf": [axis, array(axis)]}),
                    "analyses": says("options as of rta analyze, with _ for -", array(analysis, 1))})
    return {"$schema": DRAFT, "title": "rta: random task sets, and a sweep over them", **mapping(
        {"platform": platform(), "random": random, "sweep": part}, ["platform", "random"]), "definitions": {"pool": TaskSet().pool()}}


def graph():
    named = {"anyOf": [{"type": "string"}, {"type": "object", "minProperties": 1}]}
    resources = {"type": ["object", "array"]}
    body = mapping({"Identifier": integer(0, 65_535), "Resources": resources, "SOC": array(named), "Hyperepochs": array(named, 1),
                    "Clients": array(named, 1)}, ["Identifier", "Hyperepochs", "Clients"], **one_of_keys("Resources", "SOC"))
    return {"$schema": DRAFT, "title": "rta: graph of runnables, for rta compile", "type": "object", "required": ["Version"],
            "properties": {"Version": {"const": "3.0.0"}}, "additionalProperties": body, "minProperties": 2, "maxProperties": 2}
