"""Files that rta writes and reads back: traces, worst runs, schedules, device profiles and limits, and what a sweep's folder says of itself. People may
edit them, so that unknown keys are refused where rta refuses them: everywhere but in traces and limits."""

from parts import ANY_NAME, DEVICES, DRAFT, MOST, TEXT, array, integer, interference, mapping, not_both, or_null, says, size, time, words

SCALAR = {"type": ["string", "number", "boolean"]}
WIDE_COUNT, NARROW_COUNT = integer(0, 2**64 - 1), integer(0, 2**32 - 1)
INSTANT = {"type": "integer", "minimum": -MOST - 1, "maximum": MOST}
SHARE = integer(0, 1_000_000)
RULES = ["G1", "G2", "G3", "G4", "X1", "R1", "R2", "R3", "R-slots", "R-registers", "C-order", "C-engines", "C-queue", "N1", "N2", "N3", "A1", "A2",
         "S-preemption", "S-placement", "S-grids", "S-connections", "S-processes", "S-synchronisation"]


def with_unit(positive=False):
    """A time in a file that has no time_unit."""
    return time(positive)["anyOf"][0]


# Traces: an object per line.

def line(kind, properties, optional=()):
    """A line with that `t`; further keys are allowed."""
    return {"type": "object", "properties": {"t": {"const": kind}, **properties}, "required": ["t", *(key for key in properties if key not in optional)]}


def record_of(kind, properties, optional=(), interval=True):
    return line(kind, {**properties, **({"start_ns": INSTANT, "end_ns": INSTANT} if interval else {})}, optional)


def job_lines():
    job = {"dag": TEXT, "node": TEXT, "job": WIDE_COUNT}
    return [
        line("dag", {"dag": TEXT, "job": WIDE_COUNT, "release_ns": INSTANT, "end_ns": INSTANT}),
        record_of("job", {**job, "release_ns": INSTANT}),
        record_of("block", {**job, "block": WIDE_COUNT, "sm": NARROW_COUNT}),
        record_of("copy", {**job, "engine": NARROW_COUNT}),
        record_of("run", {**job, "cpu": NARROW_COUNT, "consumed_ns": integer(0)}, ("consumed_ns",)),
        line("check", {"name": TEXT, "outcome": TEXT, "text": TEXT}),
        line("end", {"complete": {"type": "boolean"}, "lost_records": WIDE_COUNT,
                     "valid": says("of a measurement: whether it passed its own checks", {})}, ("valid",))]


