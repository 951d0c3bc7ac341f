#include "rta/examine/observed_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <tuple>
#include <unordered_map>

#include "rta/io/diagnostic.hpp"
#include "rta/model/overloaded.hpp"
#include "rta/simulate/simulate.hpp"
#include "rta/trace/reader.hpp"

namespace rta::examine {
namespace {

void put_in_order(ObservedRun& run) {
  for (ObservedOperation& operation : run.operations) {
    std::ranges::sort(operation.pieces, {}, [](const Piece& p) { return std::tuple(p.start, p.block); });
  }
}

std::uint64_t pieces_of(const Operation& operation) {
  return std::visit(overloaded{[](const GpuDemand& kernel) { return kernel.B; }, [](const auto&) { return std::uint64_t{1}; }},
                    operation.demand);
}

class TraceRun {
 public:
  TraceRun(const Experiment& experiment, std::string name) : experiment_(experiment), name_(std::move(name)) {
    for (std::size_t i = 0; i < experiment.operations().size(); ++i) by_name_.emplace(experiment.operations()[i].name, i);
    run.operations.resize(experiment.operations().size());
    run.file = name_;
  }

  void operator()(const trace::DagRecord&) {}
  void operator()(const trace::RunRecord& record) { add(record.job, {0, record.cpu, record.start, record.end}); }
  void operator()(const trace::Activity&) {}
  void operator()(const trace::JobRecord& record) { operation(record.job).issued = record.release; }
  void operator()(const trace::BlockRecord& record) { add(record.job, {record.block, record.sm, record.start, record.end}); }
  void operator()(const trace::CopyRecord& record) { add(record.job, {0, record.engine, record.start, record.end}); }
  void operator()(const trace::CheckRecord& record) {
    if (record.outcome == "failed") run.disturbances.push_back(fmt::format("{}: {}", record.name, record.text));
  }

  void finish(bool complete) {
    if (!complete) run.disturbances.emplace_back("the trace is incomplete");
    for (std::size_t i = 0; i < run.operations.size(); ++i) {
      const Operation& operation = experiment_.operations()[i];
      const std::uint64_t seen = run.operations[i].pieces.size();
      if (seen != pieces_of(operation)) {
        run.disturbances.push_back(fmt::format("'{}' left {} of {} records", operation.name, seen, pieces_of(operation)));
      }
    }
    put_in_order(run);
  }

  ObservedRun run;

 private:
  ObservedOperation& operation(const trace::Job& job) {
    const auto at = by_name_.find(job.node);
    if (at == by_name_.end()) {
      throw io::InputError(
          {{name_, 0, 0, fmt::format("the trace is of another experiment: '{}' has no operation '{}'", experiment_.name(), job.node)}});
    }
    if (job.job != 0) throw io::InputError({{name_, 0, 0, "the trace holds more than one repetition"}});
    return run.operations[at->second];
  }
  void add(const trace::Job& job, const Piece& piece) {
    operation(job).pieces.push_back(piece);
    ++run.records;
  }

  const Experiment& experiment_;
  std::string name_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

}  // namespace

RunRecorder::RunRecorder(const Experiment& experiment) : Observer(simulate::Detail::block) {
  run_.operations.resize(experiment.operations().size());
}

void RunRecorder::job(simulate::JobId id, Time release, Time, Time) { run_.operations[id.node].issued = release; }

void RunRecorder::block(simulate::JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time end) {
  run_.operations[id.node].pieces.push_back({block, sm, start, end});
  ++run_.records;
}

void RunRecorder::copy(simulate::JobId id, std::uint32_t engine, Time start, Time end) {
  run_.operations[id.node].pieces.push_back({0, engine, start, end});
  ++run_.records;
}

void RunRecorder::run(simulate::JobId id, std::uint32_t thread, Time start, Time end) {
  run_.operations[id.node].pieces.push_back({0, thread, start, end});
  ++run_.records;
}

ObservedRun RunRecorder::take() {
  put_in_order(run_);
  return std::move(run_);
}

ObservedRun simulated_run(const Experiment& experiment) {
  RunRecorder recorder(experiment);
  (void)simulate::simulate(experiment, {}, &recorder);
  return recorder.take();
}

ReadRun read_run(const Experiment& experiment, std::istream& in, const std::string& name) {
  trace::Reader reader(in, name);
  TraceRun trace(experiment, name);
  for (const auto& [key, value] : reader.header().details) {
    if (key == "disturbance" && !value.empty() && value != "null") trace.run.disturbances.push_back(value);
  }
  while (const auto record = reader.next()) std::visit(trace, *record);
  trace.finish(reader.complete() && reader.lost_records() == 0);
  return {std::move(trace.run), reader.header()};
}

}  // namespace rta::examine
