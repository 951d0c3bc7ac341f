#include "remedy_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis_words.hpp"
#include "rta/analysis/chains.hpp"
#include "rta/analysis/deadlines.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

std::string plural(std::size_t n) { return n == 1 ? "" : "s"; }

/// A change of a file, whose platform and DAGs have these names.
class Words {
 public:
  explicit Words(const TaskSet& task_set) : task_set_(task_set) {}

  std::string operator()(const analysis::OtherOptions& change) const {
    std::string text;
    for (const auto& [name, value] : change.options) {
      const analysis::OptionEntry* entry = analysis::find_option(name);
      const bool flag = entry != nullptr && entry->is_flag();
      text += fmt::format("{}--{}{}", text.empty() ? "" : " ", name, flag ? std::string() : " " + value);
    }
    return text;
  }

  std::string operator()(const analysis::OtherPool& change) const {
    const Pool& pool = task_set_.pools()[change.pool];
    const auto& now = std::get<CpuPool>(pool.resource);
    if (change.to.preemptive != now.preemptive) return fmt::format("in the file, {}: preemptive: {}", pool.name, change.to.preemptive);
    if (change.to.scheduler == now.scheduler) return fmt::format("in the file, {}: equals: {}", pool.name, to_string(change.to.equals));
    return fmt::format("in the file, {}: scheduler: {}", pool.name, to_string(change.to.scheduler));
  }

  std::string operator()(const analysis::SplitPool& change) const {
    const Pool& pool = task_set_.pools()[change.pool];
    const std::string name = analysis::split_name(task_set_, change.pool, change.first);
    const std::string nodes = dags(change.first, change.last);
    if (const auto* cpu = std::get_if<CpuPool>(&pool.resource)) {
      return fmt::format("in the file, {}: processors: {}, and a pool {}: {{processors: {}, scheduler: {}{}}} for the nodes of {} there",
                         pool.name, cpu->processors - change.size, name, change.size, to_string(cpu->scheduler),
                         cpu->preemptive ? "" : ", preemptive: false", nodes);
    }
    if (const auto* workers = std::get_if<WorkerPool>(&pool.resource)) {
      return fmt::format("in the file, {}: workers: {}, and a pool {} like it with workers: {} for the items of {}", pool.name,
                         workers->workers - change.size, name, change.size, nodes);
    }
    const std::string& dag = task_set_.dags()[change.first].name();
    const std::string part = dag.substr(0, dag.find('['));
    return fmt::format(
        "in the file, {0}: partitions: {{{1}: {{sms: {2}, kind: green}}}}, rest: {3}, with the kernels of {4} on {0}/{1} and all others "
        "there "
        "on {0}/{3} (green contexts; or other partitions of so many SMs)",
        pool.name, part, change.size, part == "rest" ? "others" : "rest", nodes);
  }

  std::string operator()(const analysis::KernelPriority& change) const {
    return fmt::format("in the file, priority: {} for the kernels of {}", stream_priority_text(change.priority),
                       dags(change.first, change.last));
  }

  std::string operator()(const analysis::OtherPhases& change) const {
    std::string text;
    for (const auto& [d, phase] : change.phases)
      text += fmt::format("{}{} for {}", text.empty() ? "in the file, phase: " : ", ", time_text(phase), task_set_.dags()[d].name());
    return text;
  }

  std::string operator()(const analysis::OtherBlocks& change) const {
    const Dag& dag = task_set_.dags()[change.first];
    const std::string shared = change.shared_memory > 0 ? fmt::format(", shared_memory: {}", change.shared_memory) : "";
    return fmt::format("in the file, {} of {}: B: {}, H: {}{}, if its L stays {}", dag.nodes()[change.node].name,
                       dags(change.first, change.last), change.B, change.H, shared, time_text(longest_piece(dag.nodes()[change.node])));
  }

  std::string operator()(const analysis::OtherEdge& change) const {
    const auto nodes = task_set_.dags()[change.first].nodes();
    return fmt::format("in the file, an edge {} -> {} in {}", nodes[change.from].name, nodes[change.to].name,
                       dags(change.first, change.last));
  }

  std::string operator()(const analysis::SequentialNode& change) const {
    return fmt::format("in the file, {} of {}: sequential: true", task_set_.dags()[change.first].nodes()[change.node].name,
                       dags(change.first, change.last));
  }

  std::string operator()(const analysis::OneThread& change) const {
    return fmt::format("in the file, threads: 1 for {}", dags(change.first, change.last));
  }

