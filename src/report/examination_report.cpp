#include "rta/report/examination_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "examination_printers.hpp"
#include "rta/examine/limits_file.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

std::string verdict_text(const RuleVerdict& verdict) {
  switch (verdict.state) {
    case RuleState::confirmed: return verdict.variant.empty() ? "confirmed" : "confirmed: " + verdict.variant;
    case RuleState::refuted: return "REFUTED";
    case RuleState::untested: return "not tested";
  }
  return "";
}

Json probe_json(const examine::Judge& judge) {
  Json json{{"name", judge.probe().name},     {"purpose", judge.probe().purpose}, {"counted", judge.counted()},
            {"disturbed", judge.disturbed()}, {"unfit", judge.unfit()},           {"predictions", Json::array()}};
  for (const examine::Finding& finding : judge.findings()) {
    Json one{{"rule", finding.rule ? Json(to_string(*finding.rule)) : Json(nullptr)},
             {"prediction", finding.prediction},
             {"verdict", to_string(finding.state)},
             {"runs", finding.runs},
             {"contradicting", finding.contradicting},
             {"seen", finding.seen}};
    if (!finding.variant.empty()) one["variant"] = finding.variant;
    json["predictions"].push_back(std::move(one));
  }
  return json;
}

Json measurement_json(const examine::Measurement& measurement) {
  Json json{{"name", measurement.name}, {"groups", Json::array()}};
  for (const examine::SampleGroup& group : examine::summary(measurement)) {
    Json one;
    for (const auto& [field, value] : group.texts) one[field] = value == "true" ? Json(true) : value == "false" ? Json(false) : Json(value);
    one["samples"] = group.samples;
    for (const auto& spread : group.spreads) {
      one[spread.field] = {{"least", spread.least}, {"median", spread.median}, {"p99", spread.p99}, {"most", spread.most}};
    }
    json["groups"].push_back(std::move(one));
  }
  return json;
}

Json company_json(const ExaminationReport& report) {
  const examine::Company& company = *report.company;
  const auto part = [](Lengthening more) { return static_cast<double>(more) / static_cast<double>(whole_time); };
  Json json;
  json["task_set"] = company.interference ? Json(examine::interference_block(company)) : Json(nullptr);
  if (!company.interference) json["reason"] = company.reason;
  json["combine"] = company.measured.mixtures ? Json(company.measured.mixtures->confirm) : Json(nullptr);
  json["mixtures"] = Json::array();
  for (const examine::Mixture& mixture : company.mixtures) {
    json["mixtures"].push_back({{"kernel", mixture.kernel},
                                {"where", mixture.where},
                                {"beside", mixture.beside},
                                {"growth", part(mixture.more)},
                                {"more_than_max", part(mixture.beyond_max)},
                                {"more_than_sum", part(mixture.beyond_sum)}});
  }
  json["beside"] = Json::array();
  for (const MeasuredCompany::Row& row : company.measured.rows) {
    Json longer;
    for (std::size_t c = 0; c < row.more.size(); ++c)
      longer[company.measured.classes[c]] = row.more[c] ? Json(part(*row.more[c])) : Json(nullptr);
    json["beside"].push_back({{"where", row.where}, {"beside", row.beside}, {"growth", std::move(longer)}});
  }
  json["not_possible"] = Json::object();
  for (const auto& [name, why] : report.company_missing) json["not_possible"][name] = why;
  return json;
}

}  // namespace

std::string examination_verdict(const DeviceProfile& profile) {
  if (profile.rules.empty()) return fmt::format("{}: no rule was examined", profile.limits.product);
  const auto count = [&](RuleState state) { return std::ranges::count(profile.rules, state, &RuleVerdict::state); };
  std::string text = fmt::format("{} follows {} of {} rules", profile.limits.product, count(RuleState::confirmed), profile.rules.size());
  std::string names;
  for (const RuleVerdict& verdict : profile.rules) {
    if (verdict.state == RuleState::refuted) names += (names.empty() ? "" : ", ") + std::string(to_string(verdict.rule));
  }
  if (!names.empty()) text += fmt::format("; refuted: {}", names);
  if (const auto untested = count(RuleState::untested); untested > 0) text += fmt::format("; {} could not be tested", untested);
  return text;
}

