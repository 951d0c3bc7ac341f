// Largest rates in sentences.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"

namespace rta::report {

/// Releases that are T apart, in thousandths of one per second, rounded down: `67.114`.
[[nodiscard]] std::string per_second(Time T);
/// `yolo`, `camera[0] ... camera[5]`.
[[nodiscard]] std::string rate_name(const analysis::Proof& proof, const analysis::LargestRate& rate);
/// What was found, what is not met at the T that was tried below it, and what that does not say: a sentence each.
[[nodiscard]] std::vector<std::string> rate_lines(const analysis::Analysis& analysis, const analysis::LargestRate& rate);
/// `yolo passes its D: ...`.
[[nodiscard]] std::string unmet_in_words(const analysis::RateTrial& trial, const analysis::Unmet& unmet);

}  // namespace rta::report
