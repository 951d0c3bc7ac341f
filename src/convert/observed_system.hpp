// What a trace of rta shows of each DAG and node.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"
#include "rta/trace/record.hpp"

namespace rta::convert {

/// Something that ran on a unit of a pool: a CPU, an SM, a worker or a copy engine.
struct ObservedPiece {
  std::string pool;
  PoolKind kind = PoolKind::cpu;
  std::int64_t start = 0, end = 0;
  std::int64_t length = 0;  // what it executed
};

/// T and D of a DAG of whose releases `least` is the least distance, in ns. `--period` is for DAGs that were released once; where releases
/// of all were seen again (`replaces`) it takes the place of what was seen.
void set_period(std::optional<std::int64_t> least, bool replaces, DraftDag& out, const Options& options, Notes& notes);

class ObservedSystem {
 public:
  explicit ObservedSystem(const Notes& notes) : notes_(notes) {}

  /// A job runs in pieces; they are known before the job's own record.
  void piece(const trace::Job& job, const ObservedPiece& piece);
  void job(const trace::Job& job, Time release, Time end);
  void dag(const trace::Job& job, Time release, Time end);

  /// The task set behind it. `edges_known`: nodes are released when others end.
  [[nodiscard]] Draft draft(const Options& options, Notes& notes, bool edges_known);

 private:
  struct Interval {
    std::int64_t release = 0, end = 0;
  };
  struct RunningJob {
    std::int64_t start = 0, end = 0;
    std::int64_t sum = 0;
    std::uint64_t pieces = 0;
  };
  struct ObservedNode {
    std::string name;
    std::string pool;
    std::optional<PoolKind> kind;
    std::unordered_map<std::uint64_t, RunningJob> running;
    std::uint64_t B = 0;
    std::int64_t least = 0, most = 0, count = 0;
    Wide sum = 0;
  };
  struct ObservedDag {
    std::string name;
    std::map<std::string, std::size_t> index;
    std::vector<ObservedNode> nodes;
    std::unordered_map<std::uint64_t, std::vector<std::pair<std::size_t, Interval>>> open;  // nodes of jobs that have not ended
    std::unordered_map<std::uint64_t, std::vector<RecordedKernel>> kernels;                 // of these jobs
    std::vector<std::int64_t> releases, lengths;                                            // of whole jobs
    std::vector<std::vector<RecordedKernel>> ran;
    std::vector<std::vector<std::pair<std::size_t, Interval>>> jobs;  // whole ones, the first of them, in which edges are looked for
  };

  ObservedDag& dag_named(const std::string& name);
  ObservedNode& node_of(const trace::Job& job);
  static void observe(ObservedNode& node, std::int64_t length);
  void add_pools(Draft& draft, const Options& options, Notes& notes);
  [[nodiscard]] DraftNode draft_node(const ObservedNode& node, const Options& options);
  void add_edges(const ObservedDag& dag, DraftDag& out, Notes& notes) const;
  void keep_recorded(Draft& draft, Notes& notes);

  const Notes& notes_;
  std::vector<ObservedDag> dags_;
  std::unordered_map<std::string, std::size_t> dag_index_;
  std::map<std::string, std::pair<PoolKind, PoolId>> pools_;
  std::size_t records_ = 0, kernels_ = 0;
};

}  // namespace rta::convert
