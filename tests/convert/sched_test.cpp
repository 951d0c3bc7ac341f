// What Linux's scheduler did, as trace-cmd, perf and ftrace print it.
#include <doctest/doctest.h>

#include "conversion.hpp"

using namespace rta;

namespace {

// Two processors. `control` (real-time priority 50: 99 - 49) is woken at 10.000 s and 10.010 s: T = 10 ms. Its first job runs for
// 2.0 ms, is preempted for 0.5 ms by `irq/5` (priority 90), and runs for 1.0 ms more: 3.0 ms, though it takes 3.6 ms on the clock.
// The second one runs for 2.5 ms. `irq/5` is woken at 10.0021 s and 10.0115 s, T = 9.4 ms, and runs for 0.5 ms and 0.4 ms.
const std::string control = R"(version = 6
cpus=2
          <idle>-0     [000] d..3.    10.000000000: sched_waking:         comm=control pid=7 prio=49 target_cpu=000
          <idle>-0     [000] d..2.    10.000100000: sched_switch:         prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=control next_pid=7 next_prio=49
         control-7     [000] d..3.    10.002100000: sched_waking:         comm=irq/5 pid=9 prio=9 target_cpu=000
         control-7     [000] d..2.    10.002100000: sched_switch:         prev_comm=control prev_pid=7 prev_prio=49 prev_state=R+ ==> next_comm=irq/5 next_pid=9 next_prio=9
           irq/5-9     [000] d..2.    10.002600000: sched_switch:         prev_comm=irq/5 prev_pid=9 prev_prio=9 prev_state=S ==> next_comm=control next_pid=7 next_prio=49
         control-7     [000] d..2.    10.003600000: sched_switch:         prev_comm=control prev_pid=7 prev_prio=49 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
          <idle>-0     [001] d..3.    10.010000000: sched_waking:         comm=control pid=7 prio=49 target_cpu=001
          <idle>-0     [001] d..3.    10.010000000: sched_wakeup:         comm=control pid=7 prio=49 target_cpu=001
          <idle>-0     [001] d..2.    10.010000000: sched_switch:         prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=control next_pid=7 next_prio=49
         control-7     [001] d..3.    10.011500000: sched_waking:         comm=irq/5 pid=9 prio=9 target_cpu=000
          <idle>-0     [000] d..2.    10.011500000: sched_switch:         prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=irq/5 next_pid=9 next_prio=9
           irq/5-9     [000] d..2.    10.011900000: sched_switch:         prev_comm=irq/5 prev_pid=9 prev_prio=9 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
         control-7     [001] d..2.    10.012500000: sched_switch:         prev_comm=control prev_pid=7 prev_prio=49 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
)";

// One event of perf with times in us.
std::string perf(const std::string& time, const std::string& event) { return "  a b 12/12 [000] " + time + ":   sched:" + event + "\n"; }
std::string on(const std::string& time, const std::string& next) {
  return perf(time, "sched_switch: swapper/0:0 [120] R ==> " + next + " [120]");
}
std::string off(const std::string& time, const std::string& previous, const std::string& state) {
  return perf(time, "sched_switch: " + previous + " [120] " + state + " ==> swapper/0:0 [120]");
}
std::string wake(const std::string& time, const std::string& thread) {
  return perf(time, "sched_wakeup: " + thread + " [120] success=1 CPU:000");
}

convert::Options options() {
  convert::Options out;
  out.processors = {{"", 1}};
  return out;
}

Time C_of(const TaskSet& set, std::size_t dag) { return std::get<CpuDemand>(set.dags()[dag].nodes().front().demand).C; }

}  // namespace