def recorded_lines():
    process, three = {"process": NARROW_COUNT}, {"type": "array", "items": NARROW_COUNT, "minItems": 3, "maxItems": 3}
    context = {**process, "context": NARROW_COUNT}
    origin = {**process, "device": NARROW_COUNT, "context": NARROW_COUNT, "stream": NARROW_COUNT, "correlation": NARROW_COUNT, "graph": NARROW_COUNT,
              "graph_node": WIDE_COUNT}
    of_graph = ("graph", "graph_node")
    memory = words("unknown", "pageable", "pinned", "device", "array", "managed")
    limits = {"name": TEXT, "compute_capability": TEXT, **{key: NARROW_COUNT for key in (
        "sms", "threads_per_sm", "threads_per_block", "blocks_per_sm", "copy_engines")}, **{key: WIDE_COUNT for key in (
            "shared_per_sm", "shared_per_block", "registers_per_sm", "clock_khz")}}
    return [
        record_of("kernel", {"name": TEXT, **origin, "grid": three, "block": three, "cluster": three, "registers": NARROW_COUNT, "static_shared": WIDE_COUNT,
                             "dynamic_shared": WIDE_COUNT, "launch": words("regular", "cooperative", "other")}, (*of_graph, "cluster")),
        record_of("memcpy", {**origin, "direction": words("other", "h2d", "d2h", "d2d", "h2h", "p2p"), "from": memory, "to": memory, "bytes": WIDE_COUNT,
                             "async": {"type": "boolean"}}, of_graph),
        record_of("memset", {**origin, "to": memory, "bytes": WIDE_COUNT, "async": {"type": "boolean"}}, of_graph),
        record_of("call", {**process, "api": words("runtime", "driver"), "name": TEXT, "thread": NARROW_COUNT, "correlation": NARROW_COUNT,
                           "result": NARROW_COUNT}),
        record_of("sync", {**context, "kind": words("unknown", "event", "wait_event", "stream", "context"), "stream": NARROW_COUNT, "event": NARROW_COUNT,
                           "record": WIDE_COUNT, "correlation": NARROW_COUNT}, ("stream", "event", "record")),
        record_of("event", {**context, "stream": NARROW_COUNT, "event": NARROW_COUNT, "record": WIDE_COUNT, "correlation": NARROW_COUNT}, ("record",),
                  interval=False),
        record_of("range", {**process, "name": TEXT, "domain": TEXT, "thread": NARROW_COUNT, "end_thread": NARROW_COUNT}),
        line("mark", {**process, "name": TEXT, "domain": TEXT, "thread": NARROW_COUNT, "at_ns": INSTANT}),
        record_of("overhead", {**process, "kind": TEXT, "thread": NARROW_COUNT}, ("thread",)),
        line("stream", {**context, "stream": NARROW_COUNT, "priority": integer(-2**31, 2**31 - 1),
                        "kind": words("unknown", "blocking", "non_blocking", "null")}),
        line("context", {**context, "device": NARROW_COUNT, "null_stream": NARROW_COUNT}),
        line("device", {**process, "device": NARROW_COUNT, "uuid": TEXT, **limits}),
        line("process", {**process, "parent": NARROW_COUNT, "program": TEXT})]


def trace():
    some_text = or_null(TEXT)
    header = {"type": "object", "required": ["schema", "kind", "source", "task_set"], "not": {"required": ["t"]}, "properties": {
        "schema": {"const": 1}, "kind": {"const": "trace"}, "source": says("simulation, measurement or recording", TEXT),
        "task_set": says("the name of its file", TEXT), **{key: some_text for key in ("task_set_sha256", "release", "device", "driver", "started")},
        "clock_error_ns": says("how far the clocks of CPU and GPU may be apart", INSTANT)}}
    return {"$schema": DRAFT, "title": "rta: a line of a trace", "oneOf": [header, *job_lines(), *recorded_lines()]}


# The others are YAML.

def run():
    def per_dag(fields, required):
        return array(mapping({"dag": says("its name in the task set", ANY_NAME), **fields}, ["dag", *required]))

    ns = {"anyOf": [with_unit(), integer(0)]}
    share = {"anyOf": [SHARE, {"type": "array", "items": SHARE, "minItems": 2, "maxItems": 2}]}
    top = {
        "run": says("the version of the format", {"const": 1}),
        "task_set_sha256": says("of the bytes of the task-set file", ANY_NAME), "release": says("the policy that releases the nodes", ANY_NAME),
        "options": says("of the analysis", {"type": "object", "additionalProperties": {"anyOf": [ANY_NAME, {"type": "boolean"}]}}),
        "shows": says("the response that the run shows", mapping({"dag": ANY_NAME, "job": integer(0, 2**62), "response": ns}, ["dag", "job", "response"])),
        "placement": words("most-free", "least-free", "first-fit", "round-robin", "random"), "copy_rules": words("yang2020", "amert2017"),
        "streams": words("per-job", "per-task"), "slices": words("round-robin", "worst"), "block_times": words("even", "long-first"), "seed": integer(0),
        "jobs": says("releases, one by one", {**per_dag({
            "release": ns, "execution": says("per node, in millionths of the worst case", array(SHARE)),
            "takes": says("in place of execution: per node, how long each piece takes", array(ns)),
            "rank": says("per node: the least comes first among equals", array(integer(0, 1_048_575)))}, ["release"]), "minItems": 1}),
        "duration": says("of a long run: how long DAGs are released", ns), "jitter": says("in millionths of T", integer(0, 10_000_000)),
        "ties": words("in-order", "random"),
        "dags": says("of a long run", per_dag({"phase": ns, "execution": says("per node a share, or the least and the largest", array(share))}, []))}
    alone = [not_both("jobs", key) for key in ("duration", "jitter", "ties", "dags")]
    return {"$schema": DRAFT, "title": "rta: the worst run that a search found", **mapping(top, ["run", "task_set_sha256", "release", "shows"]),
            "oneOf": [{"required": ["jobs"], "allOf": alone}, {"required": ["duration"]}]}


