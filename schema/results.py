"""Results in JSON. Keys may be added in later versions, so that unknown ones are allowed."""

from parts import BOOLEAN, COUNT, DRAFT, NS, REAL, TEXT, TEXTS, array, or_null, record, records, words

EVIDENCE = record({"command": TEXT, "options": TEXTS, "inputs": records({"file": TEXT, "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}}),
                   "version": TEXT, "commit": or_null(TEXT), "date": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"}})


def result(title, command, properties, optional=()):
    evidence = {**EVIDENCE, "properties": {**EVIDENCE["properties"], "command": {"const": command} if isinstance(command, str) else words(*command)}}
    all_properties = {"evidence": evidence, "schema": {"const": 1}, "tool": record({"name": {"const": "rta"}, "version": TEXT}),
                      "warnings": TEXTS, **properties}
    return {"$schema": DRAFT, "title": f"rta: {title}", **record(all_properties, ("evidence", "warnings", *optional))}


SEEN_CHAINS = records({"name": TEXT, "communication": TEXT, "above_bound": BOOLEAN, "missed_limit": BOOLEAN})
VERDICT = words("schedulable", "deadline-missed", "unbounded")
RELEASE = words("offsets", "early", "completion", "segments", "grouped", "static")


def analysis_result():
    node = records({"name": TEXT, "pool": TEXT, "theorem": or_null(TEXT), "response_bound_ns": NS, "offset_ns": NS, "priority_point_ns": NS,
                    "priority": COUNT, "segment": COUNT, "deadline_ns": NS, "meets_deadline": BOOLEAN,
                    "alone_ns": NS, "company_ns": NS},
                   ("offset_ns", "priority_point_ns", "priority", "segment", "deadline_ns", "meets_deadline", "alone_ns", "company_ns"))
    dag = records({"name": TEXT, "period_ns": NS, "jitter_ns": NS, "deadline_ns": NS, "release": TEXT, "theorem": or_null(TEXT),
                   "response_bound_ns": NS, "meets_deadline": BOOLEAN, "critical_path": TEXTS, "nodes": node, "periodic": BOOLEAN,
                   "in_flight": COUNT, "may_wait_for_admission": BOOLEAN, "from_admission_ns": NS, "jobs_in_flight": COUNT, "buffers": records({"from": TEXT, "to": TEXT, "number": COUNT}),
                   "history": records({"from": TEXT, "to": TEXT, "jobs": COUNT, "stream": TEXT, "ends_ns": NS, "within_ns": NS, "may_delay": BOOLEAN, "number": COUNT}, ("stream", "number")),
                   "jobs": records({"release_ns": NS, "response_bound_ns": NS, "meets_deadline": BOOLEAN})},
                  ("jitter_ns", "periodic", "in_flight", "may_wait_for_admission", "from_admission_ns", "jobs_in_flight", "buffers", "history", "jobs"))
    pool = records({"name": TEXT, "kind": words("cpu", "gpu", "engines", "workers"), "theorem": or_null(TEXT), "utilization": REAL,
                    "awaiting_utilization": REAL, "busy": REAL, "capacity": or_null(REAL), "bounded": BOOLEAN, "largest_node_lateness_ns": NS, "priorities": TEXT, "explanation": TEXT,
                    "worst_blocking_configuration": TEXT}, ("awaiting_utilization", "busy", "priorities", "worst_blocking_configuration"))
    chain = records({"name": TEXT, "communication": TEXT, "theorem": or_null(TEXT), "reaction_time_ns": NS, "reaction_limit_ns": NS,
                     "data_age_ns": NS, "age_limit_ns": NS, "meets_limits": BOOLEAN, "reason": TEXT,
                     "stages": records({"name": TEXT, "T_max_ns": NS, "reads_from_ns": NS, "writes_by_ns": NS, "writes_in_order": BOOLEAN})},
                    ("reason",))
    bounds = records({"name": TEXT, "response_bound_ns": NS, "meets_deadlines": BOOLEAN})
    left_out = records({"theorems": TEXTS, "in_part": BOOLEAN, "where": TEXT,
                        "limit": words("nodes", "different-nodes", "nodes-of-dag", "pairs", "tasks", "jobs", "jobs-at-once", "pools", "choices", "units", "periods",
                                       "programs", "trials", "rounds", "steps", "states", "memory", "time"), "most": COUNT, "found": COUNT,
                        "text": TEXT}, ("where", "most", "found"))
    return result("result of rta analyze", "analyze", {
        "task_set": TEXT, "verdict": VERDICT, "pools": pool, "dags": dag, "hyperperiod_ns": NS, "chains": chain,
        "requirements": records({"requirement": TEXT, "of": TEXT, "bound_ns": NS, "limit_ns": NS, "theorem": or_null(TEXT), "holds": BOOLEAN}),
        "priority_assignment": record({"by": words("given", "deadline monotonic", "Audsley", "search"), "tried": COUNT, "complete": BOOLEAN,
                                       "dags": records({"name": TEXT, "priority": COUNT, "nodes_had_own": BOOLEAN})}),
        "policies": records({"release": TEXT, "verdict": or_null(VERDICT), "largest_response_bound_ns": NS, "reason": TEXT, "left_out": left_out},
                            ("reason", "left_out")),
        "forgone": record({"release": RELEASE, "objective": words("sum", "max-lateness"), "there_ns": NS, "here_ns": NS, "percent": COUNT}),
        "meetings": records({"gpu": TEXT, "kernels": COUNT, "others": COUNT, "folded": BOOLEAN, "names": TEXTS, "left_out": COUNT,
                             "pairs": records({"a": TEXT, "b": TEXT, "meeting": COUNT, "of": COUNT,
                                               "reasons": array(words("parallel", "jobs", "dags", "windows", "handed-on", "order", "over", "sequential", "thread", "clock"))})}),
        "assumed": records({"pool": TEXT, "by": TEXTS, "text": TEXT}), "left_out": left_out,
        "why": records({"dag": TEXT, "response_bound_ns": NS, "deadline_ns": NS, "path": TEXTS, "longest_path": TEXTS, "alone_ns": NS,
                        "parts": records({"cause": words("execution", "waiting", "blocking", "carry", "slices", "priority", "release", "rounding"), "pool": or_null(TEXT),
                                          "by_dag": or_null(TEXT), "length_ns": NS})}),
        "remedies": record({"tried": COUNT, "complete": BOOLEAN, "ended_by": words("effort", "time"),
                            "list": records({"change": TEXT, "verdict": VERDICT, "release": TEXT, "dags": bounds,
                                             "kept_apart": records({"a": TEXT, "b": TEXT, "a_before_ns": NS, "a_after_ns": NS, "b_before_ns": NS, "b_after_ns": NS})}, ("kept_apart",))},
                           ("ended_by",)),
        "slack": record({"release": TEXT, "complete": BOOLEAN, "nodes": records({"dag": TEXT, "node": TEXT}),
                         "dags": records({"dag": TEXT, "least_period_ns": NS}), "pools": records({"pool": TEXT, "size": COUNT, "least_size": COUNT})}),
        "largest_rates": records({"dags": TEXTS, "period_ns": NS, "least_period_ns": NS, "jobs_per_second": or_null(REAL), "response_bound_ns": NS,
                                  "theorem": or_null(TEXT), "release": or_null(RELEASE), "complete": BOOLEAN,
                                  "failing": record({"period_ns": NS, "unmet": records({"dag": TEXT, "node": TEXT, "chain": TEXT, "text": TEXT},
                                                                                      ("dag", "node", "chain"))})}, ("failing",)),
        "explanations": records({"node": TEXT, "lines": TEXTS}),
        "certificate": record({"file": TEXT, "uncertified": TEXTS}),
        "rules": record({"device": TEXT, "driver": TEXT, "date": TEXT, **{
            key: records({"rule": TEXT, "pools": TEXTS, "reason": TEXT}) for key in ("confirmed", "refuted", "untested")}}),
        "suggestions": records({"node": TEXT, "H": COUNT, "B": COUNT}), "suggestion_groups": records({"group": COUNT, "nodes": TEXTS})},
        ("chains", "requirements", "hyperperiod_ns", "priority_assignment", "policies", "forgone", "meetings", "why", "remedies", "slack", "largest_rates", "explanations", "certificate", "rules", "suggestions", "suggestion_groups"))


def variants_result():
    dag = records({"name": TEXT, "response_bound_ns": NS, "deadline_ns": NS, "meets_deadline": BOOLEAN, "rate_period_ns": NS,
                   "rate_per_second": or_null(REAL), "rate_response_bound_ns": NS}, ("rate_period_ns", "rate_per_second", "rate_response_bound_ns"))
    return result("result of rta analyze for several task sets", "analyze", {
        "variants": records({"file": TEXT, "settings": records({"place": TEXT, "value": TEXT}), "verdict": or_null(VERDICT), "release": or_null(RELEASE),
                             "dags": dag})})


def simulation_result():
    responses = {"dag": TEXT, "theorem": or_null(TEXT), "response_bound_ns": NS, "observed_max_ns": NS, "worst_job": or_null(COUNT),
                 "observed_mean_ns": REAL, "observed_p99_ns": NS, "jobs": COUNT, "above_bound": BOOLEAN, "deadline_ns": NS,
                 "missed_deadline": BOOLEAN, "misses": COUNT, "attained": BOOLEAN}
    optional = ("observed_mean_ns", "observed_p99_ns", "misses", "attained")
    schema = result("result of rta simulate", "simulate", {
        "task_set": TEXT, "verdict": TEXT, "simulation": {"type": "object"}, "dags": records(responses, optional),
        "nodes": records({"node": TEXT, "pool": TEXT, **responses}, optional), "assumed": TEXTS,
        "chains": SEEN_CHAINS,
        "operations": records({"name": TEXT, "stream": TEXT, "pool": TEXT, "issued_ns": NS, "start_ns": NS, "end_ns": NS, "blocks": TEXT,
                               "waits": records({"from_ns": NS, "to_ns": NS, "cause": words("stream", "previous", "queue", "room", "engine", "call", "processor", "worker"), "for": TEXTS})})},
        ("dags", "nodes", "assumed", "chains", "operations"))
    schema["anyOf"] = [{"required": ["dags", "nodes"]}, {"required": ["operations"]}]
    return schema


CHECKS = records({"name": TEXT, "outcome": words("ok", "warning", "failed"), "text": TEXT})


def comparison_result():
    observed = or_null(record({"max_ns": NS, "p99_ns": NS, "mean_ns": NS}))
    responses = records({"dag": TEXT, "count": COUNT, "bound_ns": NS, "over": or_null(COUNT), "deadline_ns": NS, "missed": or_null(COUNT)},
                        ("over", "missed"))
    violations = records({"dag": TEXT, "node": TEXT, "job": COUNT, "release_ns": NS, "response_ns": NS, "bound_ns": NS, "reasons": TEXTS}, ("node",))
    late = records({"cause": words("execution", "invalid", "unseen", "machine"), "jobs": COUNT, "most_ns": NS})
    overheads = records({"pool": TEXT, "jobs": COUNT, "median_ns": NS, "p99_ns": NS, "max_ns": NS, "quiet": BOOLEAN, "proposed_ns": NS})
    of_trace = {"trace": TEXT, "valid": BOOLEAN, "complete": BOOLEAN, "lost_records": COUNT, "checks": CHECKS}
    of_task_set = record({**of_trace, "verdict": words("within", "above", "nothing-compared"), "dags": responses, "nodes": responses,
                          "violations": violations, "late": late, "overheads": overheads, "chains": SEEN_CHAINS}, ("chains",))
    of_schedule = record({
        **of_trace, "verdict": words("as-proven", "not-as-proven", "nothing-compared"), "over": COUNT, "late": COUNT, "unexplained": COUNT, "early": COUNT,
        "hyperepochs": records({"name": TEXT, "period_ns": NS, "proven_length_ns": NS, "frames": COUNT, "skipped": COUNT, "incomplete": COUNT,
                                "longer": COUNT, "length": observed}),
        "runnables": records({"epoch": TEXT, "name": TEXT, "jobs": COUNT, "wcet_ns": NS, "execution": observed, "over": COUNT, "worst_job": or_null(COUNT),
                              "wake_up": observed, "start_jitter_ns": NS, "latest_end_ns": NS, "proven_end_ns": NS, "slack_ns": NS, "late": COUNT}),
        "resources": records({"name": TEXT, "hyperepoch": TEXT, "planned_ppm": COUNT, "busy_ppm": COUNT}),
        "late_jobs": records({"epoch": TEXT, "name": TEXT, "job": COUNT, "end_ns": NS, "proven_ns": NS, "wake_ups_ns": NS, "reasons": TEXTS})})
    schema = result("result of rta compare or rta run", ("compare", "run"), {
        "task_set": TEXT, "schedule": TEXT, "graph": TEXT, "comparisons": array({"anyOf": [of_task_set, of_schedule]})}, ("task_set", "schedule", "graph"))
    return {**schema, "oneOf": [{"required": ["task_set"]}, {"required": ["schedule", "graph"]}]}


def optimization_result():
    outcome = record({"verdict": VERDICT, "release": TEXT, "dags": records({"name": TEXT, "response_bound_ns": NS, "deadline_ns": NS,
                                                                          "meets_deadlines": BOOLEAN})})
    return result("result of rta optimize", "optimize", {
        "task_set": TEXT, "verdict": VERDICT, "written": or_null(TEXT), "combinations": or_null(COUNT), "judged": COUNT, "complete": BOOLEAN, "cost": COUNT,
        "frontier": records({"cost": COUNT, "largest_lateness_ns": NS, "instead": records({"what": TEXT, "value": TEXT})}),
        "choices": records({"what": TEXT, "alternatives": {"type": "array"}}), "before": or_null(outcome), "after": outcome},
        ("written", "cost", "frontier", "before", "after"))


def schedule_result():
    obstacle = record({"kind": words("chain", "resource", "resources", "gpu", "search"), "resources": TEXTS, "runnables": TEXTS, "from_ns": NS,
                       "work_ns": NS, "late_ns": NS, "text": TEXT})
    decision = record({"by": words("release", "dependency", "submitter_start", "resource", "stream", "path"), "id": COUNT, "runnable": TEXT,
                       "resource": TEXT}, ("id", "runnable", "resource"))
    ids = array(COUNT)
    runnable = records({
        "id": COUNT, "name": TEXT, "steps": TEXTS, "kind": words("runnable", "submitter", "submittee", "frame-sync"), "epoch": TEXT, "frame": COUNT,
        "resources": TEXTS, "stream": TEXT, "after": ids, "after_start": ids, "release_ns": NS, "wcet_ns": NS, "deadline_ns": NS, "start_ns": NS,
        "end_ns": NS, "slack_ns": NS, "decided_by": decision},
        ("steps", "stream", "after", "after_start", "slack_ns", "decided_by"))
    compiled = ("ending", "objective_ns", "objective_bound_ns", "bound_reason", "late_reason")
    proven = ("in_time", "lateness_ns", "wcet_scale", "critical_path", "frames")
    hyperepoch = records({
        "name": TEXT, "period_ns": NS, "length_ns": NS, "lower_bound_ns": NS, "ending": words("optimal", "effort", "time-limit", "interrupted"),
        "objective_ns": NS, "objective_bound_ns": NS, "bound_reason": obstacle, "late_reason": or_null(obstacle), "in_time": BOOLEAN, "lateness_ns": NS,
        "wcet_scale": or_null(REAL), "critical_path": ids, "frames": records({"epoch": TEXT, "frame": COUNT, "start_ns": NS, "end_ns": NS}),
        "sharing": records({"resource": TEXT, "by": words("weights", "streams"), "capacity": COUNT}), "resources": records({"name": TEXT, "type": TEXT}),
        "runnables": runnable}, (*compiled, *proven))
    return result("result of rta compile", "compile", {
        "graph": TEXT, "graph_sha256": TEXT, "identifier": COUNT, "submittee": words("after", "overlap"),
        "verdict": words("in-time", "late", "sound", "not-sound"), "faults": TEXTS, "objective": words("length", "lateness", "end-to-end"),
        "hyperepochs": hyperepoch}, ("faults", "objective"))


def examination_result():
    return result("result of rta examine", "examine", {
        "verdict": TEXT, "date": TEXT, "limits": {"type": "object"}, "error_rates": {"type": "object"},
        "rules": records({"rule": TEXT, "verdict": words("confirmed", "refuted", "untested")}), "latencies": records({"name": TEXT}),
        "measurements": records({"name": TEXT}), "probes": records({"name": TEXT}),
        "interference": record({
            "task_set": or_null(TEXT), "reason": TEXT, "combine": or_null(TEXT), "mixtures": records({"kernel": TEXT, "where": TEXT, "beside": TEXT}),
            "beside": records({"where": TEXT, "beside": TEXT}), "not_possible": {"type": "object"}}, ("reason",))}, ("date", "interference"))


def lint_result():
    return result("result of rta lint", "lint", {
        "errors": COUNT, "warnings": {"anyOf": [COUNT, TEXTS]}, "notes": COUNT,
        "findings": records({"rule": TEXT, "level": words("error", "warning", "note"), "file": TEXT, "line": COUNT, "message": TEXT}),
        "rules": records({"rule": TEXT, "level": TEXT, "says": TEXT})}, ("tool", "errors", "warnings", "notes", "findings", "rules"))


def doctor_result():
    return result("result of rta workload --doctor", "workload", {
        "fit": BOOLEAN, "findings": records({"subject": TEXT, "severity": TEXT, "text": TEXT})}, ("tool",))


def difference_result():
    side = record({"file": TEXT, "task_set": TEXT, "verdict": TEXT})
    value = {"type": ["string", "number", "boolean", "null"]}
    trends = ("grew", "vanished", "fell", "shrank", "appeared", "rose", "changed")
    return result("result of rta diff", "diff", {
        "kind": words("analysis", "simulation"), "verdict": words("worse", "not-worse", "same"), "before": side, "after": side,
        "counts": record({key: COUNT for key in (*trends, "came", "went")}),
        "differences": records({"subject": words("result", "evidence", "dag", "node", "chain", "requirement", "pool", "policy", "operation", "warning"), "dag": TEXT,
                                "name": TEXT, "presence": words("changed", "came", "went"), "worse": BOOLEAN,
                                "changes": records({"key": TEXT, "before": value, "after": value, "trend": words(*trends)})}, ("dag", "name"))})
