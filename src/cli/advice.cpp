#include "advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis_options.hpp"
#include "number.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

// Takes the bounds apart that were asked for, and those of the latest DAGs.
void add_whys(const po::variables_map& given, analysis::Analysis& analysis) {
  const analysis::Proof& proof = analysis.proof;
  std::vector<DagId> wanted;
  if (given.count("why") != 0) {
    for (const std::string& name : given["why"].as<std::vector<std::string>>()) {
      const auto dags = proof.task_set->dags();
      const auto dag = std::ranges::find(dags, name, &Dag::name);
      if (dag == dags.end()) throw UsageError(fmt::format("--why '{}': no DAG '{}'", name, name));
      const auto d = static_cast<DagId>(dag - dags.begin());
      if (!proof.dags[d].bound) throw UsageError(fmt::format("--why '{}': it has no bound", name));
      if (std::ranges::find(wanted, d) == wanted.end()) wanted.push_back(d);
    }
  }
  const std::uint64_t worst = whole_number(given, "worst", 0, any_number);
  std::uint64_t taken = 0;
  for (const DagId d : analysis::late_dags(proof)) {
    if (std::ranges::find(wanted, d) != wanted.end()) continue;
    if (taken == worst) {
      ++analysis.whys_left_out;
      continue;
    }
    wanted.push_back(d);
    ++taken;
  }
  for (const DagId d : wanted) analysis.whys.push_back(analysis::why(proof, d));
}

void add_remedies(const po::variables_map& given, const std::shared_ptr<const TaskSet>& task_set, bool kernel_switches,
                  const std::optional<Limit>& limit, analysis::Analysis& analysis) {
  const bool met = analysis.verdict == analysis::Verdict::schedulable;
  if ((met && !analysis.proof.company) || analysis.proof.release == Release::grouped) return;
  const std::uint64_t usual = met ? analysis::usual_apart_effort : analysis::usual_remedy_effort;
  analysis.remedies =
      analysis::remedies(task_set, analysis.proof, given_options(given), limit.value_or(Limit().with_effort(usual)), kernel_switches);
  if (met && analysis.remedies->list.empty()) analysis.remedies.reset();  // nothing had to help
}

void add_slack(const po::variables_map& given, bool kernel_switches, const std::optional<Limit>& limit, analysis::Analysis& analysis) {
  if (!given["slack"].as<bool>()) return;
  if (analysis.proof.release == Release::grouped) throw UsageError("--slack and --granularity do not go together");
  analysis::Options options = checked_options(given_options(given));
  options.stop = stop_at(limit);
  options.kernel_switches = kernel_switches;
  analysis.slack = analysis::slack(analysis.proof, options);
}

}  // namespace

void add_advice_options(po::options_description& all) {
  all.add_options()("why", po::value<std::vector<std::string>>()->composing()->value_name("DAG"),
                    "take the bound of that DAG apart: execution, and waiting by pool and by DAG; may be repeated");
  all.add_options()("worst", po::value<std::string>()->value_name("N")->default_value("5"),
                    "take the bounds of so many DAGs that miss their deadlines apart, the latest first");
  all.add_options()(
      "slack", po::bool_switch(),
      "search the largest C, L and B of every node, the smallest T and D of every DAG and the smallest pools at which all that "
      "is met stays met, each proven");
  all.add_options()("largest-rate", po::value<std::vector<std::string>>()->composing()->value_name("DAG"),
                    "search the least T of that DAG, to the ns, at which it has a bound, all deadlines are met and all that is bounded "
                    "stays so, proven there; without its index of all copies; may be repeated");
}

std::function<bool()> stop_at(const std::optional<Limit>& limit) {
  if (!limit) return {};
  return [own = *limit] { return own.reached(); };
}

void add_rates(const po::variables_map& given, const std::shared_ptr<const TaskSet>& task_set, const analysis::Options& options,
               analysis::Analysis& analysis) {
  if (given.count("largest-rate") == 0) return;
  for (const std::string& name : given["largest-rate"].as<std::vector<std::string>>()) {
    const auto dags = analysis::dags_called(*task_set, name);
    if (!dags) throw UsageError(fmt::format("--largest-rate '{}': no DAG '{}'", name, name));
    analysis.rates.push_back(analysis::largest_rate(task_set, analysis.proof, options, *dags));
  }
}

void add_advice(const po::variables_map& given, const std::shared_ptr<const TaskSet>& task_set, bool kernel_switches,
                const std::optional<Limit>& limit, analysis::Analysis& analysis) {
  add_whys(given, analysis);
  add_remedies(given, task_set, kernel_switches, limit, analysis);
  add_slack(given, kernel_switches, limit, analysis);
  analysis::Options options = checked_options(given_options(given));
  options.stop = stop_at(limit);
  options.kernel_switches = kernel_switches;
  add_rates(given, task_set, options, analysis);
}

}  // namespace rta::cli