TEST_CASE("Threads are DAGs: C is time on a processor without preemption, T the least distance of wakeups") {
  CHECK(convert::recognise(control) == convert::Kind::sched);
  CHECK(io::format_task_set(test::converted(control)) == R"(platform:
  cpu: {processors: 2, scheduler: FP}
dags:
  - name: control
    T: 10 ms
    priority: 50
    nodes:
      run: {on: cpu, C: {max: 3 ms, min: 2500 us, mode: 2750 us}, sequential: true}
  - name: irq/5
    T: 9400 us
    priority: 90
    nodes:
      run: {on: cpu, C: {max: 500 us, min: 400 us, mode: 450 us}, sequential: true}
)");
}

TEST_CASE("--thread keeps threads by name, pattern or number; the others are told with their time") {
  convert::Options chosen;
  chosen.threads = {"con*"};
  const auto converted = convert::convert_text(control, "file", chosen);
  CHECK(std::get<TaskSet>(converted.content).dags().size() == 1);
  CHECK(test::mentions(converted.assumed, "1 OTHER THREADS ARE LEFT OUT (--thread), which took 900 us of processors"));
  chosen.threads = {"9", "7"};
  CHECK(test::converted(control, chosen).dags().size() == 2);
  chosen.threads = {"none"};
  CHECK(test::fault_of(control, chosen) == "file: --thread: no thread of that name or number ran (threads: control, irq/5)");
}

// 1 ms, 1 ms preempted, 1 ms more: 2 ms, and 1 us of the clock for each of the two. Wakeups 10 ms apart, less 1 us of the clock.
TEST_CASE("A clock of microseconds makes C longer and T shorter") {
  const std::string text = wake("1.000000", "my task:7") + on("1.000000", "my task:7") +
                           perf("1.001000", "sched_switch: my task:7 [120] R ==> hi:9 [120]") +
                           perf("1.002000", "sched_switch: hi:9 [120] S ==> my task:7 [120]") + off("1.003000", "my task:7", "S") +
                           wake("1.010000", "my task:7") + on("1.010500", "my task:7") + off("1.011000", "my task:7", "S");
  convert::Options chosen = options();
  chosen.threads = {"my task"};
  const auto converted = convert::convert_text(text, "file", chosen);
  const auto& set = std::get<TaskSet>(converted.content);
  CHECK(C_of(set, 0) == Time(2'002'000));
  CHECK(set.dags().front().period() == Time(9'999'000));
  CHECK(test::mentions(converted.found, "'my_task' is thread 7, 'my task': 2 whole jobs"));
  CHECK(test::mentions(converted.assumed, "1 of 1 threads have no real-time priority"));
  CHECK(test::mentions(converted.assumed, "the clock of the file shows 1 us"));
}

// 1 ms, 4 ms for a disk, 1 ms: 6 ms, of a thread that no task set may take for one that needs 2 ms.
TEST_CASE("Waits in state D are part of the job") {
  const std::string text = wake("1.000000000", "a:7") + on("1.000000000", "a:7") + off("1.001000000", "a:7", "D") +
                           wake("1.005000000", "a:7") + on("1.005000000", "a:7") + off("1.006000000", "a:7", "S") +
                           wake("1.020000000", "a:7") + on("1.020000000", "a:7") + off("1.021000000", "a:7", "S");
  const auto converted = convert::convert_text(text, "file", options());
  CHECK(C_of(std::get<TaskSet>(converted.content), 0) == Time(6'000'000));
  CHECK(std::get<TaskSet>(converted.content).dags().front().period() == Time(20'000'000));
  CHECK(test::mentions(converted.assumed, "1 waits in state D"));
}

