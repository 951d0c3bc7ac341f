// Examinations of a GPU as text, JSON and an HTML page with the timelines. Nothing is computed here.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "rta/examine/examination.hpp"
#include "rta/model/device_profile.hpp"

namespace rta::report {

struct ExaminationReport {
  const examine::Examination& examination;
  DeviceProfile profile;             // its verdicts, with the evidence where it was put
  examine::ErrorRates rates;         // that the judge was given
  std::vector<std::string> remarks;  // e.g. that time was up
};

/// `format`: text, json or html.
void print_examination(const ExaminationReport& report, std::string_view format, std::ostream& out);

/// One line: how many rules the device follows.
[[nodiscard]] std::string examination_verdict(const DeviceProfile& profile);

}  // namespace rta::report
