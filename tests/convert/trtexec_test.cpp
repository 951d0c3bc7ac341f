// Times that trtexec of TensorRT exports.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "conversion.hpp"

using namespace rta;

namespace {

// Two layers; six digits are shown, so that the second one took up to 0.0123455 ms.
const std::string layers = R"([
  { "count" : 100 }
, { "name" : "conv1 + relu", "timeMs" : 125, "averageMs" : 1.25, "medianMs" : 1.24, "percentage" : 99 }
, { "name" : "conv1 + relu", "timeMs" : 1.23, "averageMs" : 0.0123, "medianMs" : 0.012345, "percentage" : 1 }
]
)";

// Two inferences. Enqueueing takes 0.5 ms and 0.25 ms (each instant is known to half a unit of the sixth digit: 5 ns and 5 ns, 500 ns
// and 500 ns), copies in 0.125 ms, computing 3.5 ms and 4.5 ms (and 5 ns), and nothing is copied back.
const std::string times = R"([
  { "startEnqMs" : 1.25, "endEnqMs" : 1.75, "startH2dMs" : 1.5, "endH2dMs" : 1.625, "startComputeMs" : 2, "endComputeMs" : 5.5, "startD2hMs" : 5.5, "endD2hMs" : 5.5, "h2dMs" : 0.125, "computeMs" : 3.5, "d2hMs" : 0, "latencyMs" : 3.625 }
, { "startEnqMs" : 500.25, "endEnqMs" : 500.5, "startH2dMs" : 500.5, "endH2dMs" : 500.625, "startComputeMs" : 501, "endComputeMs" : 505.5, "startD2hMs" : 505.5, "endD2hMs" : 505.5, "h2dMs" : 0.125, "computeMs" : 4.5, "d2hMs" : 0, "latencyMs" : 4.625 }
]
)";

convert::Options options() {
  convert::Options out;
  out.period = Time(33'000'000);
  out.device = "orin";
  return out;
}

}  // namespace

// 1.25 ms and half a unit of its sixth digit, 5 ns; 0.012345 ms and 0.05 ns: rounded up, 12346 ns.
TEST_CASE("Layers of trtexec are a chain of kernels by their times; averages are said to be no worst case") {
  CHECK(convert::recognise(layers) == convert::Kind::trtexec);
  const auto converted = convert::convert_text(layers, "net.json", options());
  CHECK(io::format_task_set(std::get<TaskSet>(converted.content)) == R"(platform:
  gpu: {device: orin}
dags:
  - name: net
    T: 33 ms
    nodes:
      "conv1_+_relu": {on: gpu, time: 1250005 ns, sequential: true}
      "conv1_+_relu-2": {on: gpu, time: 12346 ns, sequential: true}
    edges:
      - "conv1_+_relu -> conv1_+_relu-2"
)");
  CHECK(test::mentions(converted.assumed, "AVERAGE of what it took, or the median where that is larger, and NO WORST CASE"));
  CHECK(test::mentions(converted.assumed, "Where other work on that GPU may come between the kernels of one, NO BOUND COVERS THAT"));
  CHECK(test::mentions(converted.assumed, "the file does not say which priorities streams have: all have one, the lowest"));
  const std::string missing = test::fault_of(layers);
  CHECK(missing.find("trtexec does not say how often inferences are asked for: give --period TIME") != std::string::npos);
  CHECK(missing.find("the file does not say how many SMs and threads GPU 0 has: give --device NAME (one of tx1, ") != std::string::npos);
}

