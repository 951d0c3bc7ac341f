// How many jobs of a DAG are under way at one instant, and how many buffers its edges need.
#pragma once

#include <cstdint>
#include <optional>

#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// The most jobs of DAG d that are released and unfinished at one instant: their releases lie within less than R, and of k of them the
/// first and the last are (k - 1) T - J apart or more, so ceil((R + J)/T). None without a bound.
[[nodiscard]] std::optional<std::int64_t> jobs_in_flight(const Proof& proof, DagId d);

/// The longest time from the admission of a job of DAG d to its end: its bound; with a limit of jobs under way, for which jobs may wait,
/// T38's H. None where nothing is proven.
[[nodiscard]] std::optional<Time> from_admission(const Proof& proof, DagId d);

/// The most results of `edge.from` that are being written, or may still be read by `edge.to`, at one instant: those of a job from S after
/// its release, before which `from` does not start (its offset or its segment's, else 0), until F, by which `to` has ended. So
/// ceil((F - S + J)/T). None where `to` has no bound.
[[nodiscard]] std::optional<std::int64_t> buffers(const Proof& proof, DagId d, const Edge& edge);

}  // namespace rta::analysis
