#include "evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "html_text.hpp"
#include "markdown_text.hpp"
#include "page_parts.hpp"
#include "rta/io/csv.hpp"
#include "rta/model/error.hpp"
#include "xml_text.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Evidence& evidence) {
  Json json;
  json["command"] = evidence.command;
  json["options"] = evidence.options;
  json["inputs"] = Json::array();
  for (const Evidence::Input& input : evidence.inputs) json["inputs"].push_back({{"file", input.file}, {"sha256", input.sha256}});
  json["version"] = evidence.version;
  json["commit"] = evidence.commit ? Json(*evidence.commit) : Json(nullptr);
  json["date"] = evidence.date;
  return json;
}

/// As a shell reads it.
std::string word(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("%+,-./:=@_").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

using Facts = std::vector<std::pair<std::string, std::string>>;

Facts facts_of(const Evidence& evidence) {
  std::string line = "rta " + evidence.command;
  for (const std::string& option : evidence.options) line += " " + word(option);
  Facts facts{{"command", line}};
  for (const Evidence::Input& input : evidence.inputs) facts.emplace_back("input", fmt::format("{}, SHA-256 {}", input.file, input.sha256));
  facts.emplace_back("made by", fmt::format("rta {}{}", evidence.version, evidence.commit ? ", commit " + *evidence.commit : ""));
  facts.emplace_back("on", evidence.date);
  return facts;
}

/// A member as the first of the outermost object, whose opening brace printers set on a line of its own.
std::string as_first(const std::string& member) {
  std::string lines;
  for (const char c : member) lines += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return "  " + lines + ",\n";
}

std::string in_json(std::string report, const std::string& member) {
  require(report.starts_with("{\n"), "a report in JSON is an object over several lines");
  report.insert(2, as_first(member));
  return report;
}

std::string member(std::string_view name, const Json& value) {
  return fmt::format("\"{}\": {}", name, value.dump(2, ' ', false, Json::error_handler_t::replace));
}

/// A field more in every record; records end outside of quotes.
std::string in_csv(const std::string& report, const Evidence& evidence) {
  std::string all;
  for (const auto& [name, value] : facts_of(evidence)) all += fmt::format("{}{} {}", all.empty() ? "" : "; ", name, value);
  const std::string field = io::csv_field(all);
  std::string out;
  out.reserve(report.size());
  bool quoted = false, header = true;
  for (std::size_t i = 0; i < report.size(); ++i) {
    if (report[i] == '"') quoted = !quoted;
    const bool ends = !quoted && (report[i] == '\n' || (report[i] == '\r' && i + 1 < report.size() && report[i + 1] == '\n'));
    if (ends) {
      out += header ? ",evidence" : "," + field;
      header = false;
      if (report[i] == '\r') out.push_back(report[i++]);
    }
    out.push_back(report[i]);
  }
  return out;
}

/// Before the footer, and in the JSON that the page carries.
std::string in_page(std::string report, const Evidence& evidence) {
  constexpr std::string_view data = "<script type=\"application/json\" id=\"result\"";
  if (const std::size_t tag = report.rfind(data); tag != std::string::npos) {
    const std::size_t begin = report.find('>', tag) + 1;
    if (report.compare(begin, 2, "{\n") == 0) report.insert(begin + 2, script_safe(as_first(member("evidence", json_of(evidence)))));
  }
  const std::size_t end = report.find("<footer>");
  require(end != std::string::npos, "a page has a footer");
  report.insert(end, "<h2>Evidence</h2>\n" + fact_list(facts_of(evidence)));
  return report;
}

std::string in_figure(std::string report, const Evidence& evidence) {
  constexpr std::string_view end = "</title>\n";
  const std::size_t at = report.find(end);
  require(at != std::string::npos, "a figure has a title");
  std::string lines;
  for (const auto& [name, value] : facts_of(evidence)) lines += fmt::format("{}{}: {}", lines.empty() ? "" : "\n", name, value);
  report.insert(at + end.size(), "<desc>" + xml_text(lines) + "</desc>\n");
  return report;
}

/// As properties of the first suite.
std::string in_junit(std::string report, const Evidence& evidence) {
  const std::size_t suite = report.find("<testsuite ");
  require(suite != std::string::npos, "results of tests have a suite");
  std::string properties = "    <properties>\n";
  for (const auto& [name, value] : facts_of(evidence)) {
    properties += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml_text(value));
  }
  report.insert(report.find('\n', suite) + 1, properties + "    </properties>\n");
  return report;
}

std::string in_markdown(std::string report, const Evidence& evidence) {
  report += "\n## Evidence\n\n";
  for (const auto& [name, value] : facts_of(evidence)) report += fmt::format("- {}: {}\n", name, markdown_text(value));
  return report;
}

}  // namespace

std::string with_evidence(std::string report, std::string_view format, const Evidence& evidence) {
  if (format == "json") return in_json(std::move(report), member("evidence", json_of(evidence)));
  if (format == "sarif") return in_json(std::move(report), member("properties", {{"evidence", json_of(evidence)}}));
  if (format == "csv") return in_csv(report, evidence);
  if (format == "html") return in_page(std::move(report), evidence);
  if (format == "svg" || format == "pdf" || format == "png") return in_figure(std::move(report), evidence);
  if (format == "junit") return in_junit(std::move(report), evidence);
  if (format == "md") return in_markdown(std::move(report), evidence);
  report += "\nEvidence\n";
  for (const auto& [name, value] : facts_of(evidence)) report += fmt::format("  {:<8} {}\n", name, value);
  return report;
}

}  // namespace rta::report
