"""convert: which kinds of files there are, which options each takes, and what is said of files that are another command's."""

import json
import pathlib
import sqlite3
import tempfile
import unittest

from program import EXAMPLE, ROOT, rta
from test_convert import DEVICE, SANITIZED, spent

# A small file of each kind, and what it needs.
SAMPLES = {
    "sag": ("Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Deadline, Priority\n1, 1, 0, 0, 1, 2, 10, 10\n1, 2, 10, 10, 1, 2, 20, 20\n",
            ("--processors", "2", "--time-unit", "ms")),
    "dag-scheduling": ("tasks:\n  - {t: 5, vertices: [{id: 0, c: 1}]}\n", ("--processors", "2", "--time-unit", "ms")),
    "stg": ("1\n0 0 0\n1 4 1 0\n2 0 1 1\n", ("--processors", "2", "--time-unit", "ms", "--period", "50ms")),
    "dot": ('digraph { T="5 ms"; a [C="1 ms"] }\n', ("--processors", "2")),
    "stm": ((ROOT / "tasksets/static/driving.yaml").read_text(), ()),
    "examiner": ('{"max_iterations": 1, "benchmarks": [{"filename": "timer_spin.so", "thread_count": 32, "block_count": 1, "additional_info": 1000}]}', ()),
    "trace": ('{"schema": 1, "kind": "trace", "source": "simulation", "task_set": "a.yaml", "release": "completion"}\n' + "".join(
        f'{{"t": "run", "dag": "d", "node": "a", "job": {j}, "cpu": 0, "start_ns": {100 * j}, "end_ns": {100 * j + 5}}}\n'
        f'{{"t": "job", "dag": "d", "node": "a", "job": {j}, "release_ns": {100 * j}, "start_ns": {100 * j}, "end_ns": {100 * j + 5}}}\n'
        f'{{"t": "dag", "dag": "d", "job": {j}, "release_ns": {100 * j}, "end_ns": {100 * j + 5}}}\n' for j in range(2)) + '{"t": "end", "complete": true, "lost_records": 0}\n',
        ("--processors", "2")),
    "kineto": (json.dumps({"schemaVersion": 1, "deviceProperties": [DEVICE], "traceEvents": [event for j in range(2) for event in (
        {"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{j}", "pid": 5000, "tid": 1, "ts": 1000 * j, "dur": 500},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemsetAsync", "pid": 5000, "tid": 1, "ts": 1000 * j + 10, "dur": 5, "args": {"correlation": j + 1}},
        {"ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "pid": 0, "tid": 7, "ts": 1000 * j + 20, "dur": 100,
         "args": {"device": 0, "context": 1, "stream": 9, "correlation": j + 1, "bytes": 4}})]}), ("--processors", "2")),
    "amalthea": ("""<am:Amalthea xmlns:am="http://app4mc.eclipse.org/amalthea/1.0.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<swModel><tasks name="T" stimuli="s?type=PeriodicStimulus"><activityGraph><items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueConstant" value="5"/></items></activityGraph></tasks></swModel>
<hwModel><structures name="S"><modules xsi:type="am:ProcessingUnit" name="C" frequencyDomain="f?type=FrequencyDomain"/></structures>
<domains xsi:type="am:FrequencyDomain" name="f"><defaultValue value="1" unit="MHz"/></domains></hwModel>
<stimuliModel><stimuli xsi:type="am:PeriodicStimulus" name="s"><recurrence value="1" unit="ms"/></stimuli></stimuliModel>
<constraintsModel><requirements xsi:type="am:ProcessRequirement" name="d" process="T?type=Task"><limit xsi:type="am:TimeRequirementLimit" limitType="UpperLimit" metric="ResponseTime"><limitValue value="1" unit="ms"/></limit></requirements></constraintsModel>
<mappingModel><taskAllocation task="T?type=Task" affinity="C?type=ProcessingUnit"/></mappingModel></am:Amalthea>
""", ()),
    "openvx": ('{"graphs": [{"nodes": [{"kernel": "a.b", "target": "cpu", "time": "1 ms"}]}]}', ("--processors", "2", "--period", "50ms")),
    "tgff": ("@TASK_GRAPH 0 {\n\tPERIOD 300\n\tTASK t0_0\tTYPE 0\n}\n@PE 0 {\n# type version valid exec_time\n0 0 1 7\n}\n", ("--processors", "2", "--time-unit", "ms")),
    "trtexec": ('[\n  { "count" : 100 }\n, { "name" : "conv1", "timeMs" : 125, "averageMs" : 1.25, "medianMs" : 1.24, "percentage" : 99 }\n]\n', ("--period", "33ms", "--device", "orin")),
    "nsys-stats": ("Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MB/s),SrcMemKd,"
                   "DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n" + "".join(
                       f"{10_000_000 * j},500000,2,4,2,1,64,1,1,40,0.001,0.000,,,,,NVIDIA A100 (0),1,,7,gemm\n" for j in range(4)), ("--processors", "2", "--device", "a100")),
    "sched": ((ROOT / "tasksets/imports/control.txt").read_text(), ()),
    "ros2": ("".join(f"[10:00:00.{at:09}] (+0.000000001) robot ros2:{name}: {{ cpu_id = 0 }}, {{ vpid = 7, procname = \"robot\", vtid = 7 }}, {{ {fields} }}\n" for at, name, fields in (
        (0, "rcl_timer_init", "timer_handle = 0x10, period = 50000000"), (0, "rclcpp_timer_callback_added", "timer_handle = 0x10, callback = 0x20"),
        (1000, "callback_start", "callback = 0x20, is_intra_process = 0"), (2_001_000, "callback_end", "callback = 0x20"))), ()),
    "task-set": ("platform: {cpu: {processors: 1}}\ntasks: [{name: a, on: cpu, C: 1 ms, T: 2 ms}]\n", ()),
}
# Each option with a value that is none of the samples'.
OPTIONS = {
    "--device": "h100", "--processors": "nowhere=3", "--scheduler": "FIFO", "--period": "70ms", "--deadline": "3ms", "--time-unit": "us", "--cost": "WCET",
    "--precedence": "/dev/null", "--architecture": ROOT / "tests/data/caret_demos/architecture.yaml", "--allocate": "T=C", "--copy-engines": "2", "--copy-rate": "5", "--access-size": "64", "--slice": "1ms", "--switch": "1ms",
    "--threads-per-block": "64", "--job-marker": "nothing", "--gpu": "0", "--percentile": "50", "--waits": "passive", "--fuse": "1ms", "--dispatch-latency": "1us",
    "--thread": "nobody", "--leave-out-topic": "/nothing", "--executor": "nobody=events", "--distribution": "iron",
    "--thread-config": ROOT / "tests/data/callback_groups.yaml", "--strict": None, "--blocking-streams": None, "--cpu-only": None, "--accept-difference": None,
}
# What only permits or insists: it changes nothing where there is nothing to permit.
def nsys():
    """Two frames of one kernel as Nsight Systems exports them."""
    database = sqlite3.connect(":memory:")
    database.executescript("""
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER,
            demangledName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER);
        CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, globalTid INTEGER, text TEXT);
        CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, smCount INTEGER, maxWarpsPerSm INTEGER, threadsPerWarp INTEGER, maxBlocksPerSm INTEGER,
            maxThreadsPerBlock INTEGER, maxShmemPerSm INTEGER, maxRegistersPerSm INTEGER, computeMajor INTEGER, computeMinor INTEGER);
        INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA A100', 108, 64, 32, 32, 1024, 167936, 65536, 8, 0);""")
    for job in range(2):
        at = 10_000_000 * job + 1000
        database.execute("INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, 1, 'frame')", (at, at + 500_000))
        database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 1, 7, ?, 1, 4, 1, 1, 64, 1, 1)", (at + 20_000, at + 120_000, job + 1))
    return database.serialize()


