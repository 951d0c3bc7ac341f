// Examinations of a GPU as text, JSON and an HTML page with the timelines (`Format::examination`). Nothing is computed here.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rta/examine/company.hpp"
#include "rta/examine/examination.hpp"
#include "rta/model/device_profile.hpp"

namespace rta::report {

struct ExaminationReport {
  const examine::Examination& examination;
  DeviceProfile profile;                                             // its verdicts, with the evidence where it was put
  examine::ErrorRates rates;                                         // that the judge was given
  std::vector<std::string> remarks;                                  // e.g. that time was up
  std::vector<examine::ObservedRun> simulated;                       // each probe by the rules
  std::optional<examine::Company> company;                           // what blocks do to one another, where it was measured
  std::vector<std::pair<std::string, std::string>> company_missing;  // a part of that, and why it is not known
};

/// One line: how many rules the device follows.
[[nodiscard]] std::string examination_verdict(const DeviceProfile& profile);

}  // namespace rta::report
