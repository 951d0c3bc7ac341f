// A profile cut into jobs: by what the program marked, or by what repeats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../notes.hpp"
#include "profile.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

constexpr std::uint32_t no_index = ~std::uint32_t{0};

/// A profile with its calls and operations in the order in which the program made and launched them.
class OrderedProfile {
 public:
  explicit OrderedProfile(Profile profile);

  [[nodiscard]] const Profile& profile() const { return profile_; }
  /// Operations in the order of their launches.
  [[nodiscard]] std::span<const std::uint32_t> launched() const { return launched_; }
  /// The call that launched an operation; `no_index` when it is not in the file.
  [[nodiscard]] std::uint32_t call_of(std::uint32_t operation) const { return call_of_[operation]; }
  /// When an operation was launched: the start of its call, or its own where that is not in the file.
  [[nodiscard]] std::int64_t launch_time(std::uint32_t operation) const;
  /// Calls by start, those of one instant by end.
  [[nodiscard]] std::span<const std::uint32_t> calls() const { return calls_; }
  /// What a call waited for, as the driver recorded it; null when it did not.
  [[nodiscard]] const Synchronisation* synchronisation_of(std::uint32_t call) const;
  /// The call that has a correlation in a process; `no_index` when there is none.
  [[nodiscard]] std::uint32_t call_with(std::uint32_t process, std::int64_t correlation) const;
  /// The number of a context's NULL stream: as recorded, or the first stream that is no non-blocking one, or CUPTI's number for it.
  [[nodiscard]] std::int64_t null_stream(std::uint32_t process, std::int64_t context) const;

 private:
  Profile profile_;
  std::vector<std::uint32_t> launched_, call_of_, calls_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> by_correlation_;
  std::vector<std::uint32_t> synchronisation_;  // of each call
};

/// One execution of what becomes a DAG.
struct Job {
  std::int64_t start = 0, end = 0;
  std::uint32_t thread = no_index;        // that marked it
  std::vector<std::uint32_t> operations;  // in the order of their launches
};

/// The executions of what becomes one DAG.
struct JobFamily {
  std::string name;
  std::uint32_t process = 0;
  bool marked = false;  // jobs are ranges of the program: all between start and end belongs to them
  std::vector<Job> jobs;
};

/// The families of jobs in a profile; what was found is told in `notes`. Throws `io::InputError` when a marker that the options name is not
/// in the file, or nothing was launched on a GPU.
[[nodiscard]] std::vector<JobFamily> find_jobs(const OrderedProfile& ordered, const Options& options, Notes& notes);

/// Where a sequence repeats: from `first` on, an element equals the one `period` further on.
struct Repetition {
  std::size_t first;
  std::size_t period;
};
/// The repetition at the end of a sequence that covers most of it, at least half, and two periods; the shortest of those that cover about
/// as much. O(n).
[[nodiscard]] std::optional<Repetition> find_repetition(std::span<const std::uint32_t> sequence);

}  // namespace rta::convert