RECORDING = "".join(json.dumps(line) + "\n" for line in (
    {"schema": 1, "kind": "trace", "source": "recording", "task_set": ""},
    {"t": "process", "process": 7, "parent": 1, "program": "/opt/camera"},
    {"t": "device", "process": 7, "device": 0, "name": "NVIDIA A100", "uuid": "GPU-1", "compute_capability": "8.0", "sms": 108, "threads_per_sm": 2048,
     "threads_per_block": 1024, "blocks_per_sm": 32, "shared_per_sm": 167936, "shared_per_block": 49152, "registers_per_sm": 65536, "copy_engines": 3, "clock_khz": 1},
    *(line for at in (0, 10_000_000) for line in (
        {"t": "range", "name": "frame", "domain": "", "process": 7, "thread": 9, "end_thread": 9, "start_ns": at, "end_ns": at + 500_000},
        {"t": "call", "api": "runtime", "name": "cudaLaunchKernel", "process": 7, "thread": 9, "correlation": at // 10_000_000 + 1, "start_ns": at + 1000, "end_ns": at + 2000,
         "result": 0},
        {"t": "kernel", "name": "k", "process": 7, "device": 0, "context": 1, "stream": 13, "correlation": at // 10_000_000 + 1, "start_ns": at + 5000, "end_ns": at + 9000,
         "grid": [4, 1, 1], "block": [64, 1, 1], "registers": 8, "static_shared": 0, "dynamic_shared": 0, "launch": "regular"})),
    {"t": "end", "complete": True, "lost_records": 0}))