  std::string operator()(const analysis::OneStream& change) const {
    return fmt::format("in the file, one stream for all kernels of {}", dags(change.first, change.last));
  }

  std::string operator()(const analysis::OtherPeriod& change) const {
    return fmt::format("in the file, T: {} for {}: there its jobs part; at {} a job still meets the next", time_text(change.T),
                       dags(change.first, change.last), time_text(change.meeting));
  }

  std::string operator()(const analysis::OtherCommunication& change) const {
    return fmt::format("in the file, chain {}: communication: {}", task_set_.chains()[change.chain].name, to_string(change.to));
  }

 private:
  [[nodiscard]] std::string dags(DagId first, DagId last) const {
    const std::string& name = task_set_.dags()[first].name();
    return first == last ? name : name + " ... " + task_set_.dags()[last].name();
  }

  const TaskSet& task_set_;
};

std::string bound_in_words(const analysis::Proof& proof, DagId d) {
  const auto& bound = proof.dags[d].bound;
  if (!bound) return "no bound";
  return bound_text(bound->R, proof.task_set->dags()[d].deadline()) + (meets_deadlines(proof, d) ? "" : " MISSED");
}

/// A limit of a chain, and the latency that it is for.
struct ChainLimit {
  const char* what = "";
  std::optional<Time> Chain::*limit = nullptr;
  Time analysis::ChainLatencies::*latency = nullptr;
};
const std::array<ChainLimit, 2> chain_limits{
    {{"reaction", &Chain::reaction, &analysis::ChainLatencies::MRT}, {"age", &Chain::age, &analysis::ChainLatencies::MDA}}};

std::string latency_in_words(const analysis::ChainProof& proof, const ChainLimit& of, Time limit) {
  if (!proof.bound) return "no bound";
  const Time latency = (*proof.bound).*of.latency;
  return bound_text(latency, limit) + (latency <= limit ? "" : " MISSED");
}

/// A row per limit of a chain.
void add_chains(const analysis::Analysis& analysis, std::size_t count, std::vector<std::vector<std::string>>& rows) {
  const auto& chains = set_with_chains(analysis.proof).chains();
  std::vector<std::vector<analysis::ChainProof>> after;
  for (std::size_t i = 0; i < count; ++i) after.push_back(analysis::prove_chains(analysis.remedies->list[i].proof));
  for (ChainId c = 0; c < chains.size(); ++c) {
    for (const ChainLimit& of : chain_limits) {
      const std::optional<Time>& limit = chains[c].*of.limit;
      if (!limit) continue;
      auto& row = rows.emplace_back();
      row = {fmt::format("{} ({})", chains[c].name, of.what), time_text(*limit), latency_in_words(analysis.chains[c], of, *limit)};
      for (const auto& proofs : after) row.push_back(latency_in_words(proofs[c], of, *limit));
    }
  }
}

/// `; d/k1 (10 us, not 33.2 us) and d/k2 no longer meet, nor do 3 more pairs`.
std::string apart_in_words(const TaskSet& task_set, const analysis::Remedy& remedy) {
  if (remedy.apart.empty()) return "";
  const analysis::KeptApart& most = remedy.apart.front();
  const auto kernel = [&](analysis::KernelId of, Time before, Time after) {
    const std::string change = before == after ? "" : fmt::format(" ({}, not {})", time_text(after), time_text(before));
    return kernel_name(task_set, of) + change;
  };
  const std::string a = kernel(most.a, most.a_before, most.a_after);
  const std::string pair = most.a == most.b ? "two jobs of " + a : fmt::format("{} and {}", a, kernel(most.b, most.b_before, most.b_after));
  const std::size_t others = remedy.apart.size() - 1;
  const std::string more = others > 0 ? fmt::format(", nor {} more pair{}", others, others == 1 ? "" : "s") : "";
  return fmt::format("; {} no longer meet{}", pair, more);
}

/// `; camera 3.9 ms, not 4.46 ms`: the DAG whose bound falls by most of it, where no fewer are missed.
std::string lower_in_words(const analysis::Proof& before, const analysis::Proof& after) {
  std::optional<DagId> most;
  const auto part = [&](DagId d) {
    return static_cast<double>(after.dags[d].bound->R.count()) / static_cast<double>(before.dags[d].bound->R.count());
  };
  for (DagId d = 0; d < before.dags.size(); ++d) {
    const auto& now = before.dags[d].bound;
    const auto& then = after.dags[d].bound;
    if (now && then && then->R < now->R && (!most || part(d) < part(*most))) most = d;
  }
  if (!most) return "";
  const Dag& dag = before.task_set->dags()[*most];
  return fmt::format("; {} {}, not {}", dag.name(), bound_text(after.dags[*most].bound->R, dag.deadline()),
                     bound_text(before.dags[*most].bound->R, dag.deadline()));
}