std::vector<std::pair<std::string, std::string>> examination_facts(const ExaminationReport& report) {
  const DeviceLimits& limits = report.profile.limits;
  const auto known = [](const std::string& text) { return text.empty() ? std::string("not known") : text; };
  return {
      {"device", fmt::format("{}, compute capability {}", limits.product, limits.compute_capability)},
      {"driver", known(limits.driver)},
      {"CUDA", known(limits.cuda)},
      {"date", report.profile.date},
      {"limits", fmt::format("{} SMs; each {} threads, {} blocks, {} bytes of shared memory, {} registers; {} copy engines, {} priorities",
                             limits.sms, limits.threads_per_sm, limits.blocks_per_sm, limits.shared_per_sm, limits.registers_per_sm,
                             limits.copy_engines, limits.priority_levels)},
      {"certainty", fmt::format("a rule that holds is refuted with probability {} at most, one that is broken in {} % of runs or more is "
                                "confirmed with probability {} at most, if unrecognised disturbances spoil no more than {} % of runs",
                                report.rates.wrong_refutation, number_text(100 * report.rates.broken, 1), report.rates.wrong_confirmation,
                                number_text(100 * report.rates.noise, 1))}};
}

std::vector<Row> rule_table(const DeviceProfile& profile) {
  std::vector<Row> rows{{"rule", "verdict", "runs", "against", "what was seen"}};
  for (const RuleVerdict& verdict : profile.rules) {
    const bool counted = verdict.runs > 0;
    rows.push_back({std::string(to_string(verdict.rule)), verdict_text(verdict), counted ? fmt::format("{}", verdict.runs) : "-",
                    counted ? fmt::format("{}", verdict.contradicting) : "-", verdict.reason});
  }
  return rows;
}

std::vector<Row> latency_table(const DeviceProfile& profile) {
  std::vector<Row> rows{{"latency", "median", "99 %", "max", "samples"}};
  for (const Latency& latency : profile.latencies) {
    rows.push_back(
        {latency.name, time_text(latency.median), time_text(latency.p99), time_text(latency.max), fmt::format("{}", latency.samples)});
  }
  return rows;
}

std::vector<Row> company_table(const MeasuredCompany& company) {
  Row head{"where", "beside"};
  for (const std::string& name : company.classes) head.push_back(name + ", %");
  std::vector<Row> rows{head};
  for (const MeasuredCompany::Row& row : company.rows) {
    Row cells{row.where, row.beside};
    for (const auto& more : row.more)
      cells.push_back(more ? number_text(100 * static_cast<double>(*more) / static_cast<double>(whole_time), 1) : "-");
    rows.push_back(std::move(cells));
  }
  return rows;
}

std::vector<std::string> company_gaps(const ExaminationReport& report) {
  std::vector<std::string> lines;
  if (!report.company->interference) lines.push_back("no `interference`: " + report.company->reason);
  for (const auto& [part, why] : report.company_missing) lines.push_back(fmt::format("{}: not possible here: {}", part, why));
  return lines;
}

