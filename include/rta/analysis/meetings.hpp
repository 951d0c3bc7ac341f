// Who can meet whom on a GPU whose kernels were measured alone, as the bounds have it (C1), and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// Of two kernels, of the jobs of one, or of a kernel and a copy or CPU node.
enum class Meeting : std::uint8_t {
  parallel,    // they can: in one job neither follows the other
  jobs,        // they can: one may be unfinished when the next job of their DAG is released
  dags,        // they can: no clock releases the DAGs of both
  windows,     // they can: one clock releases both DAGs, and their windows overlap
  handed_on,   // they can: one is a callback, and what follows it may start before it has ended
  order,       // never: one follows the other, and both are over before the next release
  over,        // never: each job of the kernel is over before the next release
  sequential,  // never: a job waits for the one before it
  thread,      // never: one thread plays all kernels of the DAG
  clock        // never: one clock releases both DAGs, and their windows are apart
};
[[nodiscard]] constexpr bool is_apart(Meeting meeting) { return meeting >= Meeting::order; }
[[nodiscard]] std::string_view to_string(Meeting meeting);
inline constexpr Meeting all_meetings[] = {Meeting::parallel, Meeting::jobs, Meeting::dags,       Meeting::windows, Meeting::handed_on,
                                           Meeting::order,    Meeting::over, Meeting::sequential, Meeting::thread,  Meeting::clock};

struct KernelId {
  DagId dag = 0;
  NodeId node = 0;
  bool operator==(const KernelId&) const = default;
};
/// `camera/detect`; of a task that is a single node its name.
[[nodiscard]] std::string kernel_name(const TaskSet& task_set, KernelId kernel);

/// The kernels of a GPU, partitions of it and all, and of each two of them which it is.
struct GpuMeetings {
  std::string gpu;
  std::vector<KernelId> kernels;
  std::vector<Meeting> of;  // by rows; empty where there are more than `most_kernels_met`
  /// Copies and CPU nodes that count as company here, and of each kernel, by rows, how it meets each of them.
  std::vector<KernelId> others;
  std::vector<Meeting> beside;

  [[nodiscard]] Meeting beside_at(std::size_t kernel, std::size_t other) const { return beside[kernel * others.size() + other]; }
  [[nodiscard]] Meeting at(std::size_t i, std::size_t j) const { return of[i * kernels.size() + j]; }
};
inline constexpr std::size_t most_kernels_met = 2'000;  // and others

/// Of each GPU with `interference`; none where no duration was measured alone.
[[nodiscard]] std::vector<GpuMeetings> meetings(const Proof& proof);

}  // namespace rta::analysis
