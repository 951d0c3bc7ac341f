// A profile cut into jobs: by what the program marked, or by what repeats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "../notes.hpp"
#include "profile.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

constexpr std::uint32_t no_index = ~std::uint32_t{0};

/// The first call that has a correlation in a process.
class CallsByCorrelation {
 public:
  CallsByCorrelation() = default;
  /// `calls`: those of the profile in the order in which they began.
  CallsByCorrelation(const Profile& profile, std::span<const std::uint32_t> calls);
  /// `no_index` where there is none, and for a negative correlation. The profile is the one that this was made of.
  [[nodiscard]] std::uint32_t find(const Profile& profile, std::uint32_t process, std::int64_t correlation) const;

 private:
  std::vector<std::uint32_t> calls_;  // by process and correlation, then as they began
};

/// A profile with its calls and operations in the order in which the program made and launched them.
class OrderedProfile {
 public:
  /// What cannot be true in the profile is mended or refused first; `notes` tell.
  OrderedProfile(Profile profile, Notes& notes);

  [[nodiscard]] const Profile& profile() const { return profile_; }
  /// Operations in the order of their launches.
  [[nodiscard]] std::span<const std::uint32_t> launched() const { return launched_; }
  /// The call that launched an operation; `no_index` when it is not in the file.
  [[nodiscard]] std::uint32_t call_of(std::uint32_t operation) const { return call_of_[operation]; }
  /// When an operation was launched: the start of its call. Where that is not in the file, the latest that it can have been: the start of
  /// the operation, or of the call that launched the next one of its stream, or in which its thread was then.
  [[nodiscard]] std::int64_t launch_time(std::uint32_t operation) const;
  /// The thread that launched an operation; where its call is not in the file, the one that launched the next one of its stream, or the
  /// one before, or others of its process. `no_index` when none is known.
  [[nodiscard]] std::uint32_t launching_thread(std::uint32_t operation) const;
  /// Calls by start, those of one instant by end.
  [[nodiscard]] std::span<const std::uint32_t> calls() const { return calls_; }
  /// What a call waited for, as the driver recorded it; null when it did not.
  [[nodiscard]] const Synchronisation* synchronisation_of(std::uint32_t call) const;
  /// Whether some stream waited by a call that nothing names.
  [[nodiscard]] bool has_lost_waits() const { return has_lost_waits_; }
  /// The call that has a correlation in a process; `no_index` when there is none.
  [[nodiscard]] std::uint32_t call_with(std::uint32_t process, std::int64_t correlation) const;
  /// The number of a context's NULL stream: as recorded, or the first stream that is no non-blocking one, or CUPTI's number for it.
  [[nodiscard]] std::int64_t null_stream(std::uint32_t process, std::int64_t context) const;

 private:
  void find_priorities();
  void find_launched_together();
  void assume_launches();

  struct Launch {
    std::int64_t time = 0;
    std::uint32_t thread = no_index;
  };
  Profile profile_;
  std::vector<std::uint32_t> launched_, call_of_, calls_;
  std::unordered_map<std::uint32_t, Launch> assumed_;  // of operations without a call
  CallsByCorrelation by_correlation_;
  std::vector<std::uint32_t> synchronisation_;  // of each call
  bool has_lost_waits_ = false;
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

/// Records that cannot be true, because of what CUDA promises: the end of an operation that outlasts the next one of its stream, or a
/// synchronisation that waited for it, is cut; one without times, that ends before it begins, that begins before its launch or lasts
/// hundreds of times as long as all that the program did is left without times. Counted in `notes`; throws from 1 % of them on. Returns the
/// call that launched each operation that is left; `no_index` for those that have none.
[[nodiscard]] std::vector<std::uint32_t> leave_out_untrue(Profile& profile, const CallsByCorrelation& calls, Notes& notes);

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
