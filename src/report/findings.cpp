#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "findings_printers.hpp"
#include "report/parts/text_table.hpp"

namespace rta::report {

void print_findings_text(const std::vector<validation::Finding>& findings, std::ostream& out) {
  std::vector<Row> rows;
  for (const validation::Finding& finding : findings) {
    rows.push_back({fmt::format("{:<8}", to_string(finding.severity)), finding.subject, finding.text});
    if (!finding.remedy.empty()) rows.push_back({"", "", "-> " + finding.remedy});
  }
  print_table(out, rows, 3, 0);
}

void print_findings_json(const std::vector<validation::Finding>& findings, std::ostream& out) {
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

}  // namespace rta::report