SAMPLES["recording"] = (RECORDING, ("--processors", "2", "--job-marker", "frame"))
SAMPLES["nsys"] = (nsys(), ("--processors", "2", "--job-marker", "frame"))


class OptionsWithoutEffect(unittest.TestCase):
    """Each option against each reader: it changes what is written, its head included, or is refused."""

    def test_each_option_against_each_reader(self):
        for kind, (text, needs) in SAMPLES.items():
            plain = rta("convert", "-", *needs, stdin=text)
            self.assertEqual(plain.returncode, 0, plain.stderr)
            for option, value in OPTIONS.items():
                with self.subTest(kind=kind, option=option):
                    given = list(needs)
                    if option in given and option != "--processors":
                        del given[given.index(option):given.index(option) + 2]
                    run = rta("convert", "-", *given, option, *([] if value is None else [value]), stdin=text)
                    if run.returncode == 2:
                        self.assertRegex(run.stderr, option + r"\b|--slice and --switch|nowhere|unit|/dev/null|WCET|nothing in it that a DAG")
                    else:
                        self.assertEqual(run.returncode, 0)
                        self.assertNotEqual(run.stdout, plain.stdout)

    def test_what_is_said(self):
        def refused(kind, *arguments):
            text, needs = SAMPLES[kind]
            run = rta("convert", "-", *needs, *arguments, stdin=text)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            return run.stderr

        self.assertIn("--processors foo=2: no pool that needs a number is called so (there are: cpu)", refused("dot", "--processors", "foo=2"))
        self.assertIn("--processors '3': given twice for all pools", refused("dot", "--processors", "3"))
        self.assertIn("--time-unit: has no effect here: every time has its unit", refused("dot", "--time-unit", "ms"))
        self.assertIn("--deadline: has no effect here: every DAG has a deadline of its own", refused("amalthea", "--deadline", "1ms"))
        self.assertIn("--device: has no effect here: nothing runs on a GPU", refused("amalthea", "--device", "a100"))
        self.assertIn("--dispatch-latency: has no effect here: there is no kernel", refused("kineto", "--dispatch-latency", "1us"))
        self.assertIn("--copy-engines: has no effect here: nothing is copied between host and device", refused("kineto", "--copy-engines", "2"))
        self.assertIn("--job-marker nothing: no range is called so", refused("kineto", "--job-marker", "ProfilerStep", "--job-marker", "nothing"))
        self.assertIn("--accept-difference: a Graphviz digraph is held against no recording", refused("dot", "--accept-difference"))
        self.assertIn("--allocate '*': given twice", refused("amalthea", "--allocate", "*=C", "--allocate", "*=C"))


