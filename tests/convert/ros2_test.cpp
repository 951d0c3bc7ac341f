// What nodes of ROS 2 did, as babeltrace2 prints it.
#include <doctest/doctest.h>

#include <map>
#include <random>

#include "conversion.hpp"
#include "ros2_trace.hpp"
#include "rta/io/task_set_file.hpp"

using namespace rta;
using test::chain;
using test::Ros2Trace;

namespace {

convert::Converted convert_trace(const Ros2Trace& trace, const convert::Options& options = {}) {
  return convert::convert_text(trace.text, "file", options);
}
const TaskSet& set_of(const convert::Converted& converted) { return std::get<TaskSet>(converted.content); }
const CpuPool& pool_of(const TaskSet& set, std::size_t pool = 0) { return std::get<CpuPool>(set.pools()[pool].resource); }
Time C_of(const Dag& dag, std::string_view node) { return std::get<CpuDemand>(test::node_of(dag, node).demand).C; }

}  // namespace

TEST_CASE("A timer is a DAG, a message an edge, and the callbacks of one thread are an executor's") {
  const std::string text = chain().text;
  CHECK(convert::recognise(text) == convert::Kind::ros2);
  CHECK(io::format_task_set(test::converted(text)) == R"(platform:
  p100: {processors: 1, scheduler: wait-set, preemptive: false}
dags:
  - name: sensor.timer
    T: 100 ms
    nodes:
      sensor.timer: {on: p100, C: 5 ms}
      filter.scan: {on: p100, C: {max: 3 ms, min: 2 ms, mode: 2500 us}}
    edges:
      - sensor.timer -> filter.scan
)");
}

TEST_CASE("What the trace does not say of an executor, of preemption and of the middleware is told") {
  const auto converted = convert_trace(chain());
  CHECK(test::mentions(converted.assumed, "executor 'p100' is taken for a SingleThreadedExecutor"));
  CHECK(test::mentions(converted.assumed, "WITH WHAT PREEMPTED IT, as no sched_switch is in the trace"));
  CHECK(test::mentions(converted.assumed, "a message is in its queue when the callback that publishes it ends"));
  CHECK(
      test::mentions(converted.found, "'filter.scan' is the subscription of /filter to /scan: 2 whole jobs of 2.000000 ms to 3.000000 ms"));
  CHECK(
      test::mentions(converted.found, "2 messages were followed from publication to callback (in the order of their topics): 1.500000 ms"));
}

TEST_CASE("A job lasts from the start of its timer to the end of what its messages led to") {
  const auto converted = convert_trace(chain());
  REQUIRE(converted.recorded.size() == 1);
  CHECK(converted.recorded[0].releases == std::vector<Time>{Time(0), Time(100'000'000)});
  CHECK(converted.recorded[0].lengths == std::vector<Time>{Time(8'500'000), Time(7'500'000)});
}

TEST_CASE("The dates and seconds that babeltrace2 prints are times, a midnight passes, and no other clock is taken") {
  std::string text = chain().text;
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string out = text;
    for (std::size_t at = out.find(from); at != std::string::npos; at = out.find(from, at + to.size())) out.replace(at, from.size(), to);
    return out;
  };
  const std::string expected = io::format_task_set(test::converted(text));
  CHECK(io::format_task_set(test::converted(with("[10:00:00.", "[2024-02-29 10:00:00."))) == expected);
  CHECK(io::format_task_set(test::converted(with("[10:00:00.", "[1655782979."))) == expected);
  CHECK(io::format_task_set(test::converted(with(" (+0.000001000)", ""))) == expected);
  // Its last job is on the next day.
  std::string midnight = with("[10:00:00.", "[23:59:59.");
  for (std::size_t at = midnight.find("[23:59:59.1"); at != std::string::npos; at = midnight.find("[23:59:59.1", at))
    midnight.replace(at, 11, "[00:00:00.1");
  CHECK(test::mentions(convert::convert_text(midnight, "file", {}).found, "events within 1108.500000 ms"));
  CHECK(test::fault_of(with("[10:00:00.", "[2024-02-30 10:00:00.")).starts_with("file:1:2: a date is expected, as in '2022-06-21'"));
  CHECK(test::fault_of(with("[10:00:00.", "[0000")).find("print without --clock-cycles") != std::string::npos);
  CHECK(test::fault_of(with("[10:00:00.1", "[10:00:00.0")).find("the time is before that of the event before") != std::string::npos);
}

