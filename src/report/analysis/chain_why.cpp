#include "chain_why.hpp"

#include <fmt/format.h>

#include <optional>

#include "rta/report/time_text.hpp"
#include "why_words.hpp"

namespace rta::report {
namespace {

using analysis::ChainPart;
using Stretch = ChainPart::What;

/// The DAG whose end-to-end bound is what the stage takes until it writes.
std::optional<DagId> whole_dag(const analysis::Proof& proof, const Chain& chain, const analysis::StageProof& stage) {
  if (proof.ungrouped || proof.release == Release::fixed_order || chain.communication == Communication::let) return std::nullopt;
  const analysis::DagProof& dag = proof.dags[stage.dag];
  if (!dag.bound || dag.bound->R != stage.times.F) return std::nullopt;
  const bool to_its_end = !stage.exit || (!dag.critical_path.empty() && dag.critical_path.back() == *stage.exit);
  return to_its_end ? std::optional(stage.dag) : std::nullopt;
}

class ChainWords {
 public:
  ChainWords(const analysis::Proof& proof, const Chain& chain, const analysis::ChainProof& of_chain)
      : proof_(proof), chain_(chain), of_chain_(of_chain) {}

  [[nodiscard]] std::vector<Row> rows(const std::vector<ChainPart>& parts, Time sum) const {
    std::vector<Row> rows;
    for (const ChainPart& part : parts) {
      rows.push_back({words(part), time_text(part.length)});
      if (part.what != Stretch::writes) continue;
      const analysis::StageProof& stage = of_chain_.stages[part.stage];
      const auto dag = whole_dag(proof_, chain_, stage);
      if (!dag || part.length != stage.times.F) continue;
      for (const WhySum& of : why_sums(proof_, analysis::why(proof_, *dag))) {
        rows.push_back({fmt::format("  {}", of.what), fmt::format("({})", time_text(of.length))});
      }
    }
    rows.push_back({"in all", time_text(sum)});
    return rows;
  }

 private:
  [[nodiscard]] std::string words(const ChainPart& part) const {
    const std::string stage = stage_in_words(set_with_chains(proof_), of_chain_.stages[part.stage]);
    const bool let = chain_.communication == Communication::let;
    switch (part.what) {
      case Stretch::missed: return fmt::format("{} has just read: until its next job does", stage);
      case Stretch::writes: return fmt::format("{}, from its release until it {}", stage, let ? "publishes (LET)" : "has written");
      case Stretch::reads: return fmt::format("until a job of {} is released that reads it", stage);
      case Stretch::stays: return fmt::format("until the next job of {} has written", stage);
      case Stretch::hands_over: return fmt::format("{}, and until it is read (phases or priorities are known)", stage);
    }
    return {};
  }

  const analysis::Proof& proof_;
  const Chain& chain_;
  const analysis::ChainProof& of_chain_;
};

}  // namespace

std::vector<ChainWhy> chain_whys(const analysis::Analysis& analysis) {
  std::vector<ChainWhy> whys;
  const auto& chains = set_with_chains(analysis.proof).chains();
  for (ChainId c = 0; c < chains.size(); ++c) {
    const analysis::ChainProof& proof = analysis.chains[c];
    if (!proof.bound || proof.meets(chains[c])) continue;
    const ChainWords words(analysis.proof, chains[c], proof);
    const auto add = [&](const char* what, const std::optional<Time>& limit, Time latency, const std::vector<ChainPart>& parts) {
      if (!limit || latency <= *limit) return;
      whys.push_back(
          {fmt::format("{}: {} {}, limit {}", chains[c].name, what, time_text(latency), time_text(*limit)), words.rows(parts, latency)});
    };
    add("reaction", chains[c].reaction, proof.bound->MRT, reaction_parts(proof));
    add("age", chains[c].age, proof.bound->MDA, age_parts(proof));
  }
  return whys;
}

std::string_view part_name(ChainPart::What what) {
  switch (what) {
    case Stretch::missed: return "missed";
    case Stretch::writes: return "writes";
    case Stretch::reads: return "reads";
    case Stretch::stays: return "stays";
    case Stretch::hands_over: return "hands-over";
  }
  return {};
}

}  // namespace rta::report
