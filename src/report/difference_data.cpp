#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "difference_printers.hpp"
#include "rta/io/csv.hpp"

namespace rta::report {
namespace {

using diff::Entry;
using diff::Fact;
using diff::Presence;
using Json = nlohmann::ordered_json;

Json value_json(const Fact& fact) {
  if (fact.time) return fact.time->count();
  if (!fact.text) return nullptr;
  if (fact.meaning == diff::Meaning::good || fact.meaning == diff::Meaning::bad) return *fact.text == "true";
  if (fact.number) {
    Json number = Json::parse(*fact.text, nullptr, false);
    if (number.is_number()) return number;
  }
  return *fact.text;
}

std::string value_csv(const Fact& fact) {
  if (fact.time) return fmt::format("{}", fact.time->count());
  return fact.text ? io::csv_field(*fact.text) : std::string();
}

std::string_view presence_text(Presence presence) {
  return presence == Presence::both ? "changed" : presence == Presence::came ? "came" : "went";
}

Json side_json(const diff::Result& result) { return {{"file", result.file}, {"task_set", result.task_set}, {"verdict", result.verdict}}; }

Json entry_json(const Entry& entry) {
  Json json{{"subject", to_string(entry.subject)}};
  if (!entry.dag.empty()) json["dag"] = entry.dag;
  if (!entry.name.empty()) json["name"] = entry.name;
  json["presence"] = presence_text(entry.presence);
  json["worse"] = entry.worse();
  json["changes"] = Json::array();
  for (const diff::Change& change : entry.changes) {
    json["changes"].push_back({{"key", change.after.key},
                               {"before", value_json(change.before)},
                               {"after", value_json(change.after)},
                               {"trend", to_string(change.trend)}});
  }
  return json;
}

}  // namespace

void print_difference_json(const DifferenceReport& report, std::ostream& out) {
  const diff::Difference& difference = report.difference;
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "rta"}, {"version", RTA_VERSION}};
  json["kind"] = to_string(report.after.kind);
  json["verdict"] = difference.worse() ? "worse" : difference.entries.empty() ? "same" : "not-worse";
  json["before"] = side_json(report.before);
  json["after"] = side_json(report.after);
  json["counts"] = Json::object();
  for (std::size_t t = 0; t < diff::trends; ++t) {
    const auto trend = static_cast<diff::Trend>(t);
    json["counts"][std::string(to_string(trend))] = difference.count(trend);
  }
  json["counts"]["came"] = difference.count(Presence::came);
  json["counts"]["went"] = difference.count(Presence::went);
  json["differences"] = Json::array();
  for (const Entry& entry : difference.entries) json["differences"].push_back(entry_json(entry));
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

// One row per value that differs; what came or went has at least one, without a key where it has neither bound nor verdict.
void print_difference_csv(const DifferenceReport& report, std::ostream& out) {
  out << "subject,dag,name,presence,key,before,after,trend\r\n";
  for (const Entry& entry : report.difference.entries) {
    const std::string start = fmt::format("{},{},{},{}", to_string(entry.subject), io::csv_field(entry.dag), io::csv_field(entry.name),
                                          presence_text(entry.presence));
    if (entry.changes.empty()) out << start << ",,,,\r\n";
    for (const diff::Change& change : entry.changes) {
      out << fmt::format("{},{},{},{},{}\r\n", start, io::csv_field(change.after.key), value_csv(change.before), value_csv(change.after),
                         to_string(change.trend));
    }
  }
}

}  // namespace rta::report
