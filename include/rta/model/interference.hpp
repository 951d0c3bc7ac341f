// What blocks of kernels do to one another through caches and memory, as it was measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta {

class TaskSet;
struct GpuDemand;

/// How much longer a block takes beside others, in billionths of its time alone; 0: no longer.
using Lengthening = std::int64_t;
inline constexpr Lengthening whole_time = 1'000'000'000;
inline constexpr Lengthening most_lengthening = 1'000 * whole_time;
inline constexpr std::size_t most_classes = 64;

/// How company of several classes counts: the sum of what each does alone, or the worst of it.
enum class Combine : std::uint8_t { sum, max };

/// Of one GPU. Every row is of a victim's class, every column of that of its company.
struct Interference {
  std::vector<std::string> classes;
  std::vector<std::vector<Lengthening>> other_sm;  // while all other SMs work on that class
  std::vector<std::vector<Lengthening>> same_sm;   // while blocks of that class fill the SM; empty: durations were measured on full SMs
  Combine combine = Combine::sum;
  bool operator==(const Interference&) const = default;
};

/// The kernels beside which one may run, by their classes; of kernels without a class how many, as each may be of another.
struct Present {
  std::vector<bool> classes;
  std::size_t without = 0;
};

/// By how much company lengthens a block of that class, at most; one without a class counts as the worst, on either side.
[[nodiscard]] Lengthening lengthening(const std::vector<std::vector<Lengthening>>& matrix, Combine combine,
                                      std::optional<std::uint32_t> victim, const Present& present);

/// The kernel when each of its blocks takes that much longer than alone: L, C and `time` grow, rounded up, and count as in company.
/// Throws `Overflow`.
[[nodiscard]] GpuDemand in_company(GpuDemand kernel, Lengthening more);

/// Whether the durations of some kernel were measured alone: they are those of no theorem until company is added to them.
[[nodiscard]] bool measured_alone(const TaskSet& task_set);

}  // namespace rta
