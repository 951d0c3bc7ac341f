#include "rta/model/measured_company.hpp"

#include <algorithm>
#include <utility>

namespace rta {
namespace {

std::string in_percent(Lengthening more) {
  const Lengthening tenths = (std::max<Lengthening>(0, more) + whole_time / 1000 - 1) / (whole_time / 1000);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

}  // namespace

std::vector<NotCounted> not_counted(const MeasuredCompany& measured) {
  std::vector<NotCounted> all;
  for (const auto& [where, what] : {std::pair("copies", "copies"), std::pair("CPUs", "processors at work on memory")}) {
    const MeasuredCompany::Row* worst = nullptr;
    std::size_t victim = 0;
    for (const MeasuredCompany::Row& row : measured.rows) {
      if (row.where != where || row.beside.find(", and ") != std::string::npos) continue;  // with blocks, whose part is counted
      for (std::size_t c = 0; c < std::min(row.more.size(), measured.classes.size()); ++c) {
        if (!row.more[c] || (worst != nullptr && *row.more[c] <= *worst->more[victim])) continue;
        worst = &row;
        victim = c;
      }
    }
    if (worst == nullptr) continue;
    const Lengthening more = *worst->more[victim];
    all.push_back({std::string(what) + ", not counted: at most " + in_percent(more) + " longer (" + measured.classes[victim] + " beside " +
                       worst->beside + ")",
                   more});
  }
  return all;
}

}  // namespace rta
