#include <fmt/format.h>

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

}  // namespace

std::string stage_in_words(const TaskSet& task_set, const StageProof& stage) {
  std::string text = stage_name({stage.dag, stage.entry}, task_set.dags());
  if (stage.exit != stage.entry) text += " -> " + stage_name({stage.dag, stage.exit}, task_set.dags());
  return text;
}

std::string in_words(const TaskSet& task_set, const ChainProof& proof, const ChainObstacle& none) {
  const std::string stage = stage_in_words(task_set, proof.stages[none.stage]);
  if (!none.F) return fmt::format("stage '{}' has no bound", stage);
  return fmt::format("stage '{}' may end {} ns after its release, but LET publishes {} ns after it (D, or T without a D)", stage,
                     none.F->count(), none.L->count());
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
  lines.push_back(fmt::format("MDA (maximum data age) = {} ns{}", bound.MDA.count(), limit_text(chain.age, bound.MDA)));
  lines.push_back(fmt::format("MRDA (reduced, to the output itself) = MDA - T_max of the last stage = {} ns", bound.MRDA.count()));
  Time dropped;
  for (std::size_t i = 0; i + 1 < of_chain.stages.size(); ++i) {
    const StageProof& next = of_chain.stages[i + 1];
    const Time waiting = of_chain.stages[i].times.F - next.times.E;
    if (!of_chain.stages[i].times.outranks_next || waiting <= Time::zero()) continue;
    dropped += waiting;
    lines.push_back(
        fmt::format("{} is more urgent than {} on the same processor, which starts no job meanwhile: reactions are {} ns shorter",
                    stage_in_words(set, of_chain.stages[i]), stage_in_words(set, next), waiting.count()));
  }
  lines.push_back(fmt::format("MRT (maximum reaction time) = the sum{} = {} ns{}",
                              dropped == Time::zero() ? std::string() : fmt::format(" - {} ns", dropped.count()), bound.MRT.count(),
                              limit_text(chain.reaction, bound.MRT)));
  lines.push_back(fmt::format("MRRT (reduced, from the read) = MRT - T_max of the first stage = {} ns", bound.MRRT.count()));
  for (const StageProof& stage : of_chain.stages) {
    if (stage.in_order) continue;
    lines.push_back(
        fmt::format("{} may write after its next job has: data ages need a register that keeps the newest", stage_in_words(set, stage)));
  }
  return explanation;
}

}  // namespace rta::analysis