// `a` ran before the recording for nobody knows how long, 3 ms within it; its whole job is 1 ms. `b` never sleeps: 5 ms.
TEST_CASE("Jobs that the recording cuts off count as far as they are in it") {
  convert::Options chosen = options();
  chosen.period = Time(50'000'000);
  const std::string text = perf("1.000000000", "sched_switch: swapper/1:0 [120] R ==> swapper/1:0 [120]") + off("1.003000000", "a:7", "S") +
                           on("1.003000000", "b:8") + perf("1.005000000", "sched_switch: b:8 [120] R ==> a:7 [120]") +
                           perf("1.006000000", "sched_switch: a:7 [120] S ==> b:8 [120]") +
                           perf("1.009000000", "sched_stat_runtime: comm=b pid=8 runtime=1 [ns]") +
                           perf("1.009000000", "sched_switch: b:8 [120] R ==> b:8 [120]");
  const auto converted = convert::convert_text(text, "file", chosen);
  const auto& set = std::get<TaskSet>(converted.content);
  CHECK(C_of(set, 0) == Time(3'000'000));
  CHECK(C_of(set, 1) == Time(5'000'000));
  CHECK(test::mentions(converted.assumed, "DAG 'a': a job that the recording cuts off ran longest"));
  CHECK(test::mentions(converted.assumed, "DAG 'b': no whole job of it is in the recording"));
  CHECK(test::mentions(converted.assumed, "1 times no wakeup is in the trace"));
  CHECK(test::fault_of(text, options()).find("DAG 'b' was released once only") != std::string::npos);
}

// The job at 1.000 s is cut off after 2 ms, where events were lost; nothing tells how far the wakeups at 1.000 s and 1.030 s are apart.
TEST_CASE("Lost events cut off the jobs beside them") {
  const std::string text = wake("1.000000000", "a:7") + on("1.000000000", "a:7") + wake("1.002000000", "b:8") + "CPU:0 [LOST 12 EVENTS]\n" +
                           wake("1.030000000", "a:7") + on("1.030000000", "a:7") + off("1.031000000", "a:7", "S") +
                           wake("1.045000000", "a:7") + on("1.045000000", "a:7") + off("1.046000000", "a:7", "S");
  convert::Options chosen = options();
  chosen.threads = {"a"};
  const auto converted = convert::convert_text(text, "file", chosen);
  const auto& set = std::get<TaskSet>(converted.content);
  CHECK(C_of(set, 0) == Time(2'000'000));
  CHECK(set.dags().front().period() == Time(15'000'000));
  REQUIRE(converted.warnings.size() == 1);
  CHECK(converted.warnings.front().message.find("events are missing in 1 places") == 0);
  // As others write it; before the first switch nothing is cut off.
  const std::string again = "##### CPU 1 buffer started ####\n" + text + "LOST 20 events\n";
  CHECK(convert::convert_text(again, "file", chosen).warnings.front().message.find("events are missing in 2 places") == 0);
}

TEST_CASE("What is no event is told, and broken events are refused with their place") {
  const std::string text = wake("1.000000000", "a:7") + on("1.000000000", "a:7") + off("1.001000000", "a:7", "S");
  convert::Options chosen = options();
  chosen.period = Time(50'000'000);
  chosen.from = convert::Kind::sched;
  const auto converted = convert::convert_text(
      "# tracer: nop\n" + text + "\tffffffff8116 schedule ([kernel])\n\nnovelty\n" + perf("1.002000000", "novelty: 1"), "file", chosen);
  CHECK(test::mentions(converted.assumed, "event 'novelty' IS LEFT OUT"));
  CHECK(test::mentions(converted.assumed, "line 'no event' IS LEFT OUT"));
  const auto fault = [&](const std::string& broken) { return test::fault_of(broken, chosen); };
  CHECK(fault(off("1.001000000", "a:7", "Q")).find("file:1:64: state 'Q' cannot be read: ") == 0);
  CHECK(fault(off("1.001000000", "a7", "S")).find("file:1:54: a thread is expected, as in 'name:7 [120]', not 'a7 [120] S'") == 0);
  CHECK(fault(off("1.001000000", "a:x", "S")).find("file:1:56: the number of a thread is expected, not 'x'") == 0);
  CHECK(fault(perf("1.001000000", "sched_switch: a:7 [120] S")).find("'PREVIOUS ==> NEXT' is expected") != std::string::npos);
  CHECK(fault("a 12/12 1.001000000: sched:sched_switch: a:7 [120] S ==> b:8 [120]\n") ==
        "file:1:9: the processor is missing before the time: '[000]'");
  CHECK(fault(text + on("1.000500000", "a:7")).find("file:4:19: the time is before that of the event before") == 0);
  CHECK(fault(on("99999999999999.000000000", "a:7")).find("file:1:19: the time is too large") == 0);
  CHECK(fault(wake("1.000000000", "a:7")).find("file: no sched_switch is in the file") == 0);
  // `a` starts on two processors, and stops where it does not run.
  const std::string twice = perf("1.000000000", "sched_switch: swapper/0:0 [120] R ==> a:7 [120]") +
                            "  b 12 [001] 1.001000000: sched:sched_switch: swapper/1:0 [120] R ==> a:7 [120]\n" +
                            off("1.002000000", "a:7", "S");
  CHECK(fault(twice).find("file: 2 of 3 switches contradict what came before") == 0);
}

