// The table of what each reader reads, tells and refuses; and a file with something unknown of every kind through every reader.
#include "rta/convert/reading.hpp"

#include <doctest/doctest.h>

#include <set>

#include "conversion.hpp"

using namespace rta;
using convert::Fate;
using convert::Kind;

TEST_CASE("Each part of a file has a row for what is not known, and that row is not silent where it may hold times") {
  for (const convert::KindName& kind : convert::kinds) {
    CAPTURE(kind.name);
    std::set<std::string_view> parts, closed;
    for (const convert::Reading& row : convert::readings(kind.kind)) {
      parts.insert(row.part);
      if (row.names == "*") closed.insert(row.part);
      if (row.fate == Fate::told || row.fate == Fate::refused) CHECK_FALSE(row.means.empty());
    }
    CHECK(parts == closed);
    for (const std::string_view part : parts) {
      const convert::Reading& unknown = convert::reading(kind.kind, part, "no such thing");
      CHECK(unknown.names == "*");
    }
  }
}

TEST_CASE("A thing of several names has one row, found by each of them") {
  CHECK(convert::reading(Kind::amalthea, "activityGraph", "TaskRunnableCall").fate == Fate::read);
  CHECK(convert::reading(Kind::amalthea, "activityGraph", "SetEvent").names == "WaitEvent, SetEvent, ClearEvent");
  CHECK(convert::reading(Kind::dot, "attribute of edges", "color").fate == Fate::aside);
  CHECK(convert::reading(Kind::dot, "attribute of edges", "delay").fate == Fate::told);
  CHECK(convert::reading(Kind::sag, "row", "gang job").fate == Fate::refused);
}

TEST_CASE("The tables of the documents") {
  const std::string tables = convert::reading_tables();
  CHECK(tables.find("### `dot`\n\n| in | what | | |\n|---|---|---|---|\n| attribute of the graph | `T`, `D` | read |") !=
        std::string::npos);
  CHECK(tables.find("| attribute of edges | any other | told and left out | edges take no time") != std::string::npos);
}

