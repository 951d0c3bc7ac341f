// What `rta record` writes of a CUDA program: every kind of line, written, read back, and refused where it is none.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "rta/io/diagnostic.hpp"
#include "rta/trace/reader.hpp"

using namespace rta;
using namespace rta::trace;

namespace {

const std::string header = "{\"schema\": 1, \"kind\": \"trace\", \"source\": \"recording\", \"task_set\": \"\"}\n";

Activity read(const std::string& line) {
  std::istringstream in(header + line + "\n");
  Reader reader(in, "t");
  return std::get<Activity>(*reader.next());
}
std::string fault(const std::string& line) {
  try {
    (void)read(line);
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "none";
}

struct Example {
  Activity activity;
  std::string line;
};

std::vector<Example> examples() {
  const Origin origin{11, 0, 1, 13, 77, std::nullopt, std::nullopt};
  Origin of_graph = origin;
  of_graph.graph = 5;
  of_graph.graph_node = 4'294'967'297;
  DeviceLimits limits;
  limits.product = "NVIDIA \"H200\"";
  limits.compute_capability = "9.0";
  limits.sms = 132;
  limits.shared_per_sm = 233472;
  limits.shared_per_block = 49152;
  limits.copy_engines = 3;
  limits.clock_khz = 1980000;
  return {
      {ProcessActivity{11, 10, "/bin/a b"}, R"({"t": "process", "process": 11, "parent": 10, "program": "/bin/a b"})"},
      {DeviceActivity{11, 0, "GPU-1", limits},
       R"({"t": "device", "process": 11, "device": 0, "name": "NVIDIA \"H200\"", "uuid": "GPU-1", "compute_capability": "9.0", "sms": 132, )"
       R"("threads_per_sm": 2048, "threads_per_block": 1024, "blocks_per_sm": 32, "shared_per_sm": 233472, "shared_per_block": 49152, )"
       R"("registers_per_sm": 65536, "copy_engines": 3, "clock_khz": 1980000})"},
      {ContextActivity{11, 1, 0, 7}, R"({"t": "context", "process": 11, "context": 1, "device": 0, "null_stream": 7})"},
      {StreamActivity{11, 1, 13, -5, StreamKind::non_blocking},
       R"({"t": "stream", "process": 11, "context": 1, "stream": 13, "priority": -5, "kind": "non_blocking"})"},
      {KernelActivity{"_Z1kPi", origin, Time(10), Time(30), {2, 3, 4}, {32, 1, 1}, {}, 24, 16, 1024, LaunchKind::regular},
       R"({"t": "kernel", "name": "_Z1kPi", "process": 11, "device": 0, "context": 1, "stream": 13, "correlation": 77, "start_ns": 10, )"
       R"("end_ns": 30, "grid": [2, 3, 4], "block": [32, 1, 1], "registers": 24, "static_shared": 16, "dynamic_shared": 1024, )"
       R"("launch": "regular"})"},
      {KernelActivity{"k", of_graph, Time(-10), Time(-10), {1, 1, 1}, {1, 1, 1}, {2, 1, 1}, 0, 0, 0, LaunchKind::cooperative},
       R"({"t": "kernel", "name": "k", "process": 11, "device": 0, "context": 1, "stream": 13, "correlation": 77, "graph": 5, )"
       R"("graph_node": 4294967297, "start_ns": -10, "end_ns": -10, "grid": [1, 1, 1], "block": [1, 1, 1], "cluster": [2, 1, 1], )"
       R"("registers": 0, "static_shared": 0, "dynamic_shared": 0, "launch": "cooperative"})"},
      {TransferActivity{CopyDirection::h2d, MemoryKind::pageable, MemoryKind::device, 4096, true, origin, Time(1), Time(2)},
       R"({"t": "memcpy", "direction": "h2d", "from": "pageable", "to": "device", "bytes": 4096, "async": true, "process": 11, )"
       R"("device": 0, "context": 1, "stream": 13, "correlation": 77, "start_ns": 1, "end_ns": 2})"},
      {MemsetActivity{MemoryKind::device, 64, false, origin, Time(1), Time(2)},
       R"({"t": "memset", "to": "device", "bytes": 64, "async": false, "process": 11, "device": 0, "context": 1, "stream": 13, )"
       R"("correlation": 77, "start_ns": 1, "end_ns": 2})"},
      {CallActivity{CallInterface::driver, "cuLaunchKernel", 11, 12, 77, Time(3), Time(9), 700},
       R"({"t": "call", "api": "driver", "name": "cuLaunchKernel", "process": 11, "thread": 12, "correlation": 77, "start_ns": 3, )"
       R"("end_ns": 9, "result": 700})"},
      {SynchronizationActivity{SynchronizationKind::wait_event, 11, 1, 13, 2, 99, 78, Time(3), Time(3)},
       R"({"t": "sync", "kind": "wait_event", "process": 11, "context": 1, "stream": 13, "event": 2, "record": 99, "correlation": 78, )"
       R"("start_ns": 3, "end_ns": 3})"},
      {SynchronizationActivity{SynchronizationKind::context, 11, 1, {}, {}, {}, 78, Time(3), Time(4)},
       R"({"t": "sync", "kind": "context", "process": 11, "context": 1, "correlation": 78, "start_ns": 3, "end_ns": 4})"},
      {EventActivity{11, 1, 13, 2, {}, 79}, R"({"t": "event", "process": 11, "context": 1, "stream": 13, "event": 2, "correlation": 79})"},
      {RangeActivity{"rta: job cam", "", 11, 12, 13, Time(0), Time(5)},
       R"({"t": "range", "name": "rta: job cam", "domain": "", "process": 11, "thread": 12, "end_thread": 13, "start_ns": 0, "end_ns": 5})"},
      {MarkActivity{"m", "d", 11, 12, Time(4)}, R"({"t": "mark", "name": "m", "domain": "d", "process": 11, "thread": 12, "at_ns": 4})"},
      {OverheadActivity{"buffer_flush", 11, {}, Time(4), Time(6)},
       R"({"t": "overhead", "kind": "buffer_flush", "process": 11, "start_ns": 4, "end_ns": 6})"},
      {OverheadActivity{"instrumentation", 11, 12, Time(4), Time(6)},
       R"({"t": "overhead", "kind": "instrumentation", "process": 11, "thread": 12, "start_ns": 4, "end_ns": 6})"},
  };
}

}  // namespace