TEST_CASE("The latency format, and traces with everything else in them") {
  // Of trace-cmd report -l: the processor begins the flags.
  convert::Options chosen = options();
  chosen.period = Time(50'000'000);
  const std::string text =
      "cpus=4\n"
      "  <idle>-0       2dNh2  2.000000000: sched_wakeup:         comm=a b pid=7 prio=120 success=1 target_cpu=002\n"
      "  <idle>-0       2d..2  2.000000000: sched_switch:         prev_comm=swapper/2 prev_pid=0 prev_prio=120 prev_state=R ==> "
      "next_comm=a b "
      "next_pid=7 next_prio=120\n"
      "  a b-7          2d..2  2.001000000: sched_switch:         prev_comm=a b prev_pid=7 prev_prio=120 prev_state=D|K ==> "
      "next_comm=swapper/2 "
      "next_pid=0 next_prio=120\n"
      "  <idle>-0       2d..2  2.002000000: irq_handler_entry: irq=5 name=x\n"
      "  <idle>-0       2d..2  2.003000000: sched_switch:         prev_comm=swapper/2 prev_pid=0 prev_prio=120 prev_state=R ==> "
      "next_comm=a b "
      "next_pid=7 next_prio=120\n"
      "  a b-7          2d..2  2.004000000: sched_switch:         prev_comm=a b prev_pid=7 prev_prio=120 prev_state=S ==> "
      "next_comm=swapper/2 "
      "next_pid=0 next_prio=120\n";
  // 1 ms, 2 ms in state D, 1 ms.
  CHECK(C_of(test::converted(text, chosen), 0) == Time(4'000'000));
  CHECK(test::mentions(convert::convert_text(text, "file", chosen).assumed,
                       "pool 'cpu' has 1 processors, as --processors says; the recording is of 4"));
}

// Wakeups at 1.000, 1.010, 1.012 (`a` still runs, to sleep at once) and 1.030 s: T = 2 ms. C = 2.1 ms, of the job at 1.010 s.
TEST_CASE("A wakeup while its thread still runs releases the next job") {
  const auto waking = [](const std::string& time) { return perf(time, "sched_waking: comm=a pid=7 prio=120 target_cpu=000"); };
  const std::string before = waking("1.000000000") + on("1.000000000", "a:7") + off("1.002000000", "a:7", "S") + waking("1.010000000") +
                             on("1.010000000", "a:7") + waking("1.012000000");
  const std::string after = perf("1.019000000", "sched_switch: hi:9 [120] S ==> a:7 [120]") + off("1.021000000", "a:7", "S") +
                            waking("1.030000000") + on("1.030000000", "a:7") + off("1.032000000", "a:7", "S");
  convert::Options chosen = options();
  chosen.threads = {"a"};
  const std::string sleeps = perf("1.012100000", "sched_switch: a:7 [120] S ==> hi:9 [120]");
  const auto set = test::converted(before + sleeps + after, chosen);
  CHECK(set.dags().front().period() == Time(2'000'000));
  CHECK(C_of(set, 0) == Time(2'100'000));
  // sched_wakeup is the other half of the same wakeup.
  CHECK(test::converted(before + sleeps + wake("1.012200000", "a:7") + after, chosen).dags().front().period() == Time(2'000'000));
  // In state D the job goes on: 2.1 ms, 6.9 ms in that state and 2 ms more; the wakeups that count are 10 ms apart.
  const auto waits = test::converted(before + perf("1.012100000", "sched_switch: a:7 [120] D ==> hi:9 [120]") + after, chosen);
  CHECK(waits.dags().front().period() == Time(10'000'000));
  CHECK(C_of(waits, 0) == Time(11'000'000));
}

