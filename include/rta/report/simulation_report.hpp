// Simulations of task sets and experiments as text, JSON, CSV and an HTML page with the timeline (`Format::simulation`). Nothing is
// computed here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rta/compare/chains.hpp"
#include "rta/model/quantity.hpp"
#include "rta/trace/waits.hpp"

namespace rta::report {

/// Observed response times of a DAG (empty node) or of one node, beside their bound.
struct ResponseRow {
  std::string dag, node, pool;
  std::string theorem;  // of the bound
  std::optional<Time> bound;
  std::optional<Time> deadline;  // of a node: its own
  std::uint64_t count = 0;       // jobs; 0: nothing was observed, and the rest means nothing
  Time max;
  std::uint64_t worst_job = 0;
  std::optional<std::uint64_t> misses;  // jobs that ended after the deadline; not after a search
  std::optional<double> mean_ns;        // not after a search
  std::optional<bool> attained = {};    // of an order of starts that was played: whether its job ends as late as T36 says
  std::optional<Time> p99;              // at most 1/128 too high; not after a search

  [[nodiscard]] bool over() const { return count > 0 && bound && max > *bound; }
  /// Some job ended after the deadline.
  [[nodiscard]] bool missed() const { return count > 0 && deadline && max > *deadline; }
};

/// Why an operation of an experiment waited.
struct OperationWait {
  Time from, to;
  trace::WaitCause cause;
  std::vector<std::string> of;  // names of operations
};

/// One operation of an experiment. Nothing stands for what did not happen before the simulation ended.
struct OperationRow {
  std::string name, stream, pool;
  std::optional<Time> issued, start, end;
  std::string place;                 // e.g. `SM 0: 0 2, SM 1: 1 3`: the blocks on each SM
  std::vector<OperationWait> waits;  // by time
};

/// How it was simulated, or how much.
struct SimulationFact {
  std::string name, text;  // for people
  /// For programs, which read numbers: keys with values in place of `name` and `text`. Keys of times end in _ns.
  std::vector<std::pair<std::string, std::uint64_t>> numbers = {};
};

struct SimulationReport {
  std::string task_set;
  std::string verdict;  // one sentence
  std::vector<SimulationFact> facts;
  std::vector<ResponseRow> dags, nodes;
  std::vector<compare::ComparedChain> chains;  // after a search: of the worst run
  std::vector<OperationRow> operations;        // of an experiment, which has no rows
  std::vector<std::string> assumed;            // that bounds rest on
  std::vector<std::string> warnings;
  const trace::Timeline* timeline = nullptr;  // HTML, and figures
  bool verbose = false;                       // text: every node
};

}  // namespace rta::report
