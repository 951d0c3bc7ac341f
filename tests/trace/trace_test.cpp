// Traces: written, read back, cut short, broken.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "rta/io/diagnostic.hpp"
#include "rta/trace/reader.hpp"
#include "rta/trace/timeline.hpp"
#include "rta/trace/writer.hpp"
#include "simulate/scene.hpp"

using namespace rta;
using namespace scene;

namespace {

// One DAG over every kind of pool, two jobs.
TaskSet small() {
  return {"small \"set\"",
          {cpu(1), gpu(2), Pool{"copy", EnginePool{1}}, Pool{"worker", WorkerPool{2, Time(0)}}},
          {Dag("d", Time(100), std::nullopt,
               {node("c", 0, CpuDemand{Time(10)}), node("in", 2, CopyDemand{Time(5), Direction::h2d}), node("k", 1, kernel(3, 1024, 20)),
                node("w", 3, WorkerDemand{2, Time(4)})},
               {{0, 1}, {1, 2}, {2, 3}})}};
}

void write_trace(std::ostream& out, simulate::Detail detail, bool finish = true) {
  const TaskSet set = small();
  trace::Header header;
  header.source = "simulation";
  header.task_set = set.name();
  header.release = "completion";
  header.clock_error = Time(0);
  trace::Writer writer(out, header, trace::labels(set), detail);
  const std::vector<Time> Y{Time(100)};
  (void)simulate::simulate(set, test::on_completion(set, Y), for_time(200), &writer);
  if (finish) writer.finish(true);
}
std::string traced(simulate::Detail detail, bool finish = true) {
  std::ostringstream out;
  write_trace(out, detail, finish);
  return out.str();
}

struct Content {
  std::vector<trace::Record> records;
  bool complete;
};
Content read(const std::string& text) {
  std::istringstream in(text);
  trace::Reader reader(in, "t.jsonl");
  Content content{{}, false};
  while (auto record = reader.next()) content.records.push_back(*record);
  content.complete = reader.complete();
  return content;
}
std::string fault(const std::string& text) {
  try {
    (void)read(text);
  } catch (const io::InputError& error) {
    return error.diagnostics().front().text();
  }
  return "";
}
const std::string header_line = R"({"schema": 1, "kind": "trace", "source": "simulation", "task_set": "x.yaml"})"
                                "\n";

}  // namespace

TEST_CASE("A stream that has failed is not written to again") {
  // Takes so many bytes and no more.
  struct Limited : std::streambuf {
    explicit Limited(std::size_t bytes) : left(bytes) {}
    int_type overflow(int_type c) override {
      if (left == 0) {
        ++refused;
        return traits_type::eof();
      }
      --left;
      return c;
    }
    std::size_t left;
    int refused = 0;
  };
  const std::size_t whole = traced(simulate::Detail::block).size();
  for (std::size_t bytes = 0; bytes <= whole; bytes += 7) {
    Limited buffer(bytes);
    std::ostream out(&buffer);
    write_trace(out, simulate::Detail::block);
    CHECK(out.bad() == (bytes < whole));
    CHECK(buffer.refused == (bytes < whole ? 1 : 0));
  }
}

TEST_CASE("A trace reads back as it was written") {
  const auto content = read(traced(simulate::Detail::block));
  CHECK(content.complete);
  // Two jobs of: 1 run, 1 copy, 3 blocks, 2 items, 4 node jobs, 1 DAG job.
  CHECK(content.records.size() == 2 * (1 + 1 + 3 + 2 + 4 + 1));
  // Job 1: c [100, 110), in [110, 115), k: three blocks of 1024 on two SMs at once [115, 135), w [135, 139).
  std::vector<trace::Record> expected{trace::RunRecord{{"d", "c", 1}, 0, Time(100), Time(110), std::nullopt},
                                      trace::JobRecord{{"d", "c", 1}, Time(100), Time(100), Time(110)},
                                      trace::CopyRecord{{"d", "in", 1}, 0, Time(110), Time(115)},
                                      trace::BlockRecord{{"d", "k", 1}, 2, 0, Time(115), Time(135)},
                                      trace::BlockRecord{{"d", "w", 1}, 1, 1, Time(135), Time(139)},
                                      trace::DagRecord{{"d", "", 1}, Time(100), Time(139)}};
  for (const auto& record : expected) CHECK(std::count(content.records.begin(), content.records.end(), record) == 1);
}

TEST_CASE("The level of a trace says what it holds") {
  CHECK(read(traced(simulate::Detail::dag)).records.size() == 2);
  CHECK(read(traced(simulate::Detail::job)).records.size() == 2 * 5);
}