TEST_CASE("Where publications and takes have the same stamps these tell which message released which job") {
  Ros2Trace trace;
  trace.node(0x10, "sensor").node(0x20, "filter").publisher(0x11, 0x10, "/scan");
  trace.timer(0xA0, 0x10, 100'000'000, 0xA1).subscription(0xB0, 0x20, "/scan", 0xB1);
  // The first message is taken last, and one of another host between them.
  trace.start(1000, 0xA1).stamped(2000, 0x11, 71).end(3000, 0xA1);
  trace.start(101'000, 0xA1).stamped(102'000, 0x11, 72).end(103'000, 0xA1);
  trace.take(110'000, 72).start(110'100, 0xB1).end(111'000, 0xB1);
  trace.take(150'000, 99).start(150'100, 0xB1).end(151'000, 0xB1);
  trace.take(190'000, 71).start(190'100, 0xB1).end(191'000, 0xB1);
  trace.take(290'000, 199).start(290'100, 0xB1).end(291'000, 0xB1);
  const auto converted = convert_trace(trace);
  REQUIRE(converted.recorded.size() == 2);
  CHECK(converted.recorded[0].lengths == std::vector<Time>{Time(190'000'000), Time(10'000'000)});
  CHECK(test::mentions(converted.assumed, "DAG 'filter.scan': 2 of its 4 jobs were released by no callback of the trace"));
  // Their stamps are 100 ns apart, less than their starts.
  CHECK(set_of(converted).dags()[1].period() == Time(100));
}

TEST_CASE("A message may be taken before its publication says its stamp") {
  Ros2Trace trace;
  trace.node(0x10, "sensor").node(0x20, "filter").publisher(0x11, 0x10, "/scan");
  trace.timer(0xA0, 0x10, 100'000'000, 0xA1).subscription(0xB0, 0x20, "/scan", 0xB1);
  trace.start(1000, 0xA1).stamped(2000, 0x11, 71).end(3000, 0xA1);
  trace.take(4000, 71).start(4100, 0xB1).end(5000, 0xB1);
  // On another thread the callback begins between both events of the publication.
  trace.start(101'000, 0xA1).publish(102'000, 0x11);
  trace.on(101).take(102'010, 72).start(102'020, 0xB1);
  trace.on(100).event(102'050, "ros2:rmw_publish", "rmw_publisher_handle = 0x2, message = 0x7F, timestamp = 72").end(103'000, 0xA1);
  trace.on(101).end(104'000, 0xB1);
  const auto converted = convert_trace(trace);
  CHECK(set_of(converted).dags().size() == 1);
  CHECK(converted.recorded[0].lengths == std::vector<Time>{Time(4'000'000)});
}

TEST_CASE("Where publications have no stamps, the time in that of the message tells which one it is") {
  Ros2Trace trace;
  trace.node(0x10, "sensor").node(0x20, "filter").publisher(0x11, 0x10, "/scan");
  trace.timer(0xA0, 0x10, 100'000'000, 0xA1).subscription(0xB0, 0x20, "/scan", 0xB1);
  // The first two messages are lost: nobody was found yet. Stamps count from 1970, in a zone two hours away.
  for (const std::int64_t at : {1000, 101'000, 201'000, 301'000}) {
    trace.start(at, 0xA1).publish(at + 4000, 0x11).end(at + 5000, 0xA1);
    if (at < 201'000) continue;
    trace.take(at + 5400, 1'700'000'000'000'000'000 / 86'400'000'000'000 * 86'400'000'000'000 + 8 * 3'600'000'000'000 + (at + 4010) * 1000);
    trace.start(at + 5500, 0xB1).end(at + 7500, 0xB1);
  }
  const auto converted = convert_trace(trace);
  REQUIRE(converted.recorded.size() == 1);
  CHECK(converted.recorded[0].lengths == std::vector<Time>{Time(5'000'000), Time(5'000'000), Time(7'500'000), Time(7'500'000)});
}

TEST_CASE("A message of no callback is a source: T is the least distance, and of one alone is asked for") {
  Ros2Trace trace;
  trace.node(0x20, "filter").subscription(0xB0, 0x20, "/points", 0xB1);
  trace.start(1000, 0xB1).end(2000, 0xB1);
  CHECK(test::fault_of(trace.text) == "file: DAG 'filter.points' was released once only, which tells no period: give --period TIME");
  trace.start(98'000, 0xB1).end(99'000, 0xB1).start(201'000, 0xB1).end(202'000, 0xB1);
  CHECK(set_of(convert_trace(trace)).dags()[0].period() == Time(97'000'000));
  convert::Options options;
  options.period = Time(100'000'000);
  CHECK(set_of(convert_trace(trace, options)).dags()[0].period() == Time(100'000'000));
}

TEST_CASE("With Linux's scheduler C is without what preempted the callback, and with what it waited for") {
  Ros2Trace trace;
  trace.node(0x10, "sensor").timer(0xA0, 0x10, 100'000'000, 0xA1);
  const auto sched = [&](std::int64_t us, int before, int state, int next) {
    trace.kernel(
        us, "sched_switch",
        fmt::format("prev_comm = \"a\", prev_tid = {}, prev_prio = 20, prev_state = ( \"S\" : container = {} ), next_comm = \"b, {{\", "
                    "next_tid = {}, next_prio = 20",
                    before, state, next));
  };
  // 10 ms on the clock: 1 ms, preempted for 2 ms, 1 ms, asleep for 3 ms, woken and ready for 1 ms, 2 ms.
  trace.start(0, 0xA1);
  sched(1000, 100, 0, 7);
  sched(3000, 7, 1, 100);
  sched(4000, 100, 1, 0);
  trace.kernel(7000, "sched_waking", "comm = \"a\", tid = 100, prio = 20, target_cpu = 1");
  sched(8000, 0, 0, 100);
  trace.end(10'000, 0xA1);
  const auto converted = convert_trace(trace);
  CHECK(C_of(set_of(converted).dags()[0], "sensor.timer") == Time(7'000'000));
  CHECK(test::mentions(converted.assumed, "callbacks waited for 3 ms in all for others than a processor"));
  CHECK(test::mentions(converted.assumed, "without that in which its thread was ready and did not run"));
}

TEST_CASE("Handles of two processes are two things, and messages go between them") {
  Ros2Trace trace;
  trace.node(0x10, "sensor").publisher(0x11, 0x10, "/scan").timer(0xA0, 0x10, 100'000'000, 0xA1);
  trace.of(200).node(0x10, "filter").subscription(0xB0, 0x10, "/scan", 0xA1);
  trace.of(100).start(1000, 0xA1).publish(2000, 0x11).end(3000, 0xA1);
  trace.of(200).start(4000, 0xA1).end(5000, 0xA1);
  const auto converted = convert_trace(trace);
  const TaskSet& set = set_of(converted);
  CHECK(set.pools().size() == 2);
  REQUIRE(set.dags().size() == 1);
  CHECK(test::edges_of(set.dags()[0]) == "sensor.timer -> filter.scan\n");
}

TEST_CASE("A handle that comes back stands for something new") {
  Ros2Trace trace = chain();
  // The subscription goes, and its memory is that of another topic's.
  trace.node(0x20, "late").subscription(0xB0, 0x20, "/map", 0xB1, 200'000);
  trace.text = trace.text.substr(0, trace.text.find("[10:00:00.000000000]", trace.text.find("[10:00:00.1"))) + [&] {
    std::string late = trace.text.substr(trace.text.find("[10:00:00.000000000]", trace.text.find("[10:00:00.1")));
    late.replace(0, 20, "[10:00:00.200000000]");
    return late;
  }();
  trace.start(300'000, 0xB1).end(301'000, 0xB1).start(400'000, 0xB1).end(401'000, 0xB1);
  const auto converted = convert_trace(trace);
  const TaskSet& set = set_of(converted);
  REQUIRE(set.dags().size() == 2);
  CHECK(set.dags()[0].nodes().size() == 2);
  CHECK(C_of(set.dags()[0], "filter.scan") == Time(3'000'000));
  CHECK(set.dags()[1].name() == "late.map");
  CHECK(C_of(set.dags()[1], "late.map") == Time(1'000'000));
}

TEST_CASE("Messages of two callbacks, and two of one job, are nodes of their own, for which the wait-set rule has no theorem") {
  Ros2Trace trace = chain();
  trace.text.clear();
  trace.node(0x10, "sensor").node(0x20, "filter").publisher(0x11, 0x10, "/scan");
  trace.timer(0xA0, 0x10, 100'000'000, 0xA1).timer(0xC0, 0x10, 50'000'000, 0xC1).subscription(0xB0, 0x20, "/scan", 0xB1);
  trace.start(1000, 0xA1).publish(2000, 0x11).publish(2500, 0x11).end(3000, 0xA1);
  trace.start(3100, 0xC1).publish(3200, 0x11).end(4000, 0xC1);
  for (const std::int64_t at : {5000, 7000, 9000}) trace.start(at, 0xB1).end(at + 1000, 0xB1);
  const auto converted = convert_trace(trace);
  const TaskSet& set = set_of(converted);
  REQUIRE(set.dags().size() == 2);
  CHECK(test::edges_of(set.dags()[0]) == "sensor.timer -> filter.scan\nsensor.timer -> filter.scan-2\n");
  CHECK(test::edges_of(set.dags()[1]) == "sensor.timer-2 -> filter.scan\n");
  CHECK(pool_of(set).scheduler == Scheduler::fp);
  CHECK(pool_of(set).equals == Equals::any);
  CHECK(pool_of(set).callbacks);
  CHECK(test::mentions(converted.assumed, "wait in the queue of 'filter.scan', which the theorems of the wait-set rule do not count"));
}

TEST_CASE("A callback that runs twice between two polls is under no wait-set rule") {
  Ros2Trace trace = chain();
  trace.event(250'000, "ros2:rclcpp_executor_wait_for_work", "timeout = -1");
  trace.start(260'000, 0xA1).end(261'000, 0xA1).start(262'000, 0xA1).end(263'000, 0xA1);
  const auto converted = convert_trace(trace);
  CHECK(pool_of(set_of(converted)).scheduler == Scheduler::fp);
  CHECK(test::mentions(converted.assumed, "'sensor.timer' ran 1 times for the second time without a poll between"));
}

TEST_CASE("A callback that its own messages release is a DAG of its own") {
  Ros2Trace trace;
  trace.node(0x10, "ping").node(0x20, "pong").publisher(0x11, 0x10, "/ping").publisher(0x21, 0x20, "/pong");
  trace.subscription(0xA0, 0x10, "/pong", 0xA1).subscription(0xB0, 0x20, "/ping", 0xB1);
  trace.start(500, 0xA1).publish(600, 0x11).end(700, 0xA1);
  for (std::int64_t at = 1000; at < 50'000; at += 10'000) {
    trace.start(at, 0xB1).publish(at + 100, 0x21).end(at + 200, 0xB1);
    trace.start(at + 5000, 0xA1).publish(at + 5100, 0x11).end(at + 5200, 0xA1);
  }
  const auto converted = convert_trace(trace);
  const TaskSet& set = set_of(converted);
  CHECK(test::mentions(converted.assumed, "'ping.pong' leads to itself by its messages"));
  REQUIRE(set.dags().size() == 1);
  CHECK(test::edges_of(set.dags()[0]) == "ping.pong -> pong.ping\n");
  CHECK(set.dags()[0].period() == Time(5'500'000));
}

TEST_CASE("CARET's events tell executors of one thread and their kinds") {
  const auto with = [](const std::string& type, const std::string& version) {
    Ros2Trace trace;
    trace.event(0, "ros2:rcl_init", fmt::format("context_handle = 0x1, version = \"{}\"", version));
    trace.event(0, "ros2_caret:construct_executor", fmt::format("executor_addr = 0xE0, executor_type_name = \"{}\"", type));
    trace.event(0, "ros2_caret:add_callback_group",
                "executor_addr = 0xE0, callback_group_addr = 0xF0, group_type_name = \"mutually_exclusive\"");
    trace.event(0, "ros2_caret:callback_group_add_timer", "callback_group_addr = 0xF0, timer_handle = 0xA0");
    trace.event(0, "ros2_caret:callback_group_add_subscription", "callback_group_addr = 0xF0, subscription_handle = 0xB0");
    trace.text += chain().text;
    return set_of(convert_trace(trace));
  };
  CHECK(pool_of(with("single_threaded_executor", "5.3.0")).scheduler == Scheduler::wait_set);
  CHECK(pool_of(with("events_executor", "9.2.0")).scheduler == Scheduler::fifo);
  CHECK(pool_of(with("events_executor", "9.2.0")).callbacks);
  const auto priorities = [](const TaskSet& set) {
    return std::pair(std::get<CpuDemand>(set.dags()[0].nodes()[0].demand).priority,
                     std::get<CpuDemand>(set.dags()[0].nodes()[1].demand).priority);
  };
  // From Jazzy on subscriptions before timers; before, in a set, where timers are looked at again.
  const TaskSet jazzy = with("static_single_threaded_executor", "9.2.0"), humble = with("static_single_threaded_executor", "5.3.0");
  CHECK(*priorities(jazzy).first < *priorities(jazzy).second);
  CHECK(*priorities(humble).first == *priorities(humble).second);
  CHECK(pool_of(humble).equals == Equals::any);
}

TEST_CASE("A distribution stands for a version of rcl that the trace does not say, and contradicts none") {
  const auto with = [](std::optional<convert::Distribution> distribution, const std::string& version) {
    Ros2Trace trace;
    if (!version.empty()) trace.event(0, "ros2:rcl_init", fmt::format("context_handle = 0x1, version = \"{}\"", version));
    trace.text += chain().text;
    convert::Options options;
    options.distribution = distribution;
    options.executors = {{"p100", convert::ExecutorKind::static_single_threaded}};
    return convert_trace(trace, options);
  };
  const auto steps = [&](std::optional<convert::Distribution> distribution, const std::string& version) {
    const auto nodes = set_of(with(distribution, version)).dags()[0].nodes();
    return *std::get<CpuDemand>(nodes[0].demand).priority < *std::get<CpuDemand>(nodes[1].demand).priority;
  };
  using enum convert::Distribution;
  CHECK(!steps(std::nullopt, ""));
  CHECK(test::mentions(with(std::nullopt, "").assumed, "the order depends on the distribution (--distribution)"));
  CHECK(!steps(humble, ""));
  CHECK(!steps(iron, ""));
  CHECK(steps(jazzy, ""));
  CHECK(steps(rolling, ""));
  CHECK(steps(rolling, "9.2.0"));
  CHECK_THROWS_AS((void)with(humble, "9.2.0"), UserError);
  CHECK_THROWS_AS((void)with(jazzy, "5.3.0"), UserError);
  CHECK(with(jazzy, "9.2.0").without_effect.size() == 1);
}

TEST_CASE("Callback groups of CARET are those of an executor of several threads, by way of collectors from Jazzy on") {
  Ros2Trace trace;
  trace.event(0, "ros2_caret:construct_executor", "executor_addr = 0xE0, executor_type_name = \"multi_threaded_executor\"");
  trace.event(0, "ros2_caret:callback_group_to_executor_entity_collector",
              "entities_collector_addr = 0xC0, callback_group_addr = 0xF0, group_type_name = \"reentrant\"");
  trace.event(0, "ros2_caret:callback_group_to_executor_entity_collector",
              "entities_collector_addr = 0xC0, callback_group_addr = 0xF1, group_type_name = \"mutually_exclusive\"");
  trace.event(0, "ros2_caret:executor_entity_collector_to_executor", "executor_addr = 0xE0, entities_collector_addr = 0xC0");
  trace.event(0, "ros2_caret:callback_group_add_timer", "callback_group_addr = 0xF0, timer_handle = 0xA0");
  trace.event(0, "ros2_caret:callback_group_add_subscription", "callback_group_addr = 0xF1, subscription_handle = 0xB0");
  trace.text += chain().text;
  const auto converted = convert_trace(trace);
  const TaskSet& set = set_of(converted);
  CHECK(pool_of(set).scheduler == Scheduler::multi_threaded);
  CHECK(test::node_of(set.dags()[0], "sensor.timer").group == "reentrant");
  CHECK(test::node_of(set.dags()[0], "filter.scan").group == "filter");
}

TEST_CASE("Callbacks of several threads are an executor of so many, or of as many as are said") {
  Ros2Trace trace = chain();
  trace.on(101).start(250'000, 0xA1).end(251'000, 0xA1);
  const auto converted = convert_trace(trace);
  CHECK(pool_of(set_of(converted)).processors == 2);
  convert::Options options;
  options.processors = {{"", 4}};
  CHECK(pool_of(set_of(convert_trace(trace, options))).processors == 4);
  options.processors = {{"", 1}};
  CHECK(test::fault_of(trace.text, options).find("ran callbacks on 2 threads, so that it has no fewer") != std::string::npos);
}

TEST_CASE("Callbacks of which the initialisation is not in the trace, jobs that are cut off and lost events are told") {
  Ros2Trace trace = chain();
  trace.on(300).end(260'000, 0xB1);
  trace.on(100).start(270'000, 0xA1);
  trace.text += "WARNING: Tracer discarded 12 events between [10:00:00.2] and [10:00:00.3] in trace \"a\".\n";
  trace.start(280'000, 0xDD).end(281'000, 0xDD).start(290'000, 0xDD).end(291'000, 0xDD);
  const auto converted = convert_trace(trace);
  CHECK(test::mentions(converted.assumed, "'callback': nothing tells what this callback is for"));
  CHECK(test::mentions(converted.assumed, "1 jobs that had begun before the trace are left out"));
  CHECK(C_of(set_of(converted).dags()[0], "sensor.timer") == Time(5'000'000));
  REQUIRE(converted.warnings.size() == 1);
  CHECK(converted.warnings[0].message.starts_with("the tracer lost events in 1 places"));
}

TEST_CASE("Messages of a publisher of which the initialisation is not in the trace are told") {
  Ros2Trace trace = chain();
  trace.text.erase(trace.text.find("[10:00:00.000000000] (+0.000001000) robot ros2:rcl_publisher_init"),
                   trace.text.find('\n', trace.text.find("rcl_publisher_init")) + 1 -
                       trace.text.find("[10:00:00.000000000] (+0.000001000) robot ros2:rcl_publisher_init"));
  const auto converted = convert_trace(trace);
  CHECK(set_of(converted).dags().size() == 2);
  CHECK(test::mentions(converted.assumed, "'sensor.timer' publishes on a topic that the trace does not name"));
}

TEST_CASE("Parameters are told and left out, and a trace without callbacks is refused") {
  Ros2Trace trace = chain();
  trace.subscription(0xD0, 0x20, "/parameter_events", 0xD1, 200'000).start(210'000, 0xD1).end(210'100, 0xD1);
  const auto converted = convert_trace(trace);
  CHECK(set_of(converted).dags().size() == 1);
  CHECK(test::mentions(converted.assumed, "topic '/parameter_events', 100 us in all IS LEFT OUT"));
  Ros2Trace none;
  none.node(0x10, "sensor");
  CHECK(test::fault_of(none.text).starts_with("file: no callback ran in the trace (1 events)"));
}

TEST_CASE("What is damaged is refused with its place") {
  const std::string text = chain().text;
  const std::size_t last = text.rfind("[10");
  CHECK(test::fault_of(text.substr(0, text.size() - 6)).find(": the event is cut off in the middle of its fields") != std::string::npos);
  CHECK(test::fault_of(text.substr(0, last + 50)).find(": the event is cut off: no `{` with its fields follows") != std::string::npos);
  Ros2Trace trace;
  trace.kernel(0, "ros2:callback_start", "callback = 0x1");
  CHECK(test::fault_of(trace.text).find("does not say in which process it was: record with the contexts vpid and vtid") !=
        std::string::npos);
  Ros2Trace without;
  without.event(0, "ros2:callback_start", "is_intra_process = 0");
  CHECK(test::fault_of(without.text) == "file:1:1: event 'ros2:callback_start' has no field 'callback'");
  Ros2Trace word;
  word.event(0, "ros2:callback_start", "callback = here");
  CHECK(test::fault_of(word.text).find("field 'callback': a number is expected, not 'here'") != std::string::npos);
  CHECK(test::fault_of("timestamp = 10:00:00.0, name = ros2:callback_start, event.fields = { }\n" + text).find("without --names") !=
        std::string::npos);
}

TEST_CASE("A damaged trace is converted or refused, and nothing else") {
  const std::string text = chain().text;
  std::mt19937_64 draw(7);
  std::size_t refused = 0, converted = 0;
  convert::Options options;
  options.from = convert::Kind::ros2;
  options.period = Time(100'000'000);
  for (int i = 0; i < 4000; ++i) {
    std::string damaged = text;
    for (std::size_t n = 1 + draw() % 3; n > 0; --n) {
      const std::size_t at = draw() % damaged.size();
      switch (draw() % 5) {
        case 0: damaged[at] = static_cast<char>(draw() % 256); break;
        case 1: damaged.erase(at, 1 + draw() % 200); break;
        case 2: damaged.resize(at + 1); break;
        case 3: damaged.insert(at, damaged.substr(draw() % damaged.size(), draw() % 300)); break;
        default: damaged[at] = "0123456789AF{}[]()\",= :x"[draw() % 24];
      }
    }
    try {
      (void)convert::convert_text(damaged, "file", options);
      ++converted;
    } catch (const UserError&) {
      ++refused;
    }
  }
  CHECK(converted > 200);
  CHECK(refused > 1000);
}

TEST_CASE("The sample of CARET's demos has the times that were read from it before, to the ns") {
  const std::string path = std::string(RTA_SOURCE_DIR) + "/tasksets/imports/end-to-end-sample.txt.gz";
  const auto converted = convert::convert(path, {});
  const std::map<std::string, std::pair<int, std::int64_t>> reference{
      {"sensor_dummy_node.timer", {49, 50'160'774}},    {"drive_node.timer", {49, 50'196'382}},
      {"timer_driven_node.timer", {49, 45'203'701}},    {"filter_node.topic1", {49, 75'196'642}},
      {"message_driven_node.topic2", {48, 45'146'583}}, {"message_driven_node.drive", {49, 45'184'896}},
      {"timer_driven_node.topic3", {41, 45'134'118}},   {"actuator_dummy_node.topic4", {47, 80'136'029}}};
  std::size_t nodes = 0;
  for (const Dag& dag : set_of(converted).dags()) {
    CHECK(dag.period() == Time(100'000'000));
    for (const Node& node : dag.nodes()) {
      ++nodes;
      REQUIRE(reference.contains(node.name));
      CHECK(std::get<CpuDemand>(node.demand).C == Time(reference.at(node.name).second));
      CHECK(test::mentions(converted.found, fmt::format("'{}' is the ", node.name)));
      CHECK(test::mentions(converted.found, fmt::format(": {} whole jobs of ", reference.at(node.name).first)));
    }
  }
  CHECK(nodes == reference.size());
  CHECK(test::node_of(set_of(converted).dags()[1], "sensor_dummy_node.timer").variation->least == Time(20'130'534));
  CHECK(pool_of(set_of(converted)).processors == 12);
  CHECK(test::mentions(converted.found, "333 messages were followed from publication to callback (by their stamps)"));
}
