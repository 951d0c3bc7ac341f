#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <tuple>

#include "lint_printers.hpp"
#include "rta/io/digest.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

/// A path as a URI reference: relative ones stay so, for whoever knows the root.
std::string uri(const std::string& path) {
  std::string text = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' ||
                       c == '~' || c == '/';
    if (plain) {
      text += c;
    } else {
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return text;
}

Json message(std::string_view text) { return {{"text", text}}; }

/// Lines and columns of SARIF count from 1, as ours do; a finding of a file as a whole has no region.
Json location(const lint::Place& place, std::uint32_t length) {
  Json physical{{"artifactLocation", {{"uri", uri(place.file)}}}};
  if (place.line > 0) {
    Json& region = physical["region"] = {{"startLine", place.line}};
    if (place.column > 0) {
      region["startColumn"] = place.column;
      if (length > 0) region["endColumn"] = place.column + length;
    }
  }
  return {{"physicalLocation", std::move(physical)}};
}

Json rule_object(const lint::Rule& rule) {
  const std::string_view breaks = lint::statement(rule.breaks);
  return {{"id", rule.name},
          {"shortDescription", message(rule.says)},
          {"fullDescription", message(fmt::format("It {}. The bounds need this: {}.", rule.says, breaks))},
          {"help", message(fmt::format("Remedy: {}. Source: {}.", rule.remedy, rule.source))},
          {"defaultConfiguration", {{"level", to_string(rule.level)}}}};
}

Json flow(const lint::Finding& finding) {
  Json locations = Json::array();
  for (const lint::Step& step : finding.chain) {
    Json at = location(step.place, 0);
    at["message"] = message(step.text);
    locations.push_back({{"location", std::move(at)}});
  }
  return Json::array({{{"threadFlows", Json::array({{{"locations", std::move(locations)}}})}}});
}

}  // namespace

void print_lint_sarif(const LintReport& r, std::ostream& out) {
  Json rules = Json::array();
  for (const lint::Rule& rule : lint::rules()) rules.push_back(rule_object(rule));
  Json results = Json::array();
  std::map<std::tuple<std::string, lint::RuleId, std::string>, int> occurrences;
  for (const lint::Finding& finding : r.report.findings) {
    if (finding.level < r.least) continue;
    const lint::Rule& rule = lint::rule(finding.rule);
    const int number = occurrences[{finding.place.file, finding.rule, finding.message}]++;
    Json result{{"ruleId", rule.name}, {"ruleIndex", static_cast<int>(finding.rule)}, {"level", to_string(finding.level)}};
    result["message"] = message(fmt::format("{}. Remedy: {}.", finding.message, rule.remedy));
    result["locations"] = Json::array({location(finding.place, finding.length)});
    if (!finding.chain.empty()) result["codeFlows"] = flow(finding);
    // The same finding keeps it when lines move.
    result["partialFingerprints"] = {
        {"ruleAndMessage/v1", io::sha256(fmt::format("{}\n{}\n{}\n{}", finding.place.file, rule.name, finding.message, number))}};
    result["suppressions"] = Json::array();
    if (finding.allowed) result["suppressions"].push_back({{"kind", "inSource"}, {"justification", *finding.allowed}});
    results.push_back(std::move(result));
  }
  Json notifications = Json::array();
  for (const std::string& remark : r.report.remarks) notifications.push_back({{"level", "note"}, {"message", message(remark)}});
  Json run{{"tool", {{"driver", {{"name", "rta lint"}, {"semanticVersion", RTA_VERSION}, {"rules", std::move(rules)}}}}},
           {"columnKind", "unicodeCodePoints"},
           {"invocations", Json::array({{{"executionSuccessful", true}, {"toolExecutionNotifications", std::move(notifications)}}})},
           {"results", std::move(results)}};
  const Json log{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
  out << log.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace rta::report
