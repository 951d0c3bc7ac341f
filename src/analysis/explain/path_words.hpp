// What inequalities of whole paths name: pools and counted jobs.
#pragma once

#include <string>

#include "rta/analysis/path/path.hpp"
#include "rta/analysis/path/sums.hpp"

namespace rta::analysis {

[[nodiscard]] std::string order_in_words(const path::Pool& pool);
[[nodiscard]] std::string capacity_in_words(const path::Pool& pool);
[[nodiscard]] std::string jobs_in_words(const path::CountedJobs& jobs);
/// T10d's.
[[nodiscard]] std::string whole_in_words(const path::CountedJobs::Whole& whole);

}  // namespace rta::analysis
