// Why nothing is proven: what is exceeded and by how much, or which assumption does not hold. Data; `in_words` makes sentences of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rta/analysis/gpu/configuration.hpp"
#include "rta/analysis/theorem.hpp"
#include "rta/model/pool.hpp"
#include "rta/model/quantity.hpp"
#include "rta/model/stream_priority.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis {

/// Tasks are numbered within their pool, as in the call or in `PoolProof::tasks`.
namespace reason {

/// U > capacity, of processors or of workers and engines.
struct Overload {
  PoolKind kind = PoolKind::cpu;
  Utilization U;
  Wide capacity = 0;
};

/// The same for a pool as the path bounds see it: U counts in 1/unit of a processor, worker, engine or SM.
struct PathOverload {
  std::string pool;
  Utilization U;
  Wide capacity = 0;
  Wide unit = 1;
};

/// Kernels ask for more than an SM that blocks is guaranteed to do, or the more urgent ones leave nothing to the others.
struct KernelOverload {
  Utilization U;  // G-threads
  std::uint32_t sms = 0;
  Wide guaranteed = 0;  // G-threads in use on an SM that blocks
  fifo::BlockingConfiguration worst;
  std::optional<StreamPriority> from;   // U is of the kernels of this priority or more; none: of all
  std::optional<StreamPriority> above;  // of the kernels above those in question, the least; none: there are none above
  std::optional<double> best_capacity;  // with the best weights (T6b), G-threads; for people
};

/// No weights guarantee anything.
struct NothingGuaranteed {};

/// U > g (m - H_max + h).
struct Theorem43Overload {
  Utilization U;
  std::uint32_t sms = 0;
  std::uint32_t threads = 0;  // m
  std::uint32_t H_max = 0;
  std::uint32_t h = 0;
};

/// T5 counts G-threads, but another resource can run short first.
struct OtherResourceBinds {
  fifo::BlockingConfiguration first;  // `threads_in_use` G-threads are fewer than `guaranteed`
  Wide guaranteed = 0;
};

/// A block that no SM can hold.
struct DoesNotFit {
  std::size_t task = 0;
  fifo::Resource resource = fifo::Resource::threads;
  std::uint64_t demand = 0;
  std::uint64_t capacity = 0;
};

/// T5 is for one FIFO of kernels.
struct TwoPriorities {};

/// Processes share the GPU by time slices, of which the theorem knows nothing.
struct TimeSlices {
  std::string gpu;
  Theorem theorem = Theorem::T6a;
};

/// U_w > capacity S/(S + G): the kernels need more than the slices of their context.
struct SlicesOverload {
  std::string gpu;
  Utilization U;  // in the weights that load the GPU least, as `capacity`
  Wide capacity = 0;
  Time slice;
  Time gap;
};

/// A sequential task with C > T.
struct AboveOne {
  std::size_t task = 0;
  Time C;
  Time T;
};

/// The theorem is for pools whose tasks are all sequential.
struct NotSequential {
  Theorem theorem = Theorem::T3;
  std::size_t sequential = 0;
  std::size_t all = 0;
};

/// T4 is for Y = T.
struct NotImplicit {};

/// No theorem for a pool without preemption.
struct NeedsPreemption {
  enum class Since : std::uint8_t {
    by_T4,           // asked for
    released_early,  // before their offsets
    suspended        // jobs of groups leave their processors while they await kernels
  };
  Scheduler scheduler = Scheduler::g_edf;
  Since since = Since::released_early;
};

/// Released early or in groups no theorem bounds DAGs that use this pool, or share pools with some that do, directly or through others.
struct FixedPriorities {
  std::string pool;
};

/// A sequential task whose job may wait for its predecessor: R + J > T, or no bound at all (T3s).
struct MayWait {
  PoolKind kind = PoolKind::cpu;
  std::size_t task = 0;
  std::optional<Time> R;
  Time J;
  Time T;
  bool all_sequential = false;
};

/// The same under release on completion or on segments.
struct MayWaitOnPath {
  std::string node;
  Time R;  // from its DAG's or segment's release
  Time T;
};

/// The bound passes a limit.
struct PastLimit {
  std::string dag;
  std::string pool;  // on which most of the waiting is
  double load = 0;   // of that pool, 1: full; for people
  Time limit;
  std::int64_t periods = 0;  // so many periods are the limit; 0: the limit is a time
};

/// The fixed point was not reached.
struct StillGrows {
  std::size_t rounds = 0;
  bool of_groups = false;
};

/// Whoever waits had enough.
struct Stopped {};

/// The search would take too long.
struct TooManyNodes {
  enum class For : std::uint8_t { points, cuts };
  For what = For::points;
};

/// The static order that was found ends after its hyperperiod.
struct OrderTooLong {
  Time length;
  Time hyperperiod;
};

/// A number left the exact range.
struct OutOfRange {
  std::string what;
};

/// The memory that there is, or that the user allows, does not suffice.
struct OutOfMemory {};

/// Groups of nodes join this pool to one that has no bound.
struct TiedTo {
  std::string pool;
};

/// The linear program of T2 was not solved in time.
struct NoOptimum {
  std::int64_t milliseconds = 0;
};

/// Some node before it, or of it, has no bound.
struct NodeWithout {};

}  // namespace reason

/// What is missing or exceeded.
using Reason =
    std::variant<reason::NodeWithout, reason::Overload, reason::PathOverload, reason::KernelOverload, reason::NothingGuaranteed,
                 reason::Theorem43Overload, reason::OtherResourceBinds, reason::DoesNotFit, reason::TwoPriorities, reason::AboveOne,
                 reason::NotSequential, reason::NotImplicit, reason::NeedsPreemption, reason::FixedPriorities, reason::MayWait,
                 reason::MayWaitOnPath, reason::PastLimit, reason::StillGrows, reason::Stopped, reason::TooManyNodes, reason::OutOfRange,
                 reason::OutOfMemory, reason::TiedTo, reason::NoOptimum, reason::OrderTooLong, reason::TimeSlices, reason::SlicesOverload>;

}  // namespace rta::analysis
