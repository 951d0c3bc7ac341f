#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "rate_words.hpp"
#include "report/parts/json_time.hpp"
#include "rta/io/csv.hpp"
#include "variants_printers.hpp"

namespace rta::report {

void print_variants_json(const VariantsReport& report, std::ostream& out) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "rta"}, {"version", RTA_VERSION}};
  json["variants"] = Json::array();
  for (const Variant& variant : report.variants) {
    Json one{{"file", variant.file}, {"settings", Json::array()}};
    for (std::size_t i = 0; i < report.places.size(); ++i) {
      one["settings"].push_back({{"place", report.places[i]}, {"value", variant.values[i]}});
    }
    one["verdict"] = variant.verdict ? Json(to_string(*variant.verdict)) : Json(nullptr);
    one["release"] = variant.verdict ? Json(variant.release) : Json(nullptr);
    one["dags"] = Json::array();
    for (const VariantDag& dag : variant.dags) {
      one["dags"].push_back({{"name", dag.name},
                             {"response_bound_ns", json_ns(dag.bound)},
                             {"deadline_ns", json_ns(dag.deadline)},
                             {"meets_deadline", dag.met}});
      if (!dag.rate) continue;
      one["dags"].back()["rate_period_ns"] = json_ns(dag.rate->T);
      one["dags"].back()["rate_per_second"] = dag.rate->T ? Json::parse(per_second(*dag.rate->T)) : Json(nullptr);
      one["dags"].back()["rate_response_bound_ns"] = json_ns(dag.rate->bound);
    }
    json["variants"].push_back(std::move(one));
  }
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

// One row per DAG; a file that is no task set has one without verdict. An empty field is "no bound" or "not given".
void print_variants_csv(const VariantsReport& report, std::ostream& out) {
  const auto ns = [](const std::optional<Time>& time) { return time ? fmt::format("{}", time->count()) : std::string(); };
  out << "file";
  for (const std::string& place : report.places) out << ',' << io::csv_field(place);
  out << ",verdict,release,dag,dag_response_bound_ns,dag_deadline_ns,dag_meets_deadline"
      << (report.rates.empty() ? "" : ",rate_period_ns,rate_per_second,rate_response_bound_ns") << "\r\n";
  for (const Variant& variant : report.variants) {
    std::string head = io::csv_field(variant.file);
    for (const std::string& value : variant.values) head += ',' + io::csv_field(value);
    head += fmt::format(",{},{}", variant.verdict ? to_string(*variant.verdict) : std::string_view(), variant.release);
    for (const VariantDag& dag : variant.dags) {
      const VariantRate rate = dag.rate.value_or(VariantRate{});
      const std::string rates = fmt::format(",{},{},{}", ns(rate.T), rate.T ? per_second(*rate.T) : std::string(), ns(rate.bound));
      out << fmt::format("{},{},{},{},{}{}\r\n", head, io::csv_field(dag.name), ns(dag.bound), ns(dag.deadline), dag.met,
                         report.rates.empty() ? "" : rates);
    }
    if (variant.dags.empty()) out << head << (report.rates.empty() ? ",,,,\r\n" : ",,,,,,,\r\n");
  }
}

}  // namespace rta::report