class Mixups(unittest.TestCase):
    """A file is called what it is, by every command that does not take it, in one sentence."""

    FILES = {
        "set.yaml": (b"platform: {cpu: {processors: 1}}\ntasks: [{name: a, on: cpu, C: 1 ms, T: 2 ms}]\n", "a task set"),
        "sweep.yaml": (b"platform: {}\nrandom: {}\nsweep: {}\n", "a sweep"),
        "graph.yaml": (b"Version: 3.0.0\ng:\n  Identifier: 1\n  Hyperepochs: []\n", "a graph of the System Task Manager"),
        "schedule.yaml": (b"schedule: 1\ngraph: g.yaml\n", "a schedule"),
        "profile.sqlite": (b"SQLite format 3\0" + bytes(100), "a profile in SQLite"),
        "graph.dot": (b"digraph { a -> b }\n", "a graph in DOT"),
        "model.amxmi": (b'<am:Amalthea xmlns:am="http://app4mc.eclipse.org/amalthea/1.0.0"/>\n', "a model of Amalthea"),
        "jobs.csv": (b"Task ID, Job ID, Arrival min\n1, 1, 0\n", "a job set"),
        "result.json": (b'{"evidence": {"command": "analyze"}, "verdict": "schedulable", "pools": [], "dags": []}\n', "a result of rta analyze"),
        "events.json": (b'{"traceEvents": []}\n', "a file of Chrome trace events"),
        "threads.yaml": (b"callback_groups: []\n", "a thread configuration of callback_isolated_executor"),
        "a.cert": (b"rta-certificate 1\n", "a certificate"),
        "report.nsys-rep": (b"\1\2\3\0", "a report of Nsight Systems"),
        "bag.db3": (b"SQLite format 3\0" + bytes(100), "a rosbag"),
        "kernel.cu": (b"__global__ void f() {}\n", "source code"),
    }
    TAKES = {
        "analyze": {"set.yaml"},
        "simulate": {"set.yaml"},
        "draw": {"set.yaml", "graph.yaml", "schedule.yaml"},
        "workload": {"set.yaml", "schedule.yaml"},
        "compile": {"set.yaml", "graph.yaml"},
        "optimize": {"set.yaml"},
        "sweep": {"sweep.yaml"},
        "generate": {"sweep.yaml"},
        "plot": set(),
    }

    def test_each_command_and_each_file(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name, (content, _) in self.FILES.items():
                (folder / name).write_bytes(content)
            for command, taken in self.TAKES.items():
                output = {"workload": ("-o", folder / "out"), "sweep": ("-o", folder / "out"), "generate": ("-o", folder / "out"), "plot": ("-o", folder / "out.gp")}.get(command, ())
                for name, (_, what) in self.FILES.items():
                    if name in taken:
                        continue
                    with self.subTest(command=command, file=name):
                        run = rta(command, folder / name, *output)
                        self.assertEqual((run.returncode, run.stdout), (2, ""))
                        self.assertIn(f"{name}:1:1: this is {what}, n", run.stderr)
                        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
            for before, after, what in (("set.yaml", "set.yaml", "a task set"), ("result.json", "graph.dot", "a graph in DOT"), ("profile.sqlite", "result.json", "a profile in SQLite")):
                self.assertIn(f"this is {what}, no result", rta("diff", folder / before, folder / after).stderr)
            run = rta("compare", folder / "result.json", folder / "set.yaml")
            self.assertIn("result.json:1:1: this is a result of rta analyze, no trace (rta compare TRACE... TASKSET): rta diff", run.stderr)
            self.assertEqual(run.returncode, 2)

    def test_files_of_options_and_files_in_the_wrong_place(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name, (content, _) in self.FILES.items():
                (folder / name).write_bytes(content)
            task_set, result, profile = folder / "set.yaml", folder / "result.json", folder / "profile.sqlite"
            jobs = folder / "jobs-of-two.csv"
            jobs.write_text(SAMPLES["sag"][0])
            for words, said in (
                (("compare", task_set, task_set), "set.yaml:1:1: this is a task set, no trace (rta compare TRACE... TASKSET): rta analyze"),
                (("calibrate", task_set, task_set), "set.yaml:1:1: this is a task set, no trace (rta calibrate TRACE TASKSET): rta analyze"),
                (("analyze", folder / "schedule.yaml"), "schedule.yaml:1:1: this is a schedule, no task set: rta compile GRAPH --check SCHEDULE judges it, and rta draw"),
                (("lint", result), "result.json:1:1: this is a result of rta analyze, no source and no recording: rta diff"),
                (("lint", folder / "events.json"), "events.json:1:1: this is a file of Chrome trace events, no source and no recording"),
                (("analyze", task_set, "--profile", task_set), "set.yaml:1:1: this is a task set, no device profile: rta analyze"),
                (("analyze", task_set, "--profile", profile), "profile.sqlite:1:1: this is a profile in SQLite, no device profile: rta convert"),
                (("compile", ROOT / "tasksets/static/cpu_gpu.yaml", "--check", profile), "profile.sqlite:1:1: this is a profile in SQLite, no schedule: rta convert"),
                (("convert", jobs, *SAMPLES["sag"][1], "--precedence", profile), "this is a profile in SQLite, no constraints between jobs: rta convert"),
                (("convert", jobs, *SAMPLES["sag"][1], "--precedence", task_set), "this is a task set, no constraints between jobs: rta analyze"),
            ):
                with self.subTest(words[0], file=pathlib.Path(words[-1]).name):
                    run = rta(*words)
                    self.assertEqual((run.returncode, run.stdout), (2, ""))
                    self.assertIn(said, run.stderr)
                    self.assertEqual(run.stderr.count("\n"), 1, run.stderr)

    def test_what_is_not_read_is_told_with_what_makes_it_readable(self):
        for name, content, part in (
            ("a.nsys-rep", b"\1\2\3\0", "`nsys export --type sqlite"),
            ("a.ncu-rep", b"\1\2\3\0", "profile with `nsys profile`"),
            ("a.pftrace", b"\n\1\2\0", "`traceconv json"),
            ("metadata", b"/* CTF 1.8 */\n", "babeltrace2"),
            ("a.bag", b"#ROSBAG V2.0\n", "ros2_tracing"),
            ("a.mcap", b"\x89MCAP0\r\n\0", "ros2_tracing"),
            ("a.db3", b"SQLite format 3\0" + bytes(100), "ros2_tracing"),
            ("a.jsonl", b'{"Type": 48, "NvtxEvent": {}}\n{"Type": 79}\n', "`nsys export --type sqlite"),
            ("ncu.csv", b'"ID","Process ID","Process Name","Host Name","Kernel Name"\n"0","1","a","b","k"\n', "one by one"),
            ("ncu-2.csv", b"==PROF== Connected to process 7\n==PROF== Profiling k\n", "one by one"),
            ("stats.csv", b"Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n99.0,1,1,1.0,1.0,1,1,0.0,k\n", "--report cuda_gpu_trace"),
            ("stats.txt", b"Processing [a.sqlite] with [cuda_gpu_kern_sum.py]... \n\n ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):\n\n Time (%)  Total Time (ns)  Instances  Name\n", "--report cuda_gpu_trace"),
            ("nvprof.csv", b"==12== NVPROF is profiling process 12, command: ./a\n", "`nsys profile`"),
            ("metadata.yaml", b"rosbag2_bagfile_information:\n  version: 5\n", "ros2_tracing"),
            ("perf.data", b"PERFILE2\0\0", "`perf script -i FILE > FILE.txt`"),
            ("trace.dat", b"\x17\x08\x44tracing6\0", "`trace-cmd report FILE > FILE.txt`"),
            ("timehist.txt", b"           time    cpu  task name                       wait time  sch delay   run time\n", "`perf sched script`"),
            ("r.json", b'{"evidence": {"command": "analyze"}, "verdict": "schedulable"}\n', "rta diff BEFORE.json AFTER.json"),
        ):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / name
                path.write_bytes(content)
                run = rta("convert", path)
                self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
                self.assertIn(f"{name}:1:1: this is ", run.stderr)
                self.assertIn(part, run.stderr)
                self.assertEqual(run.stderr.count("\n"), 1, run.stderr)


    def test_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, content, part in (("metadata", "/* CTF 1.8 */\n", "babeltrace2"), ("metadata.yaml", "rosbag2_bagfile_information:\n", "a rosbag"), ("other", "", "it is a folder")):
                path = pathlib.Path(folder) / f"of-{name}"
                path.mkdir()
                (path / name).write_text(content)
                run = rta("convert", path)
                self.assertEqual((run.returncode, run.stdout, run.stderr.count("\n")), (2, "", 1), run.stderr)
                self.assertTrue(run.stderr.startswith(f"{path}: "), run.stderr)
                self.assertIn(part, run.stderr)


class Kinds(unittest.TestCase):
    """Kinds of files from the command line: what they need is asked for, and what says nothing of them refused."""

    def test_threads_of_linux(self):
        control = ROOT / "tasksets/imports/control.txt"
        run = rta("convert", control, "--thread", "9")
        self.assertEqual(run.returncode, 0, run.stderr)
        # Thread 7 ran for 3.0 ms and 2.5 ms.
        self.assertIn("1 OTHER THREADS ARE LEFT OUT (--thread), which took 5500 us of processors", run.stderr)
        # Released at 10.0 s, it ended 3.6 ms later; on two processors nothing delays it here.
        self.assertIn("# - DAG 'control': a job ran for 3 ms at most, here 3 ms (1.00 times), released as recorded 3 ms at most; with what preempted it, it lasted 3.6 ms at most\n",
                      rta("convert", control).stdout)
        # Releases of the real-time thread, by its priority of 90 above all others: it is met at once.
        self.assertIn("schedulable", rta("analyze", "-", "--release", "completion", stdin=run.stdout).stdout)
        self.assertIn("--device: says nothing of a trace of Linux's scheduler", rta("convert", control, "--device", "a100").stderr)
        self.assertIn("--thread: says nothing of a task set", rta("convert", EXAMPLE, "--thread", "a").stderr)

    def test_kernels_that_took_longer_before_the_jobs_than_in_any_are_refused(self):
        # The kernel a of 400 us, a start-up kernel, then six jobs of two kernels of 100 us.
        table = "Start (ns),Duration (ns),GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Name\n1000,400000,4,1,1,64,1,1,a\n500000,5000,4,1,1,64,1,1,init\n" + "".join(
            f"{at}000000,100000,4,1,1,64,1,1,a\n{at}500000,100000,4,1,1,64,1,1,b\n" for at in range(2, 14, 2))
        run = rta("convert", "-", "--processors", "1", "--device", "a100", stdin=table)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("1 kernels before the first and after the last job took longer than in any job: 'a' of 400 us, in jobs at most 100 us", run.stderr)
        run = rta("convert", "-", "--processors", "1", "--device", "a100", "--accept-difference", stdin=table)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("kernels in no job, WHICH NO BOUND COVERS: 'init' of 5 us", run.stderr)

    def test_what_nsight_recorded_of_the_scheduler_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.sqlite")
            db = sqlite3.connect(path)
            db.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, demangledName, gridX, gridY, gridZ, blockX, blockY, blockZ)")
            db.execute("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 2000, 0, 1, 7, 1, 1, 1, 1, 32, 1, 1)")
            db.execute("CREATE TABLE SCHED_EVENTS (start, cpu, isSchedIn, globalTid)")
            db.executemany("INSERT INTO SCHED_EVENTS VALUES (?, 0, ?, 7)", [(1, 1), (2, 0)])
            db.commit()
            db.close()
            run = rta("convert", path, "--processors", "1", "--device", "a100", "--period", "1ms")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("switch of threads 'SCHED_EVENTS', 2 times IS LEFT OUT: it does not tell a thread that others preempted from one that waited", run.stderr)

    def test_large_traces_of_linux_are_read_in_linear_time_and_little_memory(self):
        # 200,000 jobs of 1 ms, 10 ms apart, of one thread.
        events = ["cpus=1\n"]
        for k in range(200_000):
            begin, end = f"{k // 100}.{k % 100:02}0000000", f"{k // 100}.{k % 100:02}1000000"
            events += [f" a-7 [000] {begin}: sched_wakeup: a:7 [120] success=1 CPU:000\n", f" a-7 [000] {begin}: sched_switch: b:0 [120] R ==> a:7 [120]\n",
                       f" a-7 [000] {end}: sched_switch: a:7 [120] S ==> b:0 [120]\n"]
        before = spent()
        run = rta("convert", "-", "-q", stdin="".join(events))
        self.assertIn("T: 10 ms\n    nodes:\n      run: {on: cpu, C: 1 ms, sequential: true}\n", run.stdout, run.stderr)
        self.assertLess(spent() - before, 60 if SANITIZED else 6)


    def test_many_threads_are_read_in_linear_time(self):
        # Of real-time priority, each with one job.
        events = [f" a-7 [000] {k}.{at}: sched_switch: {switch}\n" for k in range(1, 20_001)
                  for at, switch in ((0, f"b:0 [120] R ==> a:{k} [9]"), (5, f"a:{k} [9] S ==> b:0 [120]"))]
        before = spent()
        run = rta("convert", "-", "-q", "--processors", "2", "--period", "10s", stdin="".join(events))
        self.assertEqual(run.stdout.count("priority: 90\n"), 20_000, run.stderr)
        self.assertLess(spent() - before, 60 if SANITIZED else 6)


if __name__ == "__main__":
    unittest.main()
