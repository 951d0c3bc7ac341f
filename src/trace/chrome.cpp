// Chrome trace-event format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU ("Trace Event Format").
#include <fmt/format.h>

#include <ostream>

#include "json_text.hpp"
#include "rta/trace/writer.hpp"

namespace rta::trace {
namespace {

// Microseconds, without losing the ns.
std::string us(Time t) { return fmt::format("{}.{:03}", t.count() / 1000, t.count() % 1000); }

// Processes: DAGs first, then the pools.
constexpr std::size_t dag_process = 1;
std::size_t process(PoolId pool) { return pool + 2; }

}  // namespace

ChromeWriter::ChromeWriter(std::ostream& out, const Labels& labels, simulate::Detail detail)
    : Observer(detail), out_(out), labels_(labels), lanes_(labels.pools.size()), threads_(labels.pools.size()) {
  out_ << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  const auto name_process = [&](std::size_t pid, const std::string& name) {
    event(fmt::format(R"({{"ph": "M", "name": "process_name", "pid": {}, "args": {{"name": {}}}}})", pid, json_text(name)));
  };
  name_process(dag_process, "DAGs");
  for (PoolId p = 0; p < labels_.pools.size(); ++p) {
    name_process(process(p), labels_.pools[p].name + " (" + std::string(to_string(labels_.pools[p].kind)) + ")");
  }
  for (DagId d = 0; d < labels_.dags.size(); ++d) {
    event(fmt::format(R"({{"ph": "M", "name": "thread_name", "pid": {}, "tid": {}, "args": {{"name": {}}}}})", dag_process, d + 1,
                      json_text(labels_.dags[d].name)));
  }
}

void ChromeWriter::event(const std::string& text) {
  out_ << (first_ ? "\n" : ",\n") << text;
  first_ = false;
}

// A thread of the pool on which nothing else runs from `start` on.
std::uint64_t ChromeWriter::lane(PoolId pool, std::uint32_t unit, const char* unit_name, Time start, Time end) {
  auto& units = lanes_[pool];
  if (unit >= units.size()) units.resize(unit + 1);
  for (Lane& lane : units[unit]) {
    if (lane.free_from <= start.count()) {
      lane.free_from = end.count();
      return lane.thread;
    }
  }
  const std::uint64_t thread = ++threads_[pool];
  const std::string name = fmt::format("{} {}", unit_name, unit);
  event(fmt::format(R"({{"ph": "M", "name": "thread_name", "pid": {}, "tid": {}, "args": {{"name": {}}}}})", process(pool), thread,
                    json_text(name)));
  event(fmt::format(R"({{"ph": "M", "name": "thread_sort_index", "pid": {}, "tid": {}, "args": {{"sort_index": {}}}}})", process(pool),
                    thread, std::uint64_t{unit} * 64 + units[unit].size()));
  units[unit].push_back({thread, end.count()});
  return thread;
}

void ChromeWriter::slice(simulate::JobId id, std::uint64_t thread, Time start, Time end, const std::string& arguments) {
  const DagLabel& dag = labels_.dags[id.dag];
  event(fmt::format(R"({{"ph": "X", "name": {}, "cat": {}, "pid": {}, "tid": {}, "ts": {}, "dur": {}, "args": {{"job": {}{}}}}})",
                    json_text(dag.nodes[id.node].name), json_text(dag.name), process(pool_of(id)), thread, us(start), us(end - start),
                    id.job, arguments));
}

void ChromeWriter::dag(DagId dag, std::uint64_t job, Time release, Time end) {
  // Jobs of a DAG may overlap, so they are asynchronous events.
  const std::string common = fmt::format(R"("cat": "dag", "name": {}, "id": "{}:{}", "pid": {}, "tid": {})",
                                         json_text(labels_.dags[dag].name), dag, job, dag_process, dag + 1);
  event(fmt::format(R"({{"ph": "b", {}, "ts": {}, "args": {{"job": {}}}}})", common, us(release), job));
  event(fmt::format(R"({{"ph": "e", {}, "ts": {}}})", common, us(end)));
}

void ChromeWriter::job(simulate::JobId id, Time release, Time start, Time end) {
  (void)start;
  const DagLabel& dag = labels_.dags[id.dag];
  const std::string common =
      fmt::format(R"("cat": "job", "name": {}, "id": "{}:{}:{}", "pid": {}, "tid": {})",
                  json_text(dag.name + "/" + dag.nodes[id.node].name), id.dag, id.node, id.job, dag_process, id.dag + 1);
  event(fmt::format(R"({{"ph": "b", {}, "ts": {}, "args": {{"job": {}}}}})", common, us(release), id.job));
  event(fmt::format(R"({{"ph": "e", {}, "ts": {}}})", common, us(end)));
}

void ChromeWriter::block(simulate::JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time end) {
  const char* unit = labels_.pools[pool_of(id)].kind == PoolKind::workers ? "worker" : "SM";
  slice(id, lane(pool_of(id), sm, unit, start, end), start, end, fmt::format(R"(, "block": {})", block));
}

void ChromeWriter::copy(simulate::JobId id, std::uint32_t engine, Time start, Time end) {
  slice(id, lane(pool_of(id), engine, "engine", start, end), start, end, "");
}

void ChromeWriter::run(simulate::JobId id, std::uint32_t cpu, Time start, Time end) {
  slice(id, lane(pool_of(id), cpu, "CPU", start, end), start, end, "");
}

void ChromeWriter::finish() {
  out_ << "\n]}\n";
  out_.flush();
}

}  // namespace rta::trace