std::size_t shown(const analysis::Analysis& analysis, std::size_t most) { return std::min(most, analysis.remedies->list.size()); }

}  // namespace

std::string change_in_words(const analysis::Proof& before, const analysis::Change& change) {
  return std::visit(Words(*as_given(before)), change);
}

std::string effect_in_words(const analysis::Proof& proof) {
  const auto unbounded = static_cast<std::size_t>(std::ranges::count_if(proof.dags, [](const auto& dag) { return !dag.bound; }));
  if (unbounded > 0) return fmt::format("{} DAG{} without a bound", unbounded, plural(unbounded));
  const auto end_to_end = end_to_end_deadlines(proof);
  const auto own = own_deadlines(proof);
  const std::size_t missed = end_to_end.given - end_to_end.met + own.given - own.met;
  const std::size_t chains = missed_chains(proof);
  std::string text = missed > 0 ? fmt::format("{} deadline{} missed", missed, plural(missed)) : std::string();
  if (chains > 0) text += fmt::format("{}{} chain{} over a limit", text.empty() ? "" : ", ", chains, plural(chains));
  if (!text.empty()) return text;
  text = end_to_end.given + own.given > 0 ? "all deadlines met" : "all bounded";
  return proof.release == Release::fixed_order ? text + ", with DAGs released exactly every T" : text;
}

std::vector<std::vector<std::string>> remedy_rows(const analysis::Analysis& analysis, std::size_t most) {
  std::vector<std::vector<std::string>> rows{{"", "change", "effect"}};
  for (std::size_t i = 0; i < shown(analysis, most); ++i) {
    const analysis::Remedy& remedy = analysis.remedies->list[i];
    const std::string lower = remedy.apart.empty() ? "" : lower_in_words(analysis.proof, remedy.proof);
    rows.push_back({fmt::format("{}", i + 1),
                    change_in_words(analysis.proof, remedy.change) + apart_in_words(*analysis.proof.task_set, remedy),
                    effect_in_words(remedy.proof) + lower});
  }
  return rows;
}

std::vector<std::vector<std::string>> remedy_bounds(const analysis::Analysis& analysis, std::size_t most) {
  const std::size_t count = shown(analysis, most);
  std::vector<std::vector<std::string>> rows{{"DAG", "deadline", "now"}};
  for (std::size_t i = 0; i < count; ++i) rows[0].push_back(fmt::format("{}", i + 1));
  const auto kinds = kinds_of_dags(analysis.proof);
  for (const KindOfDag& kind : kinds) {
    const auto deadline = analysis.proof.task_set->dags()[kind.first].deadline();
    auto& row = rows.emplace_back();
    row = {shared_name(analysis.proof, kind), deadline ? time_text(*deadline) : "-", bound_in_words(analysis.proof, kind.first)};
    for (std::size_t i = 0; i < count; ++i) row.push_back(bound_in_words(analysis.remedies->list[i].proof, kind.first));
  }
  add_chains(analysis, count, rows);
  if (rows.size() > kinds.size() + 1) rows[0][0] = "DAG, chain";
  return rows;
}

std::string remedies_in_words(const analysis::Analysis& analysis, std::size_t most) {
  if (!analysis.remedies) return "";
  const analysis::Remedies& remedies = *analysis.remedies;
  std::string more = remedies.list.size() > most ? fmt::format("{} more in the JSON result", remedies.list.size() - most) : "";
  const char* const by_effort = "with the work that is spent on it unasked: --time-limit SECONDS gives it that time";
  const char* const by_time = "in the time of --time-limit";
  const char* const limit = remedies.ended_by == Limit::Cause::effort ? by_effort : by_time;
  if (!remedies.complete() && remedies.tried == 0) return fmt::format("no change was tried {}", limit);
  if (!remedies.complete()) {
    const std::string so_far =
        remedies.list.empty() ? fmt::format("none of the {} single changes that were tried helps", remedies.tried) : more;
    return fmt::format("{}{}not all were tried {}", so_far, so_far.empty() ? "" : "; ", limit);
  }
  if (remedies.list.empty()) return fmt::format("none of the {} single changes that were tried helps", remedies.tried);
  return more;
}

}  // namespace rta::report
