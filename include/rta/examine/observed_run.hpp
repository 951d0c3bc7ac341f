// One repetition of an experiment as it was observed: which block ran where and when.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "rta/model/experiment.hpp"
#include "rta/simulate/observer.hpp"
#include "rta/trace/record.hpp"

namespace rta::examine {

/// A block on an SM, a copy on an engine, or a call by a thread.
struct Piece {
  std::uint64_t block = 0;
  std::uint32_t unit = 0;  // SM, engine or thread
  Time start, end;
  bool operator==(const Piece&) const = default;
};

struct ObservedOperation {
  std::optional<Time> issued;
  std::vector<Piece> pieces;  // by start, then block
  bool operator==(const ObservedOperation&) const = default;
};

struct ObservedRun {
  std::vector<ObservedOperation> operations;  // as in the experiment
  std::vector<std::string> disturbances;      // why it is no evidence; empty: nothing is known against it
  std::string file;                           // the trace; empty: none
  std::uint64_t records = 0;                  // blocks and copies
};

/// Collects the run of a simulated experiment.
class RunRecorder : public simulate::Observer {
 public:
  explicit RunRecorder(const Experiment& experiment);

  void dag(DagId, std::uint64_t, Time, Time) override {}
  void job(simulate::JobId id, Time release, Time start, Time end) override;
  void block(simulate::JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time end) override;
  void copy(simulate::JobId id, std::uint32_t engine, Time start, Time end) override;
  void run(simulate::JobId id, std::uint32_t thread, Time start, Time end) override;

  /// What was seen, in order.
  [[nodiscard]] ObservedRun take();

 private:
  ObservedRun run_;
};

/// What the simulator plays by the published rules.
[[nodiscard]] ObservedRun simulated_run(const Experiment& experiment);

struct ReadRun {
  ObservedRun run;
  trace::Header header;
};

/// Reads the trace of one repetition. It is disturbed where a check of the trace has failed, the header names a `disturbance`, or
/// blocks, copies or the trace's end are missing. Throws io::InputError for what is no trace, or one of another experiment.
[[nodiscard]] ReadRun read_run(const Experiment& experiment, std::istream& in, const std::string& name);

}  // namespace rta::examine