TEST_CASE("every activity is written as its line") {
  for (const Example& example : examples()) CHECK(line_of(example.activity) == example.line);
}

TEST_CASE("every activity reads back equal") {
  for (const Example& example : examples()) {
    INFO(example.line);
    CHECK(read(example.line) == example.activity);
  }
}

TEST_CASE("what rta writes has no field that is not known, and any other is counted") {
  std::string text = header;
  for (const Example& example : examples()) text += example.line + "\n";
  const std::string end = "{\"t\": \"end\", \"complete\": true, \"lost_records\": 0, \"valid\": true}\n";
  const auto unknown = [&](const std::string& more) {
    std::istringstream in(text + more + end);
    Reader reader(in, "t");
    while (reader.next()) {
    }
    return reader.unknown_fields();
  };
  CHECK(unknown("").empty());
  const std::string mark = R"({"t": "mark", "name": "m", "domain": "d", "process": 11, "thread": 12, "at_ns": 4, "novelty": 1})";
  CHECK(unknown(mark + "\n" + mark + "\n") == Reader::UnknownFields{{{"mark", "novelty"}, 2}});
  // Alike in number, and not in names.
  CHECK(unknown(R"({"t": "context", "process": 11, "context": 1, "device": 0, "null_stream": 7, "stream": 3})"
                "\n") == Reader::UnknownFields{{{"context", "stream"}, 1}});
}

TEST_CASE("a line that lacks any of its members, or has it of another kind, is refused with its place") {
  for (const Example& example : examples()) {
    const auto line = nlohmann::ordered_json::parse(example.line);
    for (const auto& member : line.items()) {
      const std::string& key = member.key();
      INFO(example.line << " without " << key);
      auto broken = line;
      broken[key] = nlohmann::ordered_json::object();
      if (key == "t") {
        CHECK(fault(broken.dump()) == "t:2:1: 't' must be a string");
        continue;
      }
      CHECK(fault(broken.dump()).starts_with("t:2:1: '" + key + "' must be "));
      broken.erase(key);
      const bool optional = key == "graph" || key == "graph_node" || key == "cluster" || key == "record" ||
                            (line["t"] == "sync" && (key == "stream" || key == "event")) || (line["t"] == "overhead" && key == "thread");
      CHECK(fault(broken.dump()) == (optional ? "none" : "t:2:1: '" + key + "' is missing"));
    }
  }
}

TEST_CASE("numbers out of range, unknown words and ends before starts are refused") {
  const auto changed = [](const char* from, const char* to) {
    std::string line = R"({"t": "stream", "process": 1, "context": 1, "stream": 13, "priority": -5, "kind": "blocking"})";
    line.replace(line.find(from), std::string(from).size(), to);
    return fault(line);
  };
  CHECK(changed("-5", "2147483647") == "none");
  CHECK(changed("-5", "-2147483648") == "none");
  CHECK(changed("-5", "-2147483649") == "t:2:1: 'priority' must be a whole number of 32 bits");
  CHECK(changed("-5", "18446744073709551615") == "t:2:1: 'priority' must be a whole number of 32 bits");
  CHECK(changed("13", "4294967296") == "t:2:1: 'stream' must be a whole number from 0 to 4294967295");
  CHECK(changed("\"blocking\"", "\"lazy\"") == "t:2:1: 'kind' must be one of unknown, blocking, non_blocking, null");
  CHECK(fault(R"({"t": "range", "name": "", "domain": "", "process": 1, "thread": 1, "end_thread": 1, "start_ns": 5, "end_ns": 4})") ==
        "t:2:1: 'end_ns' is before 'start_ns'");
  CHECK(fault(R"({"t": "nothing"})") == "t:2:1: 't': no record is called 'nothing'");
}