def schedule():
    names, ids, frames = array(ANY_NAME), array(integer(0)), integer(1, 1_000_000_000)
    runnable = mapping({
        "id": says("by which others wait for it", integer(0)), "name": ANY_NAME, "client": says("the process that it runs in", ANY_NAME),
        "steps": says("runnables of the graph that it takes together", names),
        "kind": words("runnable", "submitter", "submittee", "frame-sync"), "epoch": ANY_NAME, "frame": integer(0, 1_000_000_000),
        "resources": says("that it takes while it runs", names), "stream": says("of a submittee", ANY_NAME),
        "submits": says("the submittees of a submitter", ids), "after": says("begins when these have ended", ids),
        "after_start": says("begins when these have begun", ids), "blocks": integer(1), "weight": integer(1),
        "release": says("begins no earlier in its hyperepoch", with_unit()), "wcet": says("takes no longer", with_unit()),
        "deadline": says("must end by then", with_unit()), "start": says("as planned", with_unit()), "end": says("as planned", with_unit())},
        ["id", "name", "kind", "epoch", "wcet"])
    hyperepoch = mapping({
        "name": ANY_NAME, "period": says("how often it repeats", with_unit(True)), "length": with_unit(), "lower_bound": with_unit(),
        "resources": array(mapping({"name": ANY_NAME, "type": ANY_NAME, "serves": says("what the stream belongs to", ANY_NAME)}, ["name", "type"])),
        "sharing": says("GPUs on which kernels run side by side",
                        array(mapping({"resource": ANY_NAME, "by": words("weights", "streams"), "capacity": integer(1)}, ["resource", "by", "capacity"]))),
        "epochs": array(mapping({"name": ANY_NAME, "period": with_unit(True), "frames": frames}, ["name", "period"])),
        "runnables": says("in the order in which resources take them", array(runnable))}, ["name", "period", "resources", "epochs", "runnables"])
    return {"$schema": DRAFT, "title": "rta: a static schedule", **mapping({
        "schedule": says("the version of the format", {"const": 1}), "graph": says("the file that it was made of", SCALAR), "graph_sha256": SCALAR,
        "identifier": integer(0, 65_535), "submittee": words("after", "overlap"), "clients": says("processes", names),
        "hyperepochs": array(hyperepoch)}, ["schedule", "graph", "graph_sha256", "hyperepochs"])}


def company():
    mixtures = mapping({"measured": integer(1), "confirm": says("how classes combine", words("max", "sum", "neither")), "beyond-max": says("of the worst", {"type": "number"}),
                        "beyond-sum": {"type": "number"}}, ["measured", "confirm", "beyond-max", "beyond-sum"])
    rows = {"type": "object", "additionalProperties": array(or_null({"type": "number"}))}
    return mapping({
        "classes": says("of the blocks that were measured", {**array(ANY_NAME), "maxItems": 64}), "mixtures": says("company of several classes", mixtures),
        "beside": says("by place and company: how much longer a block of each class took at most; null: not measured", {"type": "object", "additionalProperties": rows})},
        ["classes", "beside"])


