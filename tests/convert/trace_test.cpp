// Traces of rta itself.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "conversion.hpp"

using namespace rta;

namespace {

const std::string header = R"({"schema": 1, "kind": "trace", "source": "simulation", "task_set": "a.yaml", "release": "completion"})";

// Two jobs of DAG d, 100 apart: a runs in two pieces of 3 and 4, then b on the GPU with two blocks, then c is copied.
std::string lines(const std::string& release = "completion") {
  std::string text = R"({"schema": 1, "kind": "trace", "source": "simulation", "task_set": "a.yaml", "release": ")" + release + "\"}\n";
  for (int j = 0; j < 2; ++j) {
    const auto at = [&](int t) { return std::to_string(100 * j + t); };
    const std::string of = R"("dag": "d", "node": )";
    const std::string job = R"(, "job": )" + std::to_string(j);
    const auto piece = [&](const char* kind, const char* node, const char* more, int start, int end) {
      text +=
          fmt::format(R"({{"t": "{}", {}"{}"{}{}, "start_ns": {}, "end_ns": {}}})", kind, of, node, job, more, at(start), at(end)) + "\n";
    };
    const auto ended = [&](const char* node, int release_at, int start, int end) {
      text += fmt::format(R"({{"t": "job", {}"{}"{}, "release_ns": {}, "start_ns": {}, "end_ns": {}}})", of, node, job, at(release_at),
                          at(start), at(end)) +
              "\n";
    };
    piece("run", "a", R"(, "cpu": 0)", 0, 3);
    piece("run", "a", R"(, "cpu": 1)", 5, 9 + j);
    ended("a", 0, 0, 9 + j);
    piece("block", "b", R"(, "block": 0, "sm": 0)", 10, 20);
    piece("block", "b", R"(, "block": 1, "sm": 1)", 10, 22);
    ended("b", 9 + j, 10, 22);
    piece("copy", "c", R"(, "engine": 0)", 22, 25);
    ended("c", 22, 22, 25);
    text += R"({"t": "dag", "dag": "d")" + job + R"(, "release_ns": )" + at(0) + R"(, "end_ns": )" + at(25) + "}\n";
  }
  return text + R"({"t": "end", "complete": true, "lost_records": 0})" + "\n";
}

convert::Options options() {
  convert::Options out;
  out.processors = {{"", 2}};
  out.device = "tx2";
  out.threads_per_block = 64;
  out.copy_engines = 1;
  return out;
}

}  // namespace

TEST_CASE("A trace becomes a task set of what was observed, with the edges that releases show") {
  const auto result = convert::convert_text(lines(), "t.jsonl", options());
  CHECK(io::format_task_set(std::get<TaskSet>(result.content)) == R"(platform:
  copy: {engines: 1}
  cpu: {processors: 2, scheduler: G-EDF}
  gpu: {device: tx2}
dags:
  - name: d
    T: 100 ns
    nodes:
      a: {on: cpu, C: {max: 8 ns, min: 7 ns, mode: 7 ns}}
      b: {on: gpu, B: 2, H: 64, L: {max: 12 ns, min: 10 ns, mode: 11 ns}}
      c: {on: copy, C: 3 ns}
    edges:
      - a -> b -> c
)");
  CHECK(test::mentions(result.assumed, "T is the least distance of releases that was seen, 100 ns"));
  CHECK(test::mentions(convert::convert_text(lines("offsets"), "t.jsonl", options()).assumed, "EDGES ARE MISSING"));
}

TEST_CASE("What a trace does not say is asked for") {
  const std::string fault = test::fault_of(lines());
  for (const char* option : {"--processors N", "--device NAME", "--threads-per-block N", "--copy-engines 1 or 2"})
    CHECK(fault.find(option) != std::string::npos);
}

TEST_CASE("Broken traces are refused with their line") {
  CHECK(test::fault_of(header + "\n{\"t\": \"job\"}\n", options()).find("file:2:1: 'dag' is missing") == 0);
  CHECK(test::fault_of(header + "\n", options()) == "file: there is nothing in it that a DAG could be made of");
  CHECK(test::fault_of(
            header + "\n" + R"({"t": "job", "dag": "d", "node": "a", "job": 0, "release_ns": 0, "start_ns": 0, "end_ns": 5})" + "\n",
            options())
            .find("traces with blocks, copies and runs are needed") != std::string::npos);
  const std::string chrome =
      R"({"displayTimeUnit": "ns", "traceEvents": [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "DAGs"}},)";
  CHECK(test::fault_of(chrome + R"({"ph": "X", "name": "a", "cat": "d", "pid": 9, "tid": 1, "ts": 0, "dur": 1, "args": {"job": 0}}]})",
                       options())
            .find("is no pool of the trace") != std::string::npos);
  CHECK(test::fault_of(chrome + R"({"ph": "e", "name": "d", "cat": "dag", "id": "0:0", "pid": 1, "ts": 0}]})", options())
            .find("a job ends that has not begun") != std::string::npos);
}