// `a` notices the wakeup at 1.0025 s while it runs, and sleeps from 1.005 s. The wakeups at 1.010 s and 1.012 s release jobs: T = 2 ms,
// though the one at 1.0025 s is 9.5 ms away.
TEST_CASE("A wakeup that its thread noticed before it slept hides no later one") {
  const std::string text = wake("1.000000000", "a:7") + on("1.000000000", "a:7") + wake("1.002500000", "a:7") +
                           off("1.005000000", "a:7", "S") + wake("1.010000000", "a:7") + on("1.010000000", "a:7") +
                           off("1.011000000", "a:7", "S") + wake("1.012000000", "a:7") + on("1.012000000", "a:7") +
                           off("1.013000000", "a:7", "S");
  const auto set = test::converted(text, options());
  CHECK(set.dags().front().period() == Time(2'000'000));
  CHECK(C_of(set, 0) == Time(5'000'000));
}

// `a` runs for 1 ms, is ready for 1 ms while its processor idles, 2 ms while `b` runs, 3 ms while it idles again, and runs for 1 ms: 6 ms.
TEST_CASE("A thread that is ready while its processor idles is told, and that time counts as execution") {
  const std::string text = wake("1.000000000", "a:7") + on("1.000000000", "a:7") + off("1.001000000", "a:7", "R") +
                           on("1.002000000", "b:8") + off("1.004000000", "b:8", "S") + on("1.007000000", "a:7") +
                           off("1.008000000", "a:7", "S") + wake("1.020000000", "a:7") + on("1.020500000", "a:7") +
                           off("1.021000000", "a:7", "S");
  convert::Options chosen = options();
  chosen.threads = {"a"};
  const auto converted = convert::convert_text(text, "file", chosen);
  CHECK(C_of(std::get<TaskSet>(converted.content), 0) == Time(6'000'000));
  CHECK(test::mentions(converted.assumed, "DAG 'a': thread 7, 'a', was ready for 4 ms in all while its processor idled"));
  // Preempted only: nothing is held back.
  CHECK(!test::mentions(convert::convert_text(control, "file", {}).assumed, "while its processor idled"));
}

// `cam` has the number 7 and sleeps; `log` has it then, wakes every 20 ms and is called `log2` while it runs.
TEST_CASE("A number that is used again is of two threads, and a new name of one at work is told") {
  const std::string text = wake("1.000000000", "cam:7") + on("1.000000000", "cam:7") + off("1.004000000", "cam:7", "S") +
                           wake("1.010000000", "cam:7") + on("1.010000000", "cam:7") + off("1.014000000", "cam:7", "X") +
                           wake("2.000000000", "log:7") + on("2.000000000", "log:7") + off("2.001000000", "log2:7", "S") +
                           wake("2.020000000", "log2:7") + on("2.020000000", "log2:7") + off("2.021000000", "log2:7", "S");
  const auto converted = convert::convert_text(text, "file", options());
  const auto& set = std::get<TaskSet>(converted.content);
  REQUIRE(set.dags().size() == 2);
  CHECK(set.dags()[0].name() == "cam");
  CHECK(set.dags()[0].period() == Time(10'000'000));
  CHECK(C_of(set, 0) == Time(4'000'000));
  CHECK(set.dags()[1].name() == "log2");
  CHECK(set.dags()[1].period() == Time(20'000'000));
  CHECK(test::mentions(converted.found, "'log2' was called 'log' before"));
  convert::Options chosen = options();
  chosen.threads = {"log"};
  CHECK(test::converted(text, chosen).dags().front().name() == "log2");
}

