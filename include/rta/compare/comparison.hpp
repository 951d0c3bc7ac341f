// Observed response times, and latencies of chains, beside their bounds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/proof.hpp"
#include "rta/compare/chains.hpp"
#include "rta/compare/seen_overheads.hpp"
#include "rta/model/task_set.hpp"
#include "rta/trace/reader.hpp"
#include "rta/trace/record.hpp"
#include "rta/trace/timeline.hpp"

namespace rta::compare {

/// What was proven, per DAG and node, for the way in which the trace's jobs were released.
struct Bounds {
  std::vector<std::vector<Time>> reference;            // response times of nodes count from here, after the DAG's release
  std::vector<std::vector<std::optional<Time>>> node;  // none: no bound
  std::vector<std::optional<Time>> dag;                // end to end
  // As the task set's chains, whatever the phases, and where DAGs are released by the phases that the file gives.
  std::vector<std::optional<analysis::ChainLatencies>> chains = {}, phased_chains = {};
};
/// Those of a proof for that release. Requires that it can be played.
[[nodiscard]] Bounds bounds_of(const analysis::Proof& proof);
/// None for any DAG or node.
[[nodiscard]] Bounds no_bounds(const TaskSet& task_set);

/// Response times of one node or DAG.
struct Responses {
  DagId dag = 0;
  std::optional<NodeId> node;  // none: the whole DAG
  std::vector<Time> sorted;    // of all jobs, ascending
  Wide sum = 0;                // ns
  std::optional<Time> bound;
  std::uint64_t over = 0;        // jobs above the bound
  std::optional<Time> deadline;  // of a node: its own
  std::uint64_t missed = 0;      // jobs that ended after it
  std::uint64_t worst_job = 0;   // that had the largest response time

  [[nodiscard]] std::size_t count() const { return sorted.size(); }
  /// The rest requires count() > 0.
  [[nodiscard]] Time max() const { return sorted.back(); }
  /// Rounded up to a whole ns.
  [[nodiscard]] Time mean() const { return to_time(ceil_div(sum, static_cast<Wide>(sorted.size()))); }
  /// The least value that at least `ppm` millionths of all are not above; 0 < ppm <= 1'000'000.
  [[nodiscard]] Time quantile(std::uint32_t ppm) const;
};

/// A job above its bound, and what in the trace could explain it.
struct Violation {
  DagId dag = 0;
  std::optional<NodeId> node;
  std::uint64_t job = 0;
  Time release;  // of the DAG
  Time response;
  Time bound;
  std::vector<std::string> reasons;  // never empty
};

/// What most of a job's excess over its bound is from.
enum class LateCause : std::uint8_t {
  execution,  // C or L exceeded, by this DAG job's nodes
  invalid,    // a failed check: the run did not do what the task set says
  unseen,     // not known: the trace has no executions
  machine     // none of these: what the machine adds, or a bound or model that is wrong for it
};
/// Jobs above their bounds for one cause.
struct LateGroup {
  LateCause cause = LateCause::machine;
  std::uint64_t jobs = 0;
  Violation worst;
};

/// [from, to) on the trace's clock.
struct Window {
  Time from, to;
};
/// What a timeline shows: the window, else three of the longest periods from the first release; and how much of it.
struct Shown {
  std::optional<Window> window = std::nullopt;
  std::size_t most_bars = 6'000;  // a page is to stay below 3 MB
};

struct Comparison {
  std::string trace;  // file name
  trace::Header header;
  bool complete = false;
  std::uint64_t lost_records = 0;
  std::vector<trace::CheckRecord> checks;
  std::vector<Responses> dags;              // as the task set's
  std::vector<Responses> nodes;             // DAG by DAG; empty when the trace has no jobs of nodes
  std::vector<ComparedChain> chains;        // as the task set's; empty where no stage of any was seen
  std::vector<Violation> violations;        // by size of the excess; at most `most_violations`
  std::vector<LateGroup> late;              // by cause, the worst first; of an overloaded run not all
  std::vector<SeenOverhead> overheads;      // what the machine adds to nodes, by pool
  std::uint64_t over = 0;                   // DAG and node jobs above their bounds, all of them
  std::uint64_t missed = 0;                 // DAG and node jobs that ended after their deadlines
  std::optional<trace::Timeline> timeline;  // none: no job of a node was seen there
  std::vector<std::string> warnings;

  /// No job and no chain was above its bound.
  [[nodiscard]] bool within_bounds() const { return over == 0 && chains_over() == 0; }
  /// No job ended after its deadline, and no chain passed its limit.
  [[nodiscard]] bool met_deadlines() const { return missed == 0 && chains_missed() == 0; }
  [[nodiscard]] std::size_t chains_over() const;
  [[nodiscard]] std::size_t chains_missed() const;
  /// The measurement found nothing wrong with itself.
  [[nodiscard]] bool valid() const;
  /// Some DAG or node with a bound was observed: without one there is nothing to say.
  [[nodiscard]] bool conclusive() const;
};

/// The largest end-to-end figures over all DAGs.
struct EndToEnd {
  std::optional<Time> bound;                                            // none: some DAG has no bound
  std::optional<Time> max, of_99_percent, of_90_percent, median, mean;  // none: no job was observed
};
[[nodiscard]] EndToEnd end_to_end(const Comparison& comparison);
/// Of all DAGs' jobs, ascending.
[[nodiscard]] std::vector<Time> all_responses(const Comparison& comparison);

inline constexpr std::size_t most_violations = 20;

/// Reads the trace to its end. Throws `io::InputError` when it is no trace, when it is of another task set than the one whose file has the
/// SHA-256 `sha256`, or names a DAG or node that the task set does not have. A trace that ends early is compared as far as it goes.
[[nodiscard]] Comparison compare(const TaskSet& task_set, const Bounds& bounds, const std::string& sha256, trace::Reader& reader,
                                 const std::string& name, const Shown& shown = {});

/// Jobs that are at hand. Throws as above when they name a DAG or node that the task set does not have.
struct Jobs {
  const trace::Header& header;
  std::span<const trace::Record> records;
  bool complete = false;
  std::uint64_t lost_records = 0;
};
[[nodiscard]] Comparison compare(const TaskSet& task_set, const Bounds& bounds, const Jobs& jobs, const std::string& name,
                                 const Shown& shown = {});

}  // namespace rta::compare
