// T40: history edges that never delay.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// What is known of a history edge of DAG d by the bounds of the set without history edges.
struct HistoryMargin {
  std::optional<Time> F;  // `from` ends within F of its job's release; none: it has no bound
  Time ready;             // `to` is ready no sooner after its job's release
  Wide within = 0;        // k T - J + ready: F is no more where the edge never delays
  bool alone = false;     // each job is admitted when all before have ended
  [[nodiscard]] bool never_delays() const { return alone || (F && F->count() <= within); }
};
[[nodiscard]] HistoryMargin history_margin(const Proof& proof, DagId d, const HistoryEdge& edge);

/// The first of the DAG's history edges that may delay.
[[nodiscard]] std::optional<HistoryEdge> first_that_may_delay(const Proof& proof, DagId d);

/// The most results of `edge.from` that are being written, or may still be read by `edge.to`, at one instant: those of the last jobs whose
/// reader may not have ended, and of the `edge.jobs` after them. None where `to` has no bound.
[[nodiscard]] std::optional<std::int64_t> buffers(const Proof& proof, DagId d, const HistoryEdge& edge);

/// The stream whose edge it is; empty: one of `after`.
[[nodiscard]] std::string_view stream_of(const Dag& dag, const HistoryEdge& edge);

}  // namespace rta::analysis