// 99 - 19 = 80; it is boosted to 94 and stays so to the end of the recording.
TEST_CASE("Of several priorities of a thread the least urgent one counts") {
  const auto at = [](const std::string& time, const std::string& what) { return perf(time, "sched_switch: " + what); };
  const std::string text = perf("1.000000000", "sched_waking: comm=a pid=7 prio=19 target_cpu=000") +
                           at("1.000000000", "swapper/0:0 [120] R ==> a:7 [19]") + at("1.001000000", "a:7 [5] S ==> swapper/0:0 [120]") +
                           perf("1.010000000", "sched_waking: comm=a pid=7 prio=5 target_cpu=000") +
                           at("1.010000000", "swapper/0:0 [120] R ==> a:7 [5]") + at("1.011000000", "a:7 [5] S ==> swapper/0:0 [120]");
  const auto converted = convert::convert_text(text, "file", options());
  CHECK(io::format_task_set(std::get<TaskSet>(converted.content)).find("priority: 80") != std::string::npos);
  CHECK(test::mentions(converted.assumed, "DAG 'a': its thread had several priorities; the least urgent one counts"));
}

TEST_CASE("Threads of SCHED_DEADLINE are told") {
  const auto at = [](const std::string& time, const std::string& what) { return perf(time, "sched_switch: " + what); };
  const std::string text = at("1.000000000", "swapper/0:0 [120] R ==> a:7 [-1]") + at("1.001000000", "a:7 [-1] S ==> swapper/0:0 [120]") +
                           at("1.010000000", "swapper/0:0 [120] R ==> a:7 [-1]") + at("1.011000000", "a:7 [-1] S ==> swapper/0:0 [120]") +
                           at("1.020000000", "swapper/0:0 [120] R ==> a:7 [-1]") + at("1.021000000", "a:7 [-1] S ==> swapper/0:0 [120]");
  const auto assumed = convert::convert_text(text, "file", options()).assumed;
  CHECK(test::mentions(assumed, "1 of 1 threads have the priority -1, which is SCHED_DEADLINE"));
  CHECK(!test::mentions(assumed, "have no real-time priority"));
}

// Two wakeups within one microsecond, and one 10 ms later: T is the tick, 1 us, not 9999 us.
TEST_CASE("Jobs within one tick of the clock make that tick their period") {
  const std::string text = wake("1.000000", "a:7") + on("1.000000", "a:7") + off("1.000000", "a:7", "S") + wake("1.000000", "a:7") +
                           on("1.000000", "a:7") + off("1.000000", "a:7", "S") + wake("1.010000", "a:7") + on("1.010000", "a:7") +
                           off("1.012000", "a:7", "S");
  const auto converted = convert::convert_text(text, "file", options());
  CHECK(std::get<TaskSet>(converted.content).dags().front().period() == Time(1000));
  CHECK(test::mentions(converted.assumed, "DAG 'a': T is one tick of that clock (--period)"));
  CHECK(!test::mentions(converted.assumed, "T is the least distance"));
  convert::Options chosen = options();
  chosen.period = Time(5'000'000);
  const auto given = convert::convert_text(text, "file", chosen);
  CHECK(std::get<TaskSet>(given.content).dags().front().period() == Time(5'000'000));
  CHECK(test::mentions(given.assumed, "DAG 'a': T is --period, though releases were seen 1 us apart"));
}