TEST_CASE("The header keeps what is known") {
  std::istringstream in(traced(simulate::Detail::dag));
  const trace::Reader reader(in, "t.jsonl");
  CHECK(reader.header().source == "simulation");
  CHECK(reader.header().task_set == "small \"set\"");
  CHECK(reader.header().release == "completion");
  CHECK(reader.header().clock_error == Time(0));
  CHECK(!reader.header().device);
}

TEST_CASE("A trace without its end, or cut within a line, is read as far as it goes and is not complete") {
  const std::string whole = traced(simulate::Detail::block);
  const auto all = read(whole).records.size();
  const auto without_end = read(traced(simulate::Detail::block, false));
  CHECK(!without_end.complete);
  CHECK(without_end.records.size() == all);
  for (std::size_t length = header_line.size() + 200; length < whole.size(); length += 37) {
    const auto cut = read(whole.substr(0, length));
    CHECK((!cut.complete || length == whole.size() - 1));
    CHECK(cut.records.size() <= all);
  }
}

TEST_CASE("What is no trace is refused with its line") {
  CHECK(fault("") == "t.jsonl:1:1: empty file: a trace begins with a header");
  CHECK(fault("hello\n") == "t.jsonl:1:1: not a JSON object");
  CHECK(fault("{\"kind\": \"other\", \"schema\": 1}\n") == "t.jsonl:1:1: 'kind' must be \"trace\"");
  CHECK(fault("{\"kind\": \"trace\", \"schema\": 2}\n") == "t.jsonl:1:1: 'schema': only 1 is known");
  CHECK(fault(header_line + "{\"t\": \"dance\"}\n") == "t.jsonl:2:1: 't': no record is called 'dance'");
  CHECK(fault(header_line + "[]\n") == "t.jsonl:2:1: not a JSON object");
  CHECK(fault(header_line + "{\"t\": \"dag\", \"dag\": \"d\"}\n") == "t.jsonl:2:1: 'job' is missing");
  CHECK(fault(header_line + R"({"t": "dag", "dag": "d", "job": -1, "release_ns": 0, "end_ns": 1})"
                            "\n") == "t.jsonl:2:1: 'job' must be a whole number from 0 to 18446744073709551615");
  CHECK(fault(header_line + R"({"t": "dag", "dag": "d", "job": 1, "release_ns": 5, "end_ns": 1})"
                            "\n") == "t.jsonl:2:1: 'end_ns' is before 'release_ns'");
  CHECK(fault(header_line + R"({"t": "dag", "dag": "d", "job": 1, "release_ns": 0.5, "end_ns": 1})"
                            "\n") == "t.jsonl:2:1: 'release_ns' must be a whole number of ns");
  CHECK(fault(header_line + "{\"t\": \"end\", \"complete\": true, \"lost_records\": 0}\n{}\n") ==
        "t.jsonl:3:1: a line after the end of the trace");
}

TEST_CASE("Chrome trace events are one JSON document in which nothing overlaps on a thread") {
  const TaskSet set = small();
  std::ostringstream out;
  trace::ChromeWriter writer(out, trace::labels(set), simulate::Detail::block);
  const std::vector<Time> Y{Time(100)};
  (void)simulate::simulate(set, test::on_completion(set, Y), for_time(200), &writer);
  writer.finish();
  const auto json = nlohmann::json::parse(out.str());
  std::size_t slices = 0;
  std::map<std::pair<int, int>, double> busy_until;
  for (const auto& event : json["traceEvents"]) {
    if (event["ph"] != "X") continue;
    ++slices;
    double& until = busy_until[{event["pid"], event["tid"]}];
    CHECK(event["ts"].get<double>() >= until - 1e-9);
    until = event["ts"].get<double>() + event["dur"].get<double>();
  }
  CHECK(slices == 2 * (1 + 1 + 3 + 2));
  // Two of the three blocks share SM 0: two threads.
  CHECK(busy_until.size() == 1 + 1 + 3 + 2);
}

TEST_CASE("The timeline keeps blocks that run together on an SM as one bar") {
  const TaskSet set = small();
  auto timeline = trace::timeline(set, Time(0), Time(1000), 1000);
  const std::vector<Time> Y{Time(100)};
  (void)simulate::simulate(set, test::on_completion(set, Y), for_time(200), &timeline);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks;
  for (const auto& bar : timeline.bars()) {
    if (bar.pool == 1 && bar.id.job == 0) blocks.emplace_back(bar.unit, bar.blocks);
  }
  std::sort(blocks.begin(), blocks.end());
  CHECK(blocks == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 2}, {1, 1}});
  CHECK(timeline.left_out() == 0);
  auto short_one = trace::timeline(set, Time(0), Time(1000), 3);
  (void)simulate::simulate(set, test::on_completion(set, Y), for_time(200), &short_one);
  CHECK(short_one.bars().size() == 3);
  CHECK(short_one.left_out() == 2 * 7 - 4);  // one of the three holds two blocks
}
