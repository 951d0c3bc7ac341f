#include <fmt/format.h>

#include <algorithm>

#include "analysis/explain/in_one_unit.hpp"
#include "rta/analysis/chains.hpp"

namespace rta::analysis {
namespace {

std::string limit_text(const std::optional<Time>& limit, Time value) {
  if (!limit) return "";
  return fmt::format(", {} the limit of {} ns", value <= *limit ? "within" : "ABOVE", limit->count());
}

std::string stage_line(const TaskSet& set, const StageProof& stage, Communication communication) {
  const StageTimes& t = stage.times;
  if (communication == Communication::let) {
    return fmt::format("{}: reads at its release, publishes L = {} ns later, T_max = {} ns: {} + {} ns", stage_in_words(set, stage),
                       t.F.count(), t.T_max.count(), t.T_max.count(), t.F.count());
  }
  return fmt::format("{}: T_max = {} ns, writes by F = {} ns, reads from E = {} ns on: {} + {} - {} = {} ns", stage_in_words(set, stage),
                     t.T_max.count(), t.F.count(), t.E.count(), t.T_max.count(), t.F.count(), t.E.count(), (t.T_max + t.F - t.E).count());
}

/// From the release of a job of stage i to that of the next stage's job that reads what it wrote, where nothing is known of phases.
Time gap_of_any_phases(const ChainProof& chain, std::size_t i) {
  return chain.stages[i].times.F - chain.stages[i + 1].times.E + chain.stages[i + 1].times.T_max;
}

void add_known_phases(const TaskSet& set, const ChainProof& chain, std::vector<std::string>& lines) {
  for (std::size_t i = 0; i + 1 < chain.stages.size(); ++i) {
    const Time saved = gap_of_any_phases(chain, i) - largest_gap(chain, i);
    if (saved == Time::zero()) continue;
    lines.push_back(fmt::format("with these phases {} is released at most {} ns after {} whose data it reads: {} ns less than the sum",
                                stage_in_words(set, chain.stages[i + 1]), largest_gap(chain, i).count(),
                                stage_in_words(set, chain.stages[i]), saved.count()));
  }
}

}  // namespace

Time largest_gap(const ChainProof& chain, std::size_t stage) {
  const Time any = gap_of_any_phases(chain, stage);
  return std::min(any, chain.stages[stage].times.to_next.value_or(any));
}

std::string stage_in_words(const TaskSet& task_set, const StageProof& stage) {
  std::string text = stage_name({stage.dag, stage.entry}, task_set.dags());
  if (stage.exit != stage.entry) text += " -> " + stage_name({stage.dag, stage.exit}, task_set.dags());
  return text;
}

std::string in_words(const TaskSet& task_set, const ChainProof& proof, const ChainObstacle& none) {
  const std::string stage = stage_in_words(task_set, proof.stages[none.stage]);
  if (!none.F) return fmt::format("stage '{}' has no bound", stage);
  const InOneUnit text({*none.F, *none.L});
  return fmt::format("stage '{}' may end {} after its release, but LET publishes {} after it (D, or T without a D)", stage, text(*none.F),
                     text(*none.L));
}

Explanation explain_chain(const Proof& proof, const Chain& chain, const ChainProof& of_chain) {
  const TaskSet& set = set_with_chains(proof);
  Explanation explanation{chain.name, {}};
  auto& lines = explanation.lines;
  if (!of_chain.bound) {
    lines.push_back("no bound: " + in_words(set, of_chain, *of_chain.none));
    return explanation;
  }
  lines.emplace_back("T13: sum over the stages of T_max + F - E, where two releases that follow one another are at most T_max apart");
  for (const StageProof& stage : of_chain.stages) lines.push_back(stage_line(set, stage, chain.communication));
  const ChainLatencies& bound = *of_chain.bound;
  add_known_phases(set, of_chain, lines);
  lines.push_back(fmt::format("MDA (maximum data age) = {} ns{}", bound.MDA.count(), limit_text(chain.age, bound.MDA)));
  lines.push_back(fmt::format("MRDA (reduced, to the output itself) = MDA - T_max of the last stage = {} ns", bound.MRDA.count()));
  for (std::size_t i = 0; i + 1 < of_chain.stages.size(); ++i) {
    const StageProof& next = of_chain.stages[i + 1];
    const Time waiting = largest_gap(of_chain, i) - next.times.T_max;
    if (!of_chain.stages[i].times.outranks_next || waiting <= Time::zero()) continue;
    lines.push_back(
        fmt::format("{} is more urgent than {} on the same processor, which starts no job meanwhile: reactions are {} ns shorter",
                    stage_in_words(set, of_chain.stages[i]), stage_in_words(set, next), waiting.count()));
  }
  lines.push_back(fmt::format("MRT (maximum reaction time) = the sum{} = {} ns{}",
                              bound.MRT == bound.MDA ? std::string() : fmt::format(" - {} ns", (bound.MDA - bound.MRT).count()),
                              bound.MRT.count(), limit_text(chain.reaction, bound.MRT)));
  lines.push_back(fmt::format("MRRT (reduced, from the read) = MRT - T_max of the first stage = {} ns", bound.MRRT.count()));
  for (const StageProof& stage : of_chain.stages) {
    if (stage.in_order) continue;
    lines.push_back(
        fmt::format("{} may write after its next job has: data ages need a register that keeps the newest", stage_in_words(set, stage)));
  }
  return explanation;
}

}  // namespace rta::analysis