TEST_CASE("Nothing that a reader does not know is left out silently") {
  convert::Options options;
  options.processors = {{"", 2}};
  options.time_unit = Time(1'000'000);
  // What becomes of `novelty` in each kind of file: a note or a refusal, which names it. Models of Amalthea have tests of their own.
  const auto said = [&](const std::string& text, const convert::Options& chosen) {
    try {
      const auto result = convert::convert_text(text, "file", chosen);
      std::string all;
      for (const std::string& sentence : result.assumed) all += sentence + "\n";
      for (const io::Diagnostic& warning : result.warnings) all += warning.text() + "\n";
      return all;
    } catch (const UserError& error) {
      return std::string(error.what());
    }
  };
  const auto names_it = [&](const std::string& text) {
    CAPTURE(text);
    const std::string all = said(text, options);
    CAPTURE(all);
    CHECK(all.find("novelty") != std::string::npos);
  };
  const std::string jobs = "Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Deadline, Priority";
  names_it(jobs + ", novelty\n1, 1, 0, 0, 1, 2, 10, 10, 5\n1, 2, 10, 10, 1, 2, 20, 20, 5\n");
  names_it(
      "jobset:\n  - {Task ID: 1, Job ID: 1, Arrival min: 0, Arrival max: 0, Cost min: 1, Cost max: 2, Deadline: 10, Priority: 10, novelty: "
      "1}\n");
  names_it("jobset: []\nnovelty: 1\n");
  names_it("tasks:\n  - {t: 5, vertices: [{id: 0, c: 1, novelty: 3}]}\n");
  names_it("tasks:\n  - {t: 5, novelty: 3, vertices: [{id: 0, c: 1}]}\n");
  names_it("tasks:\n  - {t: 5, vertices: [{id: 0, c: 1}, {id: 1, c: 1}], edges: [{from: 0, to: 1, novelty: 2}]}\n");
  names_it("digraph { T=5; novelty=3; a [C=1] }");
  names_it("digraph { T=5; a [C=1, novelty=3] }");
  names_it("digraph { T=5; a [C=1]; a -> b [novelty=3]; b [C=2] }");
  names_it("digraph { T=5; subgraph { novelty=3; a [C=1] } }");
  names_it("digraph { i [T=5, novelty=1]; a [C=1]; b [C=1]; a -> b }");
  names_it("Version: 3.0.0\ng:\n  novelty: 1\n  Identifier: 1\n  Resources: {CPU: [CPU0]}\n  Hyperepochs: []\n  Clients: []\n");
  names_it(
      R"({"max_iterations": 1, "novelty": 1, "benchmarks": [{"filename": "timer_spin.so", "thread_count": 32, "block_count": 1, "additional_info": 1000}]})");
  names_it(
      R"({"max_iterations": 1, "benchmarks": [{"filename": "timer_spin.so", "novelty": 1, "thread_count": 32, "block_count": 1, "additional_info": 1000}]})");
  names_it(
      R"({"benchmarks": [{"filename": "timer_spin.so", "thread_count": 32, "block_count": 1, "additional_info": {"duration": 1000, "novelty": 1}}]})");
  names_it(
      R"({"benchmarks": [{"filename": "sharedmem_timer_spin.so", "thread_count": 32, "block_count": 1, "additional_info": {"duration": 1000, "novelty": 1}}]})");
  names_it("platform: {cpu: {processors: 1}}\nnovelty: 1\ntasks: [{name: a, on: cpu, C: 1 ms, T: 2 ms}]\n");
  names_it("{\"schema\": 1, \"kind\": \"trace\", \"source\": \"simulation\", \"task_set\": \"a.yaml\"}\n{\"t\": \"novelty\"}\n");
  const std::string trace_header =
      R"({"schema": 1, "kind": "trace", "source": "simulation", "task_set": "a.yaml", "release": "completion")";
  const std::string trace_lines = R"(
{"t": "run", "dag": "d", "node": "a", "job": 0, "cpu": 0, "start_ns": 0, "end_ns": 5}
{"t": "job", "dag": "d", "node": "a", "job": 0, "release_ns": 0, "start_ns": 0, "end_ns": 5}
{"t": "dag", "dag": "d", "job": 0, "release_ns": 0, "end_ns": 5}
{"t": "run", "dag": "d", "node": "a", "job": 1, "cpu": 0, "start_ns": 10, "end_ns": 15, "novelty": 3}
{"t": "job", "dag": "d", "node": "a", "job": 1, "release_ns": 10, "start_ns": 10, "end_ns": 15}
{"t": "dag", "dag": "d", "job": 1, "release_ns": 10, "end_ns": 15}
{"t": "end", "complete": true, "lost_records": 0}
)";
  names_it(trace_header + "}" + trace_lines);
  std::string plain_lines = trace_lines;
  plain_lines.erase(plain_lines.find(R"(, "novelty": 3)"), 14);
  CHECK(said(trace_header + "}" + plain_lines, options).find("novelty") == std::string::npos);
  names_it(trace_header + R"(, "novelty": 3})" + plain_lines);
  names_it(trace_header + "}\n" + R"({"t": "check", "name": "clock", "outcome": "failed", "text": "novelty"})" + plain_lines);
  names_it("@TASK_GRAPH 0 {\nPERIOD 5\nnovelty 3\n}\n");
  names_it("@TASK_GRAPH 0 {\nPERIOD 5\nTASK a TYPE 1\n}\n@PE 0 {\n# type exec_time\n1 2\n}\n@novelty 1 {\n5\n}\n");
  names_it("@TASK_GRAPH 0 {\nPERIOD 5\nTASK a TYPE 1\n}\n@PE 0 {\n# type exec_time novelty\n1 2 3\n}\n");
  names_it("@TASK_GRAPH 0 {\nPERIOD 5\nTASK a TYPE 1\n}\n@novelty 0 {\n# price\n3\n# type exec_time\n1 2\n}\n");
  names_it("@novelty 1\n@TASK_GRAPH 0 {\nPERIOD 5\nTASK a TYPE 1\n}\n@PE 0 {\n# type exec_time\n1 2\n}\n");
  names_it("digraph { T=5; subgraph { graph [novelty=3]; a [C=1] } }");
  // Rows of a Standard Task Graph have no names: of one with times of communication too many numbers follow.
  CHECK(said("1\n0 0 0\n1 4 1 0 7\n2 0 1 1 0\n", options).find("file:3:1: 1 predecessors are announced, 2 numbers follow") == 0);
  options.period = Time(50'000'000);
  options.device = "a100";
  const std::string run =
      " a-7 [000] 1.000000: sched_switch: b:0 [120] R ==> a:7 [120]\n a-7 [000] 1.000100: sched_switch: a:7 [120] S ==> b:0 [120]\n";
  names_it(run + " a-7 [000] 1.000200: novelty: 1\n");
  names_it(" a-7 [000] 1.000000: sched_switch: a:7 [120] novelty ==> b:0 [120]\n" + run);
  const std::string kernel =
      "Start (ns),Duration (ns),GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (B),DymSMem "
      "(B),Strm,Name,novelty\n1,2,1,1,1,32,1,1,8,0,0,7,k,\n";
  names_it(kernel);
  names_it(kernel + "\n ** Report (novelty):\n\na,b\n");
  names_it("[{\"name\": \"a\", \"averageMs\": 1, \"novelty\": 2}]");
  names_it("[{\"count\": 2, \"novelty\": 2}, {\"name\": \"a\", \"averageMs\": 1}]");
  names_it("[{\"computeMs\": 1, \"novelty\": 2}]");
  // What stands between the records has no name.
  CHECK(said("[{\"name\": \"a\", \"averageMs\": 1}, 7]", options).find("file:1:") == 0);
  CHECK(said("[{\"name\": \"a\", \"averageMs\": 1}, [7]]", options).find("an object is expected in the list") != std::string::npos);
  CHECK(said("{\"traceEvents\": [{\"ph\": \"M\"}, null]}", options).find("an object is expected in the list 'traceEvents'") !=
        std::string::npos);
  options.device.reset();
  const std::string events = R"json({"displayTimeUnit": "ns", "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "DAGs"}},
{"ph": "M", "name": "process_name", "pid": 2, "args": {"name": "cpu (cpu)"}},
{"ph": "X", "name": "n", "cat": "d", "pid": 2, "tid": 1, "ts": 0.000, "dur": 5.000, "args": {"job": 0}},
{"ph": "b", "cat": "job", "name": "d/n", "id": "0:0:0", "pid": 1, "tid": 1, "ts": 0.000, "args": {"job": 0}},
{"ph": "e", "cat": "job", "name": "d/n", "id": "0:0:0", "pid": 1, "tid": 1, "ts": 5.000},
{"ph": "b", "cat": "dag", "name": "d", "id": "0:0", "pid": 1, "tid": 1, "ts": 0.000, "args": {"job": 0}},
{"ph": "e", "cat": "dag", "name": "d", "id": "0:0", "pid": 1, "tid": 1, "ts": 5.000},
)json";
  names_it(events + R"({"ph": "novelty", "name": "n", "pid": 2, "ts": 0}]})");
  names_it(events + R"({"ph": "X", "name": "n", "cat": "d", "pid": 2, "tid": 1, "ts": 5, "dur": 1, "args": {"job": 1, "novelty": 2}}]})");
  names_it(events + R"({"ph": "M", "name": "novelty", "pid": 2}]})");
  names_it(events + R"({"ph": "b", "cat": "novelty", "name": "d", "id": "0:1", "pid": 1, "tid": 1, "ts": 0}]})");
  names_it(events + R"({"ph": "M", "name": "thread_name", "pid": 2, "tid": 1, "args": {"name": "CPU 0"}}], "novelty": 1})");
  CHECK(said(events + R"({"ph": "b", "cat": "job", "name": "d/n", "id": "0:0:1", "pid": 1, "ts": 6, "args": {"job": 1}},
{"ph": "X", "name": "n", "cat": "d", "pid": 2, "tid": 1, "ts": 6, "dur": 1, "args": {"job": 1}}]})",
             options)
            .find("1 jobs of nodes and 0 of DAGs do not end in the trace") != std::string::npos);
}

