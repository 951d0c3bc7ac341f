// What a simulation may vary: releases, execution times, placement of blocks, streams, ties.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rta/model/body.hpp"
#include "rta/model/limit.hpp"
#include "rta/model/quantity.hpp"

namespace rta::simulate {

/// Where the next block of the EE queue's head goes, among the SMs that can hold it. Ties: the SM with the lowest index.
/// Free is counted in G-threads. Round robin goes on after the SM that got the previous block.
enum class Placement : std::uint8_t { most_free, least_free, first_fit, round_robin, random };
[[nodiscard]] std::string_view to_string(Placement placement);

/// Rules of the copy engine: C1-C6 with the CE waiting queue (Yang 2020, 3.1.2), or C1-C4 without it (Amert et al. 2017).
enum class CopyRules : std::uint8_t { yang2020, amert2017 };
[[nodiscard]] std::string_view to_string(CopyRules rules);

/// Streams of kernels and copies: a stream of its own for every job, or one per node.
enum class Streams : std::uint8_t { per_job, per_task };
[[nodiscard]] std::string_view to_string(Streams streams);

/// How a GPU that processes share by time slices serves their contexts. Round robin: a slice for each that has work, in turn, and a switch
/// before it; a context alone goes on. `worst`: each as if all others always had work and came first, so that it waits G for each slice.
enum class SliceOrder : std::uint8_t { round_robin, worst };
[[nodiscard]] std::string_view to_string(SliceOrder order);

/// How the blocks of a kernel whose duration is known share it where they run in several waves: each wave as long as the others, or the
/// first blocks as long as any may be and the others what is left. Either way the kernel takes its duration where it has the GPU for
/// itself.
enum class BlockTimes : std::uint8_t { even, long_first };
[[nodiscard]] std::string_view to_string(BlockTimes times);

/// Order of what happens at one instant. `in_order`: first all ends, in the order of their starts; then releases, by DAG, job and
/// node; then dispatching. Equal priority points and equal fixed priorities: first come, first served. `random`: arrivals of one instant
/// are shuffled, and equal priority points are ordered at random, as are equal fixed priorities on pools that take equals in any order.
enum class Ties : std::uint8_t { in_order, random };
[[nodiscard]] std::string_view to_string(Ties ties);

/// Millionths of a worst case.
using PartsPerMillion = std::uint32_t;
inline constexpr PartsPerMillion whole = 1'000'000;

/// Every execution time is drawn uniformly from [least, most] times the worst case, rounded down (a job on a CPU, a copy, a block or an
/// item each on its own), of periodic DAGs no less than what they declare. Least = most gives a fixed fraction. Requires least <= most <=
/// whole.
struct Execution {
  PartsPerMillion least = whole;
  PartsPerMillion most = whole;
  bool operator==(const Execution&) const = default;
};
inline constexpr Execution worst_case{};
inline constexpr Execution uniform{0, whole};

/// When DAGs are released, nominally: first at their phase, then T + a delay drawn uniformly from [0, jitter x T] after the release before,
/// at most T_max where the DAG has one. Those of a periodic DAG come at its own phase and every T, whatever is said here. A DAG's own
/// jitter makes each release late by a time drawn uniformly from it.
struct Releases {
  std::vector<Time> phases;    // per DAG, >= 0; empty: the DAGs' own, or 0
  bool random_phases = false;  // drawn from [0, T); added to `phases`
  PartsPerMillion jitter = 0;  // may exceed `whole`
  bool operator==(const Releases&) const = default;
};

/// Of durations and phases: 36 years.
inline constexpr Time longest_time{std::int64_t{1} << 60};

/// One node of a job that a scenario fixes.
struct ScenarioNode {
  PartsPerMillion execution = whole;  // of the worst case, rounded down: all pieces alike
  std::uint32_t rank = 0;             // at most `most_rank`; of what ties decides the least comes first, then as with `in_order`
  std::optional<Time> takes = {};     // in place of `execution`: each piece, no more than its worst case
  bool operator==(const ScenarioNode&) const = default;
};
inline constexpr std::uint32_t most_rank = (1U << 20) - 1;

/// One job of a DAG that a scenario fixes.
struct ScenarioJob {
  Time release;
  std::vector<ScenarioNode> nodes;
  bool operator==(const ScenarioJob&) const = default;
};

struct Options {
  Time duration{1'000'000'000};  // DAGs are released in [0, duration); what was released then runs to its end
  Releases releases;
  Execution execution;
  bool vary = false;                                   // nodes with a `variation` draw from it instead
  std::vector<std::vector<Execution>> node_execution;  // per DAG and node, instead of `execution`; empty: none
  /// Per DAG, by release: these jobs and no others, in place of duration, releases, execution and ties. Empty: none.
  std::vector<std::vector<ScenarioJob>> jobs;
  Bodies bodies;  // of the schedule: part of what is played, as its offsets are
  Placement placement = Placement::most_free;
  CopyRules copy_rules = CopyRules::yang2020;
  Streams streams = Streams::per_job;
  SliceOrder slices = SliceOrder::round_robin;
  BlockTimes block_times = BlockTimes::even;
  Ties ties = Ties::in_order;
  std::uint64_t seed = 1;
  std::uint32_t max_jobs_in_flight = 1U << 22;  // node jobs; an overloaded system ends here. At most 2^24 - 1
  Limit limit;                                  // ends the run with the statistics so far
};

}  // namespace rta::simulate
