#include "why_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis_words.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

using analysis::BoundPart;
using analysis::Cause;

std::string cause_in_words(const analysis::Proof& proof, const BoundPart& part) {
  const std::string on = part.pool ? proof.task_set->pools()[*part.pool].name : "the pools of the path";
  switch (part.cause) {
    case Cause::execution: return "execution of the nodes on the path";
    case Cause::waiting: return fmt::format("waiting on {}", on);
    case Cause::blocking: return fmt::format("blocked on {} by what has started before", on);
    case Cause::slices:
      if (part.pool && proof.task_set->pools()[*part.pool].kind() == PoolKind::cpu)
        return fmt::format("held back by the reservation of {}", on);
      return fmt::format("other processes' time slices on {}", on);
    case Cause::carry: return fmt::format("left over on {} from before", on);
    case Cause::priority: return fmt::format("later jobs of higher priority on {}", on);
    case Cause::release: return "its release, late by its jitter";
    // Ends are found together, and lowered only where all that rests on them then still holds.
    case Cause::rounding: return part.length < Time(1000) ? "rounding up" : "more than the bounds of the others ask for";
  }
  return "";
}

std::string interferer(const analysis::Proof& proof, const analysis::Why& why, const BoundPart& part, const std::vector<KindOfDag>& kinds) {
  if (part.cause != Cause::waiting) return "";
  if (!part.by) return ", for all its DAGs together";
  if (*part.by == why.dag) return ", for its own other jobs and branches";
  const auto kind = std::ranges::find_if(kinds, [&](const KindOfDag& k) { return k.first <= *part.by && *part.by <= k.last; });
  return ", for " + shared_name(proof, *kind);
}

}  // namespace

std::string why_heading(const analysis::Proof& proof, const analysis::Why& why) {
  const Dag& dag = proof.task_set->dags()[why.dag];
  const std::string deadline = dag.deadline() ? fmt::format(", D = {}", time_text(*dag.deadline())) : "";
  const std::string path = why.path.size() > 1 ? ", along " + path_text(dag, why.path) : "";
  return fmt::format("{}: bound {}{}{}", dag.name(), time_text(proof.dags[why.dag].bound->R), deadline, path);
}

std::vector<WhySum> why_sums(const analysis::Proof& proof, const analysis::Why& why) {
  const auto kinds = kinds_of_dags(proof);
  std::vector<WhySum> sums;
  for (const BoundPart& part : why.parts) {
    const std::string what = cause_in_words(proof, part) + interferer(proof, why, part, kinds);
    const auto same = std::ranges::find(sums, what, &WhySum::what);
    if (same == sums.end()) {
      sums.push_back({.what = what, .cause = part.cause, .length = part.length});
    } else {
      same->length = same->length + part.length;
    }
  }
  return sums;
}

std::vector<std::vector<std::string>> why_rows(const analysis::Proof& proof, const analysis::Why& why) {
  std::vector<std::vector<std::string>> rows;
  for (const WhySum& sum : why_sums(proof, why)) rows.push_back({sum.what, time_text(sum.length)});
  rows.push_back({"in all", time_text(proof.dags[why.dag].bound->R)});
  return rows;
}

std::string hopeless_in_words(const analysis::Proof& proof, const analysis::Why& why) {
  const Dag& dag = proof.task_set->dags()[why.dag];
  if (!dag.deadline() || why.alone <= *dag.deadline()) return "";
  return fmt::format("cannot be met even alone: {} executes for {}, D = {}", path_text(dag, why.longest_path), time_text(why.alone),
                     time_text(*dag.deadline()));
}

std::string left_out_in_words(const analysis::Analysis& analysis) {
  if (analysis.whys_left_out == 0) return "";
  return fmt::format("{} more DAG{} that miss{} a deadline: --worst N or --why DAG takes {} apart", analysis.whys_left_out,
                     analysis.whys_left_out == 1 ? "" : "s", analysis.whys_left_out == 1 ? "es" : "",
                     analysis.whys_left_out == 1 ? "it" : "them");
}

}  // namespace rta::report
