#include "rta/report/machine_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

namespace rta::report {
namespace {

void print_json(const std::vector<validation::Finding>& findings, std::ostream& out) {
  nlohmann::ordered_json json;
  json["schema"] = 1;
  json["fit"] = validation::is_fit(findings);
  json["findings"] = nlohmann::ordered_json::array();
  for (const validation::Finding& finding : findings) {
    json["findings"].push_back(
        {{"subject", finding.subject}, {"severity", to_string(finding.severity)}, {"text", finding.text}, {"remedy", finding.remedy}});
  }
  out << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

}  // namespace

void print_findings(const std::vector<validation::Finding>& findings, bool json, std::ostream& out) {
  if (json) {
    print_json(findings, out);
    return;
  }
  std::size_t width = 0;
  for (const validation::Finding& finding : findings) width = std::max(width, finding.subject.size());
  for (const validation::Finding& finding : findings) {
    out << fmt::format("{:<8}  {:<{}}  {}\n", to_string(finding.severity), finding.subject, width, finding.text);
    if (!finding.remedy.empty()) out << fmt::format("{:<8}  {:<{}}  -> {}\n", "", "", width, finding.remedy);
  }
}

}  // namespace rta::report
