// One job of a profile as a graph: what ran on the CPU and on the GPU, and what waited for what.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "jobs.hpp"

namespace rta::convert {

/// A node of one job.
struct Step {
  std::uint64_t likeness = 0;  // steps of different jobs may be the same node only if this is equal
  std::int64_t start = 0;
  std::int64_t duration = 0;           // ns
  std::uint32_t operation = no_index;  // of a step on the GPU
  std::uint32_t thread = no_index;     // of a step on the CPU: 0 is the job's own, others in the order in which they come
  std::uint32_t launch = 0;            // of a step on the GPU: the launch that it shares with others, from 1 on; 0: it was launched alone
  bool on_cpu = false;
  bool timed = true;  // false: its duration says nothing
};

/// What could not be made an edge.
struct Unclear {
  std::uint64_t other_job = 0;       // waits for what another job launched
  std::uint64_t no_record = 0;       // waits of a stream for an event whose record is not in the file: taken to be for all streams
  std::uint64_t late_record = 0;     // waits for an event whose record came later: taken to be for all that its stream had been given
  std::uint64_t contradictory = 0;   // waits for what ended after them
  std::uint64_t no_launch = 0;       // operations whose launch is not in the file, nor any other of their process
  std::uint64_t assumed_launch = 0;  // operations whose launch is not in the file, though others are
  std::uint64_t graph = 0;           // operations that one call launched together

  void operator+=(const Unclear& other);
};

/// Steps in the order in which the program issued them; every edge leads forward.
struct JobSteps {
  std::vector<Step> steps;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::int64_t recorded = 0;   // from the start of the job to the end of its last step, without the time in which
  std::int64_t preempted = 0;  // others ran in the place of one of its threads
  Unclear unclear;
};

/// The graph of one job.
///
/// On each thread, CPU steps follow one another without a gap: from the job's start (of the thread that marked it or launched first; of
/// another thread: from the end of that one's step before) to the end of each launch, to the end of what it waited for, and to the job's
/// end. With active waits a CPU step lasts while its thread waits. GPU steps follow the launching step, the step before in their stream,
/// the NULL stream where streams are blocking, and the events that their stream waits for; what a thread does after a synchronisation
/// follows what that waited for. What one call launched together (a CUDA graph) follows what its streams had been given before; its order
/// is that of all jobs (`union_of`), and what comes behind one of it comes behind all of it that had ended.
[[nodiscard]] JobSteps steps_of(const OrderedProfile& ordered, const JobFamily& family, const Job& job, const Options& options);

}  // namespace rta::convert