std::vector<Row> measurement_table(const examine::Measurement& measurement) {
  const auto groups = examine::summary(measurement);
  Row head;
  std::vector<std::string> texts, numbers;
  const auto add = [](std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const auto& group : groups) {
    for (const auto& [field, value] : group.texts) add(texts, field);
    for (const auto& spread : group.spreads) add(numbers, spread.field);
  }
  head.insert(head.end(), texts.begin(), texts.end());
  head.emplace_back("samples");
  for (const std::string& field : numbers) head.push_back(field + " (median, max)");
  std::vector<Row> rows{head};
  for (const auto& group : groups) {
    Row row;
    for (const std::string& field : texts) {
      const auto at = std::ranges::find(group.texts, field, [](const auto& text) -> const std::string& { return text.first; });
      const std::string value = at == group.texts.end() ? "-" : at->second;
      row.push_back(value == "true" ? "yes" : value == "false" ? "no" : value);
    }
    row.push_back(fmt::format("{}", group.samples));
    for (const std::string& field : numbers) {
      const auto at = std::ranges::find(group.spreads, field, &examine::SampleGroup::Spread::field);
      row.push_back(at == group.spreads.end() ? "-" : fmt::format("{}, {}", number_text(at->median, 1), number_text(at->most, 1)));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Row> reproduction_table(const examine::Examination& examination) {
  std::vector<Row> rows{{"experiment", "timeline", "what was seen"}};
  for (std::size_t p = 0; p < examination.probes(); ++p) {
    const examine::Judge& judge = examination.judge(p);
    for (const examine::Finding& finding : judge.findings()) {
      if (finding.rule) continue;
      const std::string variant = finding.variant.empty() ? "" : " by " + finding.variant;
      switch (finding.state) {
        case RuleState::confirmed: rows.push_back({finding.probe, "as simulated" + variant, finding.seen}); break;
        case RuleState::refuted: rows.push_back({finding.probe, "not as simulated" + variant, finding.seen}); break;
        case RuleState::untested: rows.push_back({finding.probe, "not decided" + variant, judge.reason()}); break;
      }
    }
  }
  return rows;
}

std::vector<Row> probe_table(const examine::Examination& examination) {
  std::vector<Row> rows{{"probe", "counted", "disturbed", "unfit"}};
  for (std::size_t p = 0; p < examination.probes(); ++p) {
    const examine::Judge& judge = examination.judge(p);
    rows.push_back(
        {judge.probe().name, fmt::format("{}", judge.counted()), fmt::format("{}", judge.disturbed()), fmt::format("{}", judge.unfit())});
  }
  return rows;
}

void print_examination_text(const ExaminationReport& report, std::ostream& out) {
  out << examination_verdict(report.profile) << "\n\n";
  for (const auto& [name, value] : examination_facts(report)) out << fmt::format("  {:<12} {}\n", name, value);
  if (!report.profile.rules.empty()) {
    out << "\nRules\n";
    print_table(out, rule_table(report.profile), 5);
  }
  for (const RuleVerdict& verdict : report.profile.rules) {
    if (verdict.state != RuleState::refuted) continue;
    out << fmt::format("\n{} is refuted: {}\n  {}\n", to_string(verdict.rule), statement(verdict.rule), verdict.reason);
    if (!verdict.evidence.empty()) out << fmt::format("  the smallest trace that shows it: {}\n", verdict.evidence);
  }
  if (!report.profile.latencies.empty()) {
    out << "\nLatencies\n";
    print_table(out, latency_table(report.profile), 1);
  }
  if (report.company) {
    out << "\nInterference: by how much of its time alone a block of a class takes longer at most\n";
    print_table(out, company_table(report.company->measured), 2);
    if (report.company->interference) out << "\nFor a GPU of a task set:\n" << examine::interference_block(*report.company);
    for (const std::string& line : company_gaps(report)) out << "  " << line << '\n';
  }
  for (const examine::Measurement& measurement : report.examination.measurements()) {
    out << fmt::format("\nMeasured: {}\n", measurement.name);
    print_table(out, measurement_table(measurement), measurement_table(measurement).front().size());
  }
  const auto reproduced = reproduction_table(report.examination);
  if (reproduced.size() > 1) {
    out << "\nReproduced experiments\n";
    print_table(out, reproduced, 3);
  }
  if (report.examination.probes() > 0) {
    out << "\nProbes\n";
    print_table(out, probe_table(report.examination), 1);
  }
  for (const std::string& remark : report.remarks) out << '\n' << remark << '\n';
}

void print_examination_json(const ExaminationReport& report, std::ostream& out) {
  const DeviceProfile& profile = report.profile;
  Json json;
  json["schema"] = 1;
  json["tool"] = {{"name", "rta"}, {"version", RTA_VERSION}};
  const auto some = [&](RuleState state) { return std::ranges::find(profile.rules, state, &RuleVerdict::state) != profile.rules.end(); };
  json["verdict"] = to_string(profile.rules.empty()       ? RuleState::untested
                              : some(RuleState::refuted)  ? RuleState::refuted
                              : some(RuleState::untested) ? RuleState::untested
                                                          : RuleState::confirmed);
  json["summary"] = examination_verdict(profile);
  json["date"] = profile.date;
  json["limits"] = Json::parse(examine::format_limits(profile.limits));
  json["error_rates"] = {{"wrong_refutation", report.rates.wrong_refutation},
                         {"wrong_confirmation", report.rates.wrong_confirmation},
                         {"noise", report.rates.noise},
                         {"broken", report.rates.broken}};
  json["rules"] = Json::array();
  for (const RuleVerdict& verdict : profile.rules) {
    Json one{{"rule", to_string(verdict.rule)},        {"statement", statement(verdict.rule)},
             {"verdict", to_string(verdict.state)},    {"runs", verdict.runs},
             {"contradicting", verdict.contradicting}, {"reason", verdict.reason}};
    if (!verdict.variant.empty()) one["variant"] = verdict.variant;
    if (!verdict.evidence.empty()) one["evidence"] = verdict.evidence;
    json["rules"].push_back(std::move(one));
  }
  json["latencies"] = Json::array();
  for (const Latency& latency : profile.latencies) {
    json["latencies"].push_back({{"name", latency.name},
                                 {"median_ns", latency.median.count()},
                                 {"p99_ns", latency.p99.count()},
                                 {"max_ns", latency.max.count()},
                                 {"samples", latency.samples}});
  }
  json["measurements"] = Json::array();
  for (const auto& measurement : report.examination.measurements()) json["measurements"].push_back(measurement_json(measurement));
  json["probes"] = Json::array();
  for (std::size_t p = 0; p < report.examination.probes(); ++p) json["probes"].push_back(probe_json(report.examination.judge(p)));
  if (report.company) json["interference"] = company_json(report);
  json["remarks"] = report.remarks;
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace rta::report
