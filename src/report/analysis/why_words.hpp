// A bound taken apart, in words.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"

namespace rta::report {

/// `camera: bound 36.2 ms, D = 20 ms, along capture -> detect`.
[[nodiscard]] std::string why_heading(const analysis::Proof& proof, const analysis::Why& why);

/// Parts that are due to the same thing, as one.
struct WhySum {
  std::string what;
  analysis::Cause cause = analysis::Cause::rounding;
  Time length;
};
/// In the order of the parts. Work of DAGs that are equal but for their name shares one.
[[nodiscard]] std::vector<WhySum> why_sums(const analysis::Proof& proof, const analysis::Why& why);

/// A row per sum, what and how long; the last one is the whole.
[[nodiscard]] std::vector<std::vector<std::string>> why_rows(const analysis::Proof& proof, const analysis::Why& why);

/// Where the execution on the longest path exceeds the deadline: that no schedule can meet it. Else empty.
[[nodiscard]] std::string hopeless_in_words(const analysis::Proof& proof, const analysis::Why& why);

/// How many DAGs miss a deadline and are not taken apart; empty when all are.
[[nodiscard]] std::string left_out_in_words(const analysis::Analysis& analysis);

}  // namespace rta::report
