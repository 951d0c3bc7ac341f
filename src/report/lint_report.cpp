#include "rta/report/lint_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "io/shown_text.hpp"
#include "lint_printers.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

std::string where(const lint::Place& place) { return fmt::format("{}:{}:{}", place.file, place.line, place.column); }

const char* colour_of(lint::Level level) { return level == lint::Level::error ? "1;31" : level == lint::Level::warning ? "1;35" : "1;36"; }

std::string counted(std::size_t count, std::string_view word) { return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s"); }

std::size_t count_of(const lint::Report& report, lint::Level level) {
  std::size_t count = 0;
  for (const lint::Finding& finding : report.findings) {
    if (!finding.allowed && finding.level == level) ++count;
  }
  return count;
}

std::string summary(const LintReport& r) {
  std::string found;
  for (const lint::Level level : {lint::Level::error, lint::Level::warning, lint::Level::note}) {
    const std::size_t count = level < r.least ? 0 : count_of(r.report, level);
    if (count > 0) found += (found.empty() ? "" : ", ") + counted(count, to_string(level));
  }
  if (found.empty()) found = "nothing found";
  std::size_t allowed = 0;
  for (const lint::Finding& finding : r.report.findings) allowed += finding.allowed ? 1 : 0;
  found += fmt::format(" in {}", counted(r.report.files, "file"));
  if (allowed > 0) found += fmt::format("; {} allowed by marks", allowed);
  if (r.report.acquitted > 0) found += fmt::format("; {} harmless by the device profile", counted(r.report.acquitted, "call"));
  return found;
}

}  // namespace

void print_lint_text(const LintReport& r, std::ostream& out) {
  for (const lint::Finding& finding : r.report.findings) {
    if (finding.level < r.least || (finding.allowed && !r.allowed)) continue;
    const lint::Rule& rule = lint::rule(finding.rule);
    out << where(finding.place) << ": "
        << io::Coloured{finding.allowed ? "allowed" : to_string(finding.level), colour_of(finding.level), r.colour && !finding.allowed}
        << fmt::format(": {} [{}]\n", finding.message, rule.name);
    if (finding.allowed) {
      out << fmt::format("  reason: {}\n", *finding.allowed);
      continue;
    }
    for (const lint::Step& step : finding.chain) out << fmt::format("  {}: {}\n", where(step.place), step.text);
    if (!finding.job.empty()) out << fmt::format("  in job: {}\n", finding.job);
    out << fmt::format("  breaks: {}\n  remedy: {}\n", lint::statement(rule.breaks), rule.remedy);
  }
  out << summary(r) << '\n';
}

namespace {

Json json_of(const lint::Place& place) { return {{"file", place.file}, {"line", place.line}, {"column", place.column}}; }

}  // namespace

void print_lint_json(const LintReport& r, std::ostream& out) {
  Json json{{"schema", 1}, {"files", r.report.files}, {"included", r.report.included}, {"jobs_marked", r.report.jobs_marked}};
  const auto counted = [&](lint::Level level) { return level < r.least ? 0 : count_of(r.report, level); };
  for (const lint::Level level : {lint::Level::error, lint::Level::warning, lint::Level::note}) {
    json[std::string(to_string(level)) + "s"] = counted(level);
  }
  json["verdict"] = counted(lint::Level::error) + counted(lint::Level::warning) > 0 ? "found" : "clean";
  json["left_out"] = r.report.left_out;
  json["harmless_by_profile"] = r.report.acquitted;
  json["remarks"] = r.report.remarks;
  json["findings"] = Json::array();
  for (const lint::Finding& finding : r.report.findings) {
    if (finding.level < r.least) continue;
    const lint::Rule& rule = lint::rule(finding.rule);
    Json one{{"rule", rule.name}, {"level", to_string(finding.level)}};
    one.update(json_of(finding.place));
    one["length"] = finding.length;
    one["message"] = finding.message;
    one["breaks"] = lint::statement(rule.breaks);
    one["remedy"] = rule.remedy;
    if (!finding.job.empty()) one["job"] = finding.job;
    for (const lint::Step& step : finding.chain) {
      Json link = json_of(step.place);
      link["text"] = step.text;
      one["chain"].push_back(std::move(link));
    }
    if (finding.allowed) one["allowed"] = *finding.allowed;
    json["findings"].push_back(std::move(one));
  }
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print_lint_rules_json(const LintRules& rules, std::ostream& out) {
  Json json{{"schema", 1}, {"rules", Json::array()}};
  for (const lint::Rule& rule : rules) {
    json["rules"].push_back({{"rule", rule.name},
                             {"level", to_string(rule.level)},
                             {"where", rule.scope == lint::Scope::job ? "jobs" : "everywhere"},
                             {"says", rule.says},
                             {"breaks", lint::statement(rule.breaks)},
                             {"remedy", rule.remedy},
                             {"source", rule.source}});
  }
  out << json.dump(2) << '\n';
}

void print_lint_rules_text(const LintRules& rules, std::ostream& out) {
  for (const lint::Rule& rule : rules) {
    out << fmt::format("{} ({}, {})\n  {}\n  breaks: {}\n  remedy: {}\n  source: {}\n", rule.name, to_string(rule.level),
                       rule.scope == lint::Scope::job ? "in jobs" : "everywhere", rule.says, lint::statement(rule.breaks), rule.remedy,
                       rule.source);
  }
}

}  // namespace rta::report
