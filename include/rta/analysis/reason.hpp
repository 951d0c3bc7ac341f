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
  bool awaiting = false;  // U counts what groups await of kernels, as far as it is known
};

/// The same for a pool as the path bounds see it: U counts in 1/unit of a processor, worker, engine or SM.
struct PathOverload {
  std::string pool;
  Utilization U;
  Wide capacity = 0;
  Wide unit = 1;
};

/// Release jitter counts as releases T - J apart where no theorem does better: more work than the pool can do, which has room for what is
/// released every T.
struct CloserReleases {
  enum class Why : std::uint8_t {
    slices,       // of a GPU: T12 knows none
    early,        // releases before their offsets
    asked_for,    // T3, T4 or T1 as published
    groups,       // which await kernels
    out_of_range  // numbers of theorems that do better
  };
  std::string pool;  // empty: the one whose reason it is
  Why why = Why::slices;
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

/// T27: kernels that have the GPU one after another would need more than all of the time.
struct BusyAlone {
  Utilization U;
};

/// Kernels that are known by their duration alone have no weights.
struct NoBlocks {};

/// Kernels some blocks of which start together: such a kernel waits at the head of the queue while every SM has room, so that no theorem
/// counts the blocks of any kernel of its GPU. By durations there are bounds.
struct StartTogether {
  std::size_t task = 0;  // one whose duration is not known, or else any
  std::uint32_t cluster = 1;
  bool cooperative = false;
  bool has_duration = false;
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
  bool awaiting = false;  // C counts what the group awaits of kernels, as far as it is known
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
    as_published,    // likewise
    released_early,  // before their offsets
    suspended        // jobs of groups leave their processors while they await kernels
  };
  Scheduler scheduler = Scheduler::g_edf;
  Since since = Since::released_early;
};

/// FIFO is by ready time: a node that is released early may be ready before what its offset is after.
struct ReadyEarly {
  std::size_t task = 0;
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
  bool by_ready_time = false;          // on processors under FIFO: whoever has waited queues behind whatever came meanwhile
  Theorem by_release = Theorem::none;  // that bounds it by the order of releases, if all of the pool's nodes are sequential
  bool awaiting = false;               // R counts what groups await of kernels, as far as it is known
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

/// The linear program of T2 was not solved.
struct NoOptimum {
  std::int64_t steps = 0;  // that the simplex method may take
};

/// T21h: more jobs may hold threads at once than there are.
struct HeldTooLong {
  std::string dag;
  Time H;
  std::uint32_t threads = 1;
  Time T;
};

/// T21b: more jobs may be under way at once than there are threads.
struct MoreThanThreads {
  std::string dag;
  Time F;
  std::uint32_t threads = 1;
  Time T;
};

/// T41: a thread spins beside what it is not for.
struct SpinsBeside {
  enum class What : std::uint8_t { no_threads, order, stream_priorities, time_slices };
  std::string dag;
  What what = What::no_threads;
  std::string other;             // the DAG without threads, or the pool
  std::uint64_t threads = 0;     // order: that have nodes on the pool
  std::uint64_t processors = 0;  // order: of it
};

/// T38: by the theorems for DAGs without a limit more jobs may be under way at once than the limit, so that some wait to be admitted.
struct MayWaitForOthers {
  std::string dag;
  std::optional<Time> F;  // none: not even they bound it
  std::uint32_t in_flight = 1;
  Time T;  // nominal
  Time jitter;
};

/// T40: by the theorems for DAGs without history edges a node may still run when the node of a later job that waits for it could be ready.
struct MayWaitForEarlier {
  std::string dag, from, to, stream;  // `stream`: whose edge it is; empty: one of `after`
  std::optional<Time> F;              // of `from`, from its release; none: not even they bound it
  std::uint32_t jobs = 1;
  Time T;  // nominal
  Time jitter;
  Time offset;  // `to` is ready no sooner after its release
};

/// T38: jobs may come faster than they are admitted and end.
struct ComesTooFast {
  std::string dag;
  Time H;  // from admission to end, at most
  std::uint32_t in_flight = 1;
  Time T;  // nominal
  Time jitter;
};

/// T21b: a thread goes on with its processor, on a pool whose theorems know of nodes that run to their ends.
struct RunsToItsEnd {
  std::string dag, first, second, pool;
};

/// A callback of an executor, and how much of a thread's time it takes.
struct Share {
  std::string callback;
  double U = 0;  // for people
};

/// T19, T20: an executor's threads have more to do than they can, or a group of its callbacks more than one of them can.
struct ExecutorOverload {
  std::string pool;
  Utilization U;
  std::uint32_t threads = 1;
  std::uint32_t group = 0;                                // of a `path::Node`; 0: all callbacks of the executor together
  std::string group_name = {};                            // empty: that of callbacks that name none
  std::vector<Share> most = {};                           // the callbacks that take most, the largest first
  std::optional<Reservation> reservation = std::nullopt;  // which gives less than that
  std::optional<std::string> starved = std::nullopt;      // by priority: the most urgent callback for which nothing is left
};

/// The bound of a DAG grows without limit on an executor, though no thread or group has too much to do.
struct ExecutorGrows {
  PastLimit past;
  std::uint32_t threads = 1;
  std::optional<std::string> group = std::nullopt;  // that which takes most, of several threads; empty: that of callbacks that name none
  double of_group = 0;                              // how much of one thread's time it takes
  std::vector<Share> most = {};
};

/// T19: what shares DAGs or pools with an executor under the wait-set rule, and has no theorem there.
struct BesideExecutor {
  enum class What : std::uint8_t { points_without_preemption, stream_priorities, time_slices, threads, too_many_nodes };
  What what = What::points_without_preemption;
  std::string which;  // pool, GPU or DAG
  std::string executor;
};

/// Some node before it, or of it, has no bound.
struct NodeWithout {};

}  // namespace reason

/// What is missing or exceeded.
using Reason = std::variant<reason::NodeWithout, reason::Overload, reason::PathOverload, reason::CloserReleases, reason::KernelOverload,
                            reason::NothingGuaranteed, reason::Theorem43Overload, reason::OtherResourceBinds, reason::DoesNotFit,
                            reason::TwoPriorities, reason::AboveOne, reason::NotSequential, reason::NotImplicit, reason::NeedsPreemption,
                            reason::ReadyEarly, reason::FixedPriorities, reason::MayWait, reason::MayWaitOnPath, reason::PastLimit,
                            reason::StillGrows, reason::Stopped, reason::TooManyNodes, reason::OutOfRange, reason::OutOfMemory,
                            reason::TiedTo, reason::NoOptimum, reason::OrderTooLong, reason::TimeSlices, reason::SlicesOverload,
                            reason::BusyAlone, reason::NoBlocks, reason::StartTogether, reason::HeldTooLong, reason::MoreThanThreads,
                            reason::MayWaitForOthers, reason::MayWaitForEarlier, reason::ComesTooFast, reason::RunsToItsEnd,
                            reason::ExecutorOverload, reason::ExecutorGrows, reason::BesideExecutor, reason::SpinsBeside>;

}  // namespace rta::analysis