TEST_CASE("Text of two bytes a character is refused for what it is, by every reader; lines may end as those of Windows do") {
  const std::string dot = "digraph { T=5; a [C=1] }\r\n";
  const auto wide = [](const std::string& text, bool mark, bool big) {
    std::string out = mark ? (big ? "\xFE\xFF" : "\xFF\xFE") : "";
    for (const char c : text) out += big ? std::string{'\0', c} : std::string{c, '\0'};
    return out;
  };
  for (const bool mark : {true, false}) {
    for (const bool big : {true, false}) {
      CHECK(test::fault_of(wide(dot, mark, big)).find("file:1:1: the text is in UTF-16 or UTF-32; `iconv -f UTF-16 -t UTF-8 FILE`") == 0);
      convert::Options insisting;
      insisting.from = Kind::amalthea;
      CHECK(test::fault_of(wide("<a/>", mark, big), insisting).find("the text is in UTF-16") != std::string::npos);
    }
  }
  convert::Options options;
  options.processors = {{"", 1}};
  options.time_unit = Time(1'000'000);
  options.period = Time(50'000'000);
  CHECK(test::fault_of("digraph {\r\n a [C=1]\r\n}\r\n", options) == "converted");
  CHECK(test::fault_of("1\r\n0 0 0\r\n1 4 1 0\r\n2 0 1 1\r\n", options) == "converted");
  CHECK(test::fault_of("Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Deadline, Priority\r\n1, 1, 0, 0, 1, 2, 10, 10\r\n",
                       options) == "converted");
  CHECK(test::fault_of("platform: {cpu: {processors: 1}}\r\ntasks: [{name: a, on: cpu, C: 1 ms, T: 2 ms}]\r\n") == "converted");
  options.period.reset();
  CHECK(test::fault_of("tasks:\r\n  - {t: 5, vertices: [{id: 0, c: 1}]}\r\n", options) == "converted");
}
