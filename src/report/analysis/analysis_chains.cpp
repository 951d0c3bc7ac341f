#include "analysis_chains.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "chain_why.hpp"
#include "report/parts/json_time.hpp"
#include "report/parts/times.hpp"
#include "rta/io/csv.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<Chain>& chains_of(const analysis::Analysis& analysis) { return analysis::set_with_chains(analysis.proof).chains(); }

std::optional<Time> value(const analysis::ChainProof& proof, Time analysis::ChainLatencies::*latency) {
  return proof.bound ? std::optional((*proof.bound).*latency) : std::nullopt;
}

std::string chain_outcome(const Chain& chain, const analysis::ChainProof& proof) {
  if (!proof.bound) return "no bound";
  if (!chain.reaction && !chain.age) return "bounded";
  return proof.meets(chain) ? "met" : "MISSED";
}

Json stage_json(const TaskSet& set, const analysis::StageProof& stage, bool bounded) {
  Json json;
  json["name"] = stage_in_words(set, stage);
  json["T_max_ns"] = bounded ? Json(stage.times.T_max.count()) : Json(nullptr);
  json["reads_from_ns"] = bounded ? Json(stage.times.E.count()) : Json(nullptr);
  json["writes_by_ns"] = bounded ? Json(stage.times.F.count()) : Json(nullptr);
  json["writes_in_order"] = stage.in_order;
  return json;
}

Json parts_json(const TaskSet& set, const analysis::ChainProof& proof, const std::vector<analysis::ChainPart>& parts) {
  Json list = Json::array();
  for (const analysis::ChainPart& part : parts) {
    list.push_back(
        {{"what", part_name(part.what)}, {"stage", stage_in_words(set, proof.stages[part.stage])}, {"length_ns", part.length.count()}});
  }
  return list;
}

}  // namespace

bool only_chains_miss(const analysis::Analysis& analysis) {
  return analysis.verdict == analysis::Verdict::deadline_missed && verdict_of(analysis.proof) == analysis::Verdict::schedulable;
}

std::string chains_sentence(const analysis::Analysis& analysis) {
  const auto& chains = chains_of(analysis);
  std::size_t limited = 0;
  std::size_t met = 0;
  for (std::size_t c = 0; c < chains.size(); ++c) {
    if (!chains[c].reaction && !chains[c].age) continue;
    ++limited;
    met += static_cast<std::size_t>(analysis.chains[c].meets(chains[c]));
  }
  return fmt::format("every response time is bounded and every end-to-end deadline met, but only {} of {} chain{} {} within its limits",
                     met, limited, limited == 1 ? "" : "s", limited == 1 ? "is" : "are");
}

std::vector<Row> chain_rows(const analysis::Analysis& analysis) {
  const auto& chains = chains_of(analysis);
  if (chains.empty()) return {};
  using L = analysis::ChainLatencies;
  std::vector<Row> rows{{"chain", "communication", "reaction", "limit", "reduced", "age", "limit", "reduced", "verdict"}};
  for (std::size_t c = 0; c < chains.size(); ++c) {
    const auto& proof = analysis.chains[c];
    rows.push_back({chains[c].name, std::string(to_string(chains[c].communication)),
                    optional_bound(value(proof, &L::MRT), chains[c].reaction), optional_time(chains[c].reaction),
                    optional_rounded(value(proof, &L::MRRT)), optional_bound(value(proof, &L::MDA), chains[c].age),
                    optional_time(chains[c].age), optional_rounded(value(proof, &L::MRDA)), chain_outcome(chains[c], proof)});
  }
  return rows;
}

void print_chains(const analysis::Analysis& analysis, std::ostream& out) {
  const auto rows = chain_rows(analysis);
  if (rows.empty()) return;
  out << "\nChains (maximum reaction time and data age; reduced: from the read, and to the output itself)\n";
  print_table(out, rows, 2);
  const TaskSet& set = analysis::set_with_chains(analysis.proof);
  for (std::size_t c = 0; c < set.chains().size(); ++c) {
    const auto& proof = analysis.chains[c];
    if (proof.none) out << fmt::format("  {}: {}\n", set.chains()[c].name, in_words(set, proof, *proof.none));
    for (const auto& stage : proof.stages) {
      if (stage.in_order) continue;
      out << fmt::format("  {}: data ages need a register that keeps the newest, since '{}' may write after its next job has\n",
                         set.chains()[c].name, stage_in_words(set, stage));
    }
  }
}

Json chains_json(const analysis::Analysis& analysis) {
  const TaskSet& set = analysis::set_with_chains(analysis.proof);
  using L = analysis::ChainLatencies;
  Json list = Json::array();
  for (std::size_t c = 0; c < set.chains().size(); ++c) {
    const Chain& chain = set.chains()[c];
    const auto& proof = analysis.chains[c];
    Json json;
    json["name"] = chain.name;
    json["communication"] = to_string(chain.communication);
    json["theorem"] = proof.bound ? Json("T13") : Json(nullptr);
    json["reaction_time_ns"] = json_ns(value(proof, &L::MRT));
    json["reaction_limit_ns"] = json_ns(chain.reaction);
    json["reduced_reaction_time_ns"] = json_ns(value(proof, &L::MRRT));
    json["data_age_ns"] = json_ns(value(proof, &L::MDA));
    json["age_limit_ns"] = json_ns(chain.age);
    json["reduced_data_age_ns"] = json_ns(value(proof, &L::MRDA));
    json["meets_limits"] = proof.meets(chain);
    if (proof.none) json["reason"] = in_words(set, proof, *proof.none);
    json["stages"] = Json::array();
    for (const auto& stage : proof.stages) json["stages"].push_back(stage_json(set, stage, proof.bound.has_value()));
    if (proof.bound) {
      json["reaction_parts"] = parts_json(set, proof, reaction_parts(proof));
      json["age_parts"] = parts_json(set, proof, age_parts(proof));
    }
    list.push_back(std::move(json));
  }
  return list;
}

std::string chain_columns(const analysis::Analysis& analysis) {
  if (chains_of(analysis).empty()) return "";
  return ",chain,communication,reaction_time_ns,reaction_limit_ns,reduced_reaction_time_ns,data_age_ns,age_limit_ns,reduced_data_age_ns,"
         "meets_limits";
}

std::string no_chain_columns(const analysis::Analysis& analysis) { return chains_of(analysis).empty() ? "" : ",,,,,,,,,"; }

void print_chain_lines(const analysis::Analysis& analysis, std::size_t before, std::ostream& out) {
  const auto& chains = chains_of(analysis);
  using L = analysis::ChainLatencies;
  for (std::size_t c = 0; c < chains.size(); ++c) {
    const auto& proof = analysis.chains[c];
    out << fmt::format("{},{},{},{},{},{},{},{},{},{}\r\n", std::string(before - 1, ','), io::csv_field(chains[c].name),
                       to_string(chains[c].communication), csv_ns(value(proof, &L::MRT)), csv_ns(chains[c].reaction),
                       csv_ns(value(proof, &L::MRRT)), csv_ns(value(proof, &L::MDA)), csv_ns(chains[c].age), csv_ns(value(proof, &L::MRDA)),
                       proof.meets(chains[c]));
  }
}

}  // namespace rta::report
