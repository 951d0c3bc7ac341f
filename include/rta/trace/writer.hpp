// Traces as files: the project's JSON Lines, and Chrome's trace events for ui.perfetto.dev.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "rta/simulate/observer.hpp"
#include "rta/trace/labels.hpp"
#include "rta/trace/record.hpp"

namespace rta::trace {

/// Writes a header line, then one line per record as the simulation goes on. Each function throws as `out` does.
class Writer : public simulate::Observer {
 public:
  /// `out` must outlive this.
  Writer(std::ostream& out, const Header& header, const Labels& labels, simulate::Detail detail);

  void dag(DagId dag, std::uint64_t job, Time release, Time end) override;
  void job(simulate::JobId id, Time release, Time start, Time end) override;
  void block(simulate::JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time end) override;
  void copy(simulate::JobId id, std::uint32_t engine, Time start, Time end) override;
  void run(simulate::JobId id, std::uint32_t cpu, Time start, Time end) override;

  /// Writes the end line. Without it readers call the trace incomplete.
  void finish(bool complete);

 private:
  [[nodiscard]] const std::string& names(simulate::JobId id) const { return nodes_[id.dag][id.node]; }

  std::ostream& out_;
  std::vector<std::string> dags_;                // `"dag": "camera[0]"`
  std::vector<std::vector<std::string>> nodes_;  // `"dag": "camera[0]", "node": "upload"`
};

/// Writes Chrome trace-event JSON: a process per pool, a thread per processor, engine or worker, and per SM as many threads as blocks
/// overlap on it; a process for the DAGs' jobs.
class ChromeWriter : public simulate::Observer {
 public:
  ChromeWriter(std::ostream& out, const Labels& labels, simulate::Detail detail);

  void dag(DagId dag, std::uint64_t job, Time release, Time end) override;
  void job(simulate::JobId id, Time release, Time start, Time end) override;
  void block(simulate::JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time end) override;
  void copy(simulate::JobId id, std::uint32_t engine, Time start, Time end) override;
  void run(simulate::JobId id, std::uint32_t cpu, Time start, Time end) override;

  /// Closes the JSON document.
  void finish();

 private:
  /// A row of the timeline that holds one thing at a time.
  struct Lane {
    std::uint64_t thread = 0;
    std::int64_t free_from = 0;
  };
  void event(const std::string& text);
  void slice(simulate::JobId id, std::uint64_t thread, Time start, Time end, const std::string& arguments);
  [[nodiscard]] std::uint64_t lane(PoolId pool, std::uint32_t unit, const char* unit_name, Time start, Time end);
  [[nodiscard]] PoolId pool_of(simulate::JobId id) const { return labels_.dags[id.dag].nodes[id.node].pool; }

  std::ostream& out_;
  Labels labels_;
  bool first_ = true;
  std::vector<std::vector<std::vector<Lane>>> lanes_;  // per pool and SM, processor, engine or worker
  std::vector<std::uint64_t> threads_;                 // used so far, per pool
};

}  // namespace rta::trace
