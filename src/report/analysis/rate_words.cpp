#include "rate_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "analysis_words.hpp"
#include "rta/model/deadline.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

constexpr std::size_t most_unmet = 3;  // that a sentence names

/// `names`: of DAGs that have none for the same reason.
std::string without_bound(const std::vector<std::string>& names, const std::string& reason) {
  const std::string last = names.size() > 1 ? " and " + names.back() : std::string();
  const auto first = std::span(names).first(names.size() > 1 ? names.size() - 1 : 1);
  return fmt::format("{}{} {} no bound{}", fmt::join(first, ", "), last, names.size() > 1 ? "have" : "has", reason);
}

std::string reason_of(const analysis::Proof& proof, DagId d) {
  const analysis::NoBound* const why = analysis::why_unbounded(proof, d);
  return why != nullptr ? ": " + in_words(proof, *why) : std::string();
}

std::string chain_in_words(const analysis::RateTrial& trial, std::size_t c) {
  const TaskSet& set = set_with_chains(trial.proof);
  const Chain& chain = set.chains()[c];
  const analysis::ChainProof& proof = trial.chains[c];
  if (!proof.bound) return fmt::format("chain {} has no latencies: {}", chain.name, in_words(set, proof, *proof.none));
  const bool reaction = chain.reaction && proof.bound->MRT > *chain.reaction;
  return fmt::format("chain {} passes its limit: {} {} > {}", chain.name, reaction ? "reaction time" : "data age",
                     rounded_text(reaction ? proof.bound->MRT : proof.bound->MDA), time_text(reaction ? *chain.reaction : *chain.age));
}

/// `name`: of the DAG, or of those that are like it.
std::string unmet_of(const analysis::RateTrial& trial, const analysis::Unmet& unmet, const std::string& name) {
  if (unmet.chain) return chain_in_words(trial, *unmet.chain);
  const analysis::Proof& proof = trial.proof;
  const Dag& dag = proof.task_set->dags()[unmet.dag];
  const analysis::DagProof& of_dag = proof.dags[unmet.dag];
  if (!unmet.node) {
    if (!of_dag.bound) return without_bound({name}, reason_of(proof, unmet.dag));
    return fmt::format("{} passes its D: {} > {}", name, rounded_text(of_dag.bound->R), time_text(*dag.deadline()));
  }
  const auto& bound = of_dag.nodes[*unmet.node].bound;
  const std::string node = fmt::format("{}/{}", name, dag.nodes()[*unmet.node].name);
  if (!bound) return fmt::format("{} has no bound", node);
  return fmt::format("{} passes its own D: {} > {}", node, rounded_text(bound->R), time_text(*own_deadline(dag, *unmet.node)));
}

/// What is not met, of several DAGs for the same reason.
struct Said {
  std::vector<std::string> names;
  std::string reason;  // why they have no bound
  std::string text;    // of one alone that has a bound
};

/// Of DAGs that are equal but for their name once, and of those without a bound each reason once.
std::string all_unmet(const analysis::RateTrial& trial) {
  const auto kinds = kinds_of_dags(trial.proof);
  std::vector<Said> all;
  std::size_t named = 0;
  std::size_t left_out = 0;
  for (const analysis::Unmet& unmet : trial.unmet) {
    const auto kind = std::ranges::find_if(kinds, [&](const KindOfDag& k) { return k.first <= unmet.dag && unmet.dag <= k.last; });
    if (!unmet.chain && unmet.dag != kind->first) continue;
    if (named == most_unmet) {
      ++left_out;
      continue;
    }
    ++named;
    const std::string name = shared_name(trial.proof, *kind);
    if (unmet.chain || unmet.node || trial.proof.dags[unmet.dag].bound) {
      all.push_back({{}, {}, unmet_of(trial, unmet, name)});
      continue;
    }
    const std::string reason = reason_of(trial.proof, unmet.dag);
    const auto same = std::ranges::find_if(all, [&](const Said& said) { return said.text.empty() && said.reason == reason; });
    if (same == all.end()) {
      all.push_back({{name}, reason, {}});
    } else {
      same->names.push_back(name);
    }
  }
  std::vector<std::string> texts;
  for (const Said& said : all) texts.push_back(said.text.empty() ? without_bound(said.names, said.reason) : said.text);
  return fmt::format("{}{}", fmt::join(texts, "; "), left_out > 0 ? fmt::format("; and {} more", left_out) : std::string());
}

std::string deadlines_of(const Dag& dag) {
  return dag.deadline() ? fmt::format("its D of {} stays", time_text(*dag.deadline())) : std::string("it has no D, and needs but a bound");
}

}  // namespace

std::string per_second(Time T) {
  const Wide thousandths = floor_div(Wide{1'000'000'000'000}, Wide{T.count()});
  return fmt::format("{}.{:03}", to_string(thousandths / 1000), static_cast<int>(thousandths % 1000));
}

std::string rate_name(const analysis::Proof& proof, const analysis::LargestRate& rate) {
  return shared_name(proof, KindOfDag{rate.dags.first, rate.dags.last});
}

std::string unmet_in_words(const analysis::RateTrial& trial, const analysis::Unmet& unmet) {
  return unmet_of(trial, unmet, trial.proof.task_set->dags()[unmet.dag].name());
}

std::vector<std::string> rate_lines(const analysis::Analysis& analysis, const analysis::LargestRate& rate) {
  const Dag& dag = analysis.proof.task_set->dags()[rate.dags.first];
  const std::string now = fmt::format("{} ({} jobs per second)", time_text(dag.nominal_period()), per_second(dag.nominal_period()));
  std::vector<std::string> lines;
  if (rate.found) {
    const Time T = rate.found->T;
    const analysis::Bound bound = rate.bound();
    const analysis::Theorem by = bound.basis.theorem;
    lines.push_back(fmt::format("T = {}: {} jobs per second, with the bound {} ({}release {}); now T = {}; {}", time_text(T), per_second(T),
                                bound_text(bound.R, dag.deadline()), by == analysis::Theorem::sum ? "" : fmt::format("{}, ", to_string(by)),
                                to_string(rate.found->proof.release), now, deadlines_of(dag)));
  } else {
    lines.push_back(fmt::format("none was found: at no T that was tried, from {} on, all deadlines are met with a bound for it", now));
  }
  if (rate.failing) {
    lines.push_back(fmt::format("at {}, the {} that was tried, {}", time_text(rate.failing->T), rate.found ? "next below" : "longest",
                                all_unmet(*rate.failing)));
  }
  if (!rate.complete) lines.emplace_back("stopped by the time limit before the search had ended");
  if (rate.found) {
    lines.push_back(fmt::format(
        "proven by an analysis at that T, all else as it is; found to {}; bounds are not monotone in T: shorter T that were not "
        "tried may do, and longer ones need not",
        dag.attributes().periodic && !dag.attributes().threads ? "a thousandth" : "the ns"));
  }
  return lines;
}

}  // namespace rta::report