TEST_CASE("Inferences of trtexec become their longest parts") {
  CHECK(convert::recognise(times) == convert::Kind::trtexec);
  convert::Options chosen = options();
  chosen.processors = {{"", 1}};
  const auto converted = convert::convert_text(times, "net.json", chosen);
  const Dag& dag = std::get<TaskSet>(converted.content).dags().front();
  CHECK(test::edges_of(dag) == "enqueue -> copy-h2d\ncopy-h2d -> compute\ncompute -> gaps\n");
  // The longest is 0.5 ms + 5 ns + 5 ns; of the other one, 0.25 ms + 500 ns + 500 ns.
  CHECK(std::get<CpuDemand>(test::node_of(dag, "enqueue").demand).C == Time(500'010));
  CHECK(test::node_of(dag, "enqueue").variation->least == Time(251'000));
  CHECK(std::get<CopyDemand>(test::node_of(dag, "copy-h2d").demand).C == Time(125'001));
  CHECK(std::get<GpuDemand>(test::node_of(dag, "compute").demand).time == Time(4'500'005));
  CHECK(test::node_of(dag, "compute").variation->least == Time(3'500'005));
  CHECK(test::mentions(converted.assumed, "C, and time of 'compute', is the longest time of 2 inferences"));
  // Of the two, the second: from 500.25 ms to 505.5 ms, both with 500 ns that are left open; the parts here are 500,010 + 125,001 +
  // 4,500,005 together.
  REQUIRE(converted.recorded.size() == 1);
  CHECK(converted.recorded.front().length == Time(5'251'000));
  CHECK(std::get<CpuDemand>(test::node_of(dag, "gaps").demand).C == Time(125'984));
  CHECK(test::mentions(converted.assumed, "node 'gaps' of 125984 ns stands for the pauses between the parts of an inference"));
  CHECK(converted.recorded.front().kernels == Time(4'500'005));
  CHECK(test::fault_of(times, options()).find("give --processors N") != std::string::npos);
  // Older versions call the copies so, and have no enqueueing.
  const TaskSet old = test::converted(
      R"([ { "startInMs" : 1, "endInMs" : 1.5, "startComputeMs" : 2, "endComputeMs" : 3, "inMs" : 0.5, "computeMs" : 1, "outMs" : 0.25 } ])",
      chosen);
  // From 1 to 3 ms, and 0.25 ms: 0.5 ms more than the parts.
  CHECK(test::edges_of(old.dags().front()) == "copy-h2d -> compute\ncompute -> copy-d2h\ncopy-d2h -> gaps\n");
}

// Six digits of 12345.6 ms leave 0.05 ms open to either side.
TEST_CASE("Instants of trtexec that read the same are apart by what their digits leave open") {
  convert::Options chosen = options();
  chosen.from = convert::Kind::trtexec;
  chosen.processors = {{"", 1}};
  const TaskSet set = test::converted(
      R"([ { "startEnqMs" : 12345.6, "endEnqMs" : 12345.6, "startComputeMs" : 12345.6, "endComputeMs" : 12345.6, "h2dMs" : 0 } ])", chosen);
  const Dag& dag = set.dags().front();
  CHECK(test::edges_of(dag) == "enqueue -> compute\n");
  CHECK(std::get<CpuDemand>(test::node_of(dag, "enqueue").demand).C == Time(100'000));
  CHECK(std::get<GpuDemand>(test::node_of(dag, "compute").demand).time == Time(100'000));
}

TEST_CASE("Broken exports of trtexec are refused with their place, and unknown keys told") {
  const auto fault = [](const std::string& text) {
    convert::Options chosen = options();
    chosen.from = convert::Kind::trtexec;
    return test::fault_of(text, chosen);
  };
  CHECK(fault("[]") == "file: neither a layer nor an inference is in the file");
  CHECK(fault("[{\"count\": 1},\n {\"name\": \"a\", \"averageMs\": -1}]").find("file:2:2: 'averageMs' must be a time in ms, at least 0") ==
        0);
  CHECK(fault("[{\"name\": \"a\", \"averageMs\": \"1\"}]").find("'averageMs' must be a time in ms") != std::string::npos);
  CHECK(fault("[{\"name\": \"a\", \"averageMs\": 1e12}]").find("below 10^12") != std::string::npos);
  CHECK(fault("[{\"name\": \"a\", \"timeMs\": 1}]").find("file:1:2: the layer has no averageMs") == 0);
  CHECK(fault("[{\"count\": 0}, {\"name\": \"a\", \"timeMs\": 1}]").find("'count' must be a whole number of inferences") !=
        std::string::npos);
  CHECK(fault("[{\"name\": \"a\"}]").find("a layer with averageMs, or an inference with computeMs, is expected") != std::string::npos);
  CHECK(fault("[{\"name\": \"a\", \"averageMs\": 1}, {\"computeMs\": 1}]").find("layers and inferences are in one file") !=
        std::string::npos);
  CHECK(fault("[{\"startComputeMs\": 2, \"endComputeMs\": 1}]").find("'endComputeMs' is before 'startComputeMs'") != std::string::npos);
  CHECK(fault("[{\"startComputeMs\": 2}]").find("the inference has no computeMs") != std::string::npos);
  CHECK(fault("[{\"a\": " + std::string(100, '[')).find("nest more than 64 deep") != std::string::npos);
  CHECK(fault("[{\"averageMs\": }]").find("file:1:16: not JSON") == 0);
  const auto told = convert::convert_text("[{\"name\": \"a\", \"averageMs\": 1, \"novelty\": 3}]", "file", options());
  CHECK(test::mentions(told.assumed, "key of a layer 'novelty' IS LEFT OUT"));
  // The sum over what was run: 3 ms of 3 inferences.
  CHECK(std::get<GpuDemand>(
            test::converted("[{\"count\": 3}, {\"name\": \"a\", \"timeMs\": 3, \"percentage\": 1, \"averageMs\": 1}]", options())
                .dags()
                .front()
                .nodes()
                .front()
                .demand)
            .time == Time(1'000'005));
}

namespace {

// An inference: enqueued in 0.1 ms, copied in 0.2 ms, a pause, computed in 1 ms, copied back in 0.1 ms. `at` and `pause` are ms.
std::string inference(double at, double pause, double compute = 1) {
  const auto after = [&](double ms) { return fmt::format("{:.1f}", at + ms); };
  return fmt::format(R"({{"startEnqMs": {}, "endEnqMs": {}, "startH2dMs": {}, "endH2dMs": {}, "startComputeMs": {}, "endComputeMs": {}, )"
                     R"("startD2hMs": {}, "endD2hMs": {}, "h2dMs": 0.2, "computeMs": {}, "d2hMs": 0.1}})",
                     after(0), after(0.1), after(0.1), after(0.3), after(pause + 0.3), after(pause + 1.3), after(pause + 1.3),
                     after(pause + 1.4), compute);
}
std::int64_t path_of(const TaskSet& set) {
  std::int64_t sum = 0;
  for (const Node& node : set.dags().front().nodes()) sum += longest_piece(node).count();
  return sum;
}
convert::Options of_inferences() {
  convert::Options out = options();
  out.from = convert::Kind::trtexec;
  out.processors = {{"", 1}};
  return out;
}

}  // namespace

// The third inference took 10 .. 14.4 ms: 4.4 ms and half a unit of the sixth digit of each, 50 ns. With another one before it on the
// GPU, or nothing at all.
TEST_CASE("Pauses within an inference of trtexec are part of its job") {
  const auto paused =
      convert::convert_text("[" + inference(0, 0) + "," + inference(5, 0.5) + "," + inference(10, 3) + "]", "file", of_inferences());
  REQUIRE(paused.recorded.size() == 1);
  CHECK(paused.recorded.front().length == Time(4'400'100));
  CHECK(path_of(std::get<TaskSet>(paused.content)) == 4'400'100);
  // 99 % of 3 inferences are 3; half of them are 2: 5 .. 6.9 ms, and what was left out is told by the comparison with all.
  convert::Options half = of_inferences();
  half.percentile = 500'000;
  const auto trimmed = convert::convert_text("[" + inference(0, 0) + "," + inference(5, 0.5) + "," + inference(10, 3) + "]", "file", half);
  CHECK(path_of(std::get<TaskSet>(trimmed.content)) == 1'900'010);
  CHECK(trimmed.recorded.front().length == Time(4'400'100));
  // Without pauses there is nothing to add.
  CHECK(test::edges_of(test::converted("[" + inference(0, 0) + "]", of_inferences()).dags().front()).find("gaps") == std::string::npos);
  // Lengths alone tell no pauses.
  const auto alone = convert::convert_text(R"([{"h2dMs": 0.5, "computeMs": 1}])", "file", of_inferences());
  CHECK(path_of(std::get<TaskSet>(alone.content)) == alone.recorded.front().length.count());
  CHECK(test::mentions(alone.assumed,
                       "of 1 inferences the file does not say when each part ran: pauses before and after these ARE NOT KNOWN"));
  CHECK(!test::mentions(paused.assumed, "ARE NOT KNOWN"));
}

TEST_CASE("Fields of an inference of trtexec that contradict one another are refused") {
  CHECK(test::fault_of("[" + inference(0, 0) + ",\n" + inference(2, 0, 2) + "]", of_inferences())
            .find("file:2:1: 'computeMs' is 2 ms, but from 'startComputeMs' to 'endComputeMs' it is 1 ms: trtexec writes the same") == 0);
  CHECK(test::fault_of(R"([{"startInMs": 1, "endInMs": 1.5, "inMs": 1, "computeMs": 1}])", of_inferences())
            .find("'inMs' is 1 ms, but from 'startInMs' to 'endInMs' it is 500 us") != std::string::npos);
  // Six digits of 505.001 and 505.002 leave 0.5 us open each: 1 us may be 2, and is not 2.1.
  const auto of = [](const char* length) {
    return test::fault_of(fmt::format(R"([{{"startComputeMs": 505.001, "endComputeMs": 505.002, "computeMs": {}}}])", length),
                          of_inferences());
  };
  CHECK(of("0.002") == "converted");
  CHECK(of("0.0021").find("'computeMs' is 2100 ns, but from 'startComputeMs' to 'endComputeMs' it is 1 us") != std::string::npos);
}
