// Compiling a graph: the best static schedule that a search finds, its proof, and how far from the best possible it can be.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "rta/static_order/graph.hpp"
#include "rta/static_order/proof.hpp"
#include "rta/static_order/schedule.hpp"

namespace rta::static_order {

/// What is made small once all deadlines are met: the end of the last runnable; the largest of end - due time; the longest time from a
/// frame's start to its end.
enum class Objective : std::uint8_t { length, lateness, end_to_end };
[[nodiscard]] std::string_view to_string(Objective objective);

/// How kernels whose blocks are known share a GPU: whichever gives the shortest schedule; one at a time; by weights (T15w); by streams
/// (T15g).
enum class GpuSharing : std::uint8_t { best, one, weights, streams };
[[nodiscard]] std::string_view to_string(GpuSharing sharing);

/// Between rounds: the hyperepoch at work, its length so far, and a length that no schedule is below.
struct CompileProgress {
  const std::string& hyperepoch;
  Time length;
  Time lower_bound;
};

struct CompileOptions {
  Objective objective = Objective::length;
  Submittee submittee = Submittee::after;
  GpuSharing gpu = GpuSharing::best;
  std::uint64_t seed = 1;
  /// Rounds of search for each hyperepoch. With it the result depends neither on the clock nor on the number of threads.
  std::optional<std::uint64_t> effort;
  std::optional<std::chrono::nanoseconds> time_limit;  // of all hyperepochs together
  unsigned threads = 0;                                // 0: one per processor
  std::stop_token stop;
  std::function<void(const CompileProgress&)> progress;
};

/// Why no schedule can be shorter, or in time.
struct Obstacle {
  enum class Kind : std::uint8_t { chain, resource, resources, gpu, search };
  Kind kind = Kind::chain;
  std::vector<std::string> resources;  // resource: one; resources: one of which each runnable needs; gpu: it and what of its SMs is short
  std::vector<std::string> runnables;  // chain: in order
  Time from;                           // when the first of them can start
  Time work;                           // how long they take from then on, at least
  Time late;                           // the least by which one of them is late; at most 0: it need not be
};

struct CompiledHyperepoch {
  HyperepochProof proof;
  /// Time or lateness, as the objective counts it, of this schedule and of the best possible one, which is not below the latter.
  Time objective;
  Time objective_bound;
  Obstacle reason;               // of `objective_bound`
  std::optional<Obstacle> late;  // why no schedule meets all deadlines and the period, if that is proven
  enum class Ending : std::uint8_t { optimal, effort, time_limit, stopped };
  Ending ending = Ending::optimal;
  [[nodiscard]] bool feasible() const { return proof.lateness <= Time::zero(); }
};

struct Compilation {
  Schedule schedule;  // `graph` and `graph_sha256` are the caller's to fill in
  std::vector<CompiledHyperepoch> hyperepochs;
  [[nodiscard]] bool feasible() const;
};

/// Throws `UserError` for a graph that is too large or whose streams nobody can serve.
[[nodiscard]] Compilation compile(const Graph& graph, const CompileOptions& options);

}  // namespace rta::static_order