def profile():
    few = integer(0, 2**32 - 1)
    some = integer(1, 2**32 - 1)
    size_text = size()["anyOf"][0]
    limits = mapping({
        "sms": some, "threads": says("of an SM", some), "threads_per_block": some, "blocks": says("of an SM", some), "shared_memory": says("of an SM", size_text),
        "shared_memory_per_block": size_text, "shared_memory_reserved": says("of each block, beside its own", size_text), "registers": says("of an SM", integer(0)),
        "registers_per_block": says("the most that a block may have", integer(1)), "copy_engines": few, "priority_levels": says("of streams", some), "clock_khz": integer(0)},
        ["sms", "threads", "threads_per_block", "blocks", "copy_engines", "priority_levels"])
    latency = mapping({"median": with_unit(), "p99": with_unit(), "max": with_unit(), "samples": integer(1)}, ["median", "p99", "max", "samples"])
    answer = words("yes", "no", "unclear")
    verdict = mapping({"verdict": words("untested", "confirmed", "refuted"), "variant": SCALAR, "runs": integer(0), "contradicting": integer(0),
                       "evidence": says("the smallest trace that shows it", SCALAR), "reason": SCALAR}, ["verdict"])
    call = mapping({"blocks_others": answer, "synchronises": answer, "caller_waits": answer, "samples": integer(1)},
                   ["blocks_others", "synchronises", "caller_waits", "samples"])
    return {"$schema": DRAFT, "title": "rta: a GPU as it was measured", **mapping({
        "device": says("its built-in name", words(*DEVICES)), "product": says("its full name", SCALAR), "compute_capability": SCALAR, "driver": SCALAR,
        "cuda": SCALAR, "date": says("when it was examined", SCALAR), "limits": limits,
        "latencies": {"type": "object", "additionalProperties": latency}, "rules": mapping({name: verdict for name in RULES}),
        "calls": {"type": "object", "additionalProperties": call},
        "interference": says("by how much of its time alone a block takes longer beside others, by their classes", interference()),
        "company": says("what that was made of, case by case", company())}, ["product", "compute_capability", "date", "limits", "rules"])}


def limits():
    some, few, bytes_of = integer(1, 2**32 - 1), integer(0, 2**32 - 1), integer(0, 2**64 - 1)
    needed = {
        "device": says("its full name", {"type": "string", "minLength": 1}), "compute_capability": says("e.g. 9.0", {"type": "string", "minLength": 1}),
        "sms": some, "threads_per_sm": some, "blocks_per_sm": some, "shared_per_sm": says("bytes, as the rest", bytes_of),
        "shared_per_block": says("the most that a block may ask for", bytes_of),
        "reserved_shared_per_block": says("added to every block by the system", bytes_of), "registers_per_sm": bytes_of, "copy_engines": few,
        "priority_levels": says("of streams", some)}
    others = {"driver": says("its version", TEXT), "cuda": says("its version", TEXT), "threads_per_block": or_null(few),
              "registers_per_block": or_null(says("0: not known", bytes_of)),
              "clock_khz": says("0: not known", or_null(bytes_of))}
    return {"$schema": DRAFT, "title": "rta: what a GPU says of itself", "type": "object", "properties": {**needed, **others}, "required": list(needed)}


def sweep_folder():
    count = integer(1, 2**64 - 1)
    return {"$schema": DRAFT, "title": "rta: what a sweep's folder holds", **mapping({
        "schema": says("the version of the format", {"const": 1}),
        "tool": says("that computed it", mapping({"name": {"const": "rta"}, "version": {"type": "string", "minLength": 1}}, ["name", "version"])),
        "seed": says("of the random sets", integer(0, 2**64 - 1)), "sets": says("of each point", count), "points": says("of the grid", count),
        "timing": says("whether times of the analyses were taken", {"type": "boolean"}),
        "shard": says("which of how many this is", {"type": "array", "items": count, "minItems": 2, "maxItems": 2})},
        ["schema", "tool", "seed", "sets", "points", "timing", "shard"])}
