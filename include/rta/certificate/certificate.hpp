// A proof as a certificate: statements that another program verifies without any search (docs/certificates.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/proof.hpp"
#include "rta/model/task_set.hpp"
#include "rta/static_order/schedule.hpp"

namespace rta::certificate {

struct Certificate {
  std::string text;
  std::vector<std::string> uncertified;  // `dag` or `dag/node`, with its theorem: bounds that it does not carry
};

/// `file`: the task set as its file says it; what the analysis changed (schedulers, a measured device) is stated as an assumption.
/// `sha256`: that of the file.
[[nodiscard]] Certificate certificate_of(const analysis::Proof& proof, const TaskSet& file, std::string_view sha256);

/// The same of a static order: `proof` is that of `order`, whose epochs are the DAGs.
[[nodiscard]] Certificate certificate_of(const analysis::Proof& proof, const static_order::ScheduledHyperepoch& order, const TaskSet& file,
                                         std::string_view sha256);

}  // namespace rta::certificate
