#include "rta/trace/writer.hpp"

#include <fmt/format.h>

#include <iterator>
#include <ostream>
#include <utility>

#include "json_text.hpp"

namespace rta::trace {
namespace {

// Through the stream, which notes a failure: libstdc++'s file buffer overruns when it is written to again after one.
template <class... Values>
void print_line(std::ostream& out, fmt::format_string<Values...> text, Values&&... values) {
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), text, std::forward<Values>(values)...);
  out.write(line.data(), static_cast<std::streamsize>(line.size()));
}

}  // namespace

Writer::Writer(std::ostream& out, const Header& header, const Labels& labels, simulate::Detail detail) : Observer(detail), out_(out) {
  for (const DagLabel& dag : labels.dags) {
    dags_.push_back("\"dag\": " + json_text(dag.name));
    auto& nodes = nodes_.emplace_back();
    for (const NodeLabel& node : dag.nodes) nodes.push_back(dags_.back() + ", \"node\": " + json_text(node.name));
  }
  out_ << "{\"schema\": " << schema << ", \"kind\": \"trace\", \"source\": " << json_text(header.source)
       << ", \"task_set\": " << json_text(header.task_set);
  const auto add = [&](const char* key, const std::optional<std::string>& value) {
    if (value) out_ << ", \"" << key << "\": " << json_text(*value);
  };
  add("task_set_sha256", header.task_set_sha256);
  add("release", header.release);
  add("device", header.device);
  add("driver", header.driver);
  if (header.clock_error) out_ << ", \"clock_error_ns\": " << header.clock_error->count();
  add("started", header.started);
  for (const auto& [key, value] : header.details) out_ << ", " << json_text(key) << ": " << json_text(value);
  out_ << "}\n";
}

void Writer::dag(DagId dag, std::uint64_t job, Time release, Time end) {
  print_line(out_,
             R"({{"t": "dag", {}, "job": {}, "release_ns": {}, "end_ns": {}}})"
             "\n",
             dags_[dag], job, release.count(), end.count());
}

void Writer::job(simulate::JobId id, Time release, Time start, Time end) {
  print_line(out_,
             R"({{"t": "job", {}, "job": {}, "release_ns": {}, "start_ns": {}, "end_ns": {}}})"
             "\n",
             names(id), id.job, release.count(), start.count(), end.count());
}

void Writer::block(simulate::JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time end) {
  print_line(out_,
             R"({{"t": "block", {}, "job": {}, "block": {}, "sm": {}, "start_ns": {}, "end_ns": {}}})"
             "\n",
             names(id), id.job, block, sm, start.count(), end.count());
}

void Writer::copy(simulate::JobId id, std::uint32_t engine, Time start, Time end) {
  print_line(out_,
             R"({{"t": "copy", {}, "job": {}, "engine": {}, "start_ns": {}, "end_ns": {}}})"
             "\n",
             names(id), id.job, engine, start.count(), end.count());
}

void Writer::run(simulate::JobId id, std::uint32_t cpu, Time start, Time end) {
  print_line(out_,
             R"({{"t": "run", {}, "job": {}, "cpu": {}, "start_ns": {}, "end_ns": {}}})"
             "\n",
             names(id), id.job, cpu, start.count(), end.count());
}

void Writer::finish(bool complete) {
  out_ << "{\"t\": \"end\", \"complete\": " << (complete ? "true" : "false") << ", \"lost_records\": 0}\n";
  out_.flush();
}

}  // namespace rta::trace
