#include "analysis/explain/company_lines.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/company/exposure.hpp"
#include "analysis/company/other_work.hpp"
#include "analysis/company/phases.hpp"
#include "analysis/explain/dag_kinds.hpp"
#include "rta/analysis/company.hpp"
#include "rta/model/error.hpp"
#include "rta/model/other_work.hpp"

namespace rta::analysis {
namespace {

constexpr std::size_t most_kernels_named = 8;

class CompanyLines {
 public:
  CompanyLines(const Proof& proof, DagId d, NodeId v)
      : proof_(proof),
        alone_(*proof.company->alone),
        lasting_(proof.company->lasting[d]),
        windows_(counted_windows(proof)),
        d_(d),
        v_(v),
        kernel_(std::get<GpuDemand>(dag().nodes()[v].demand)),
        interference_(*std::get<GpuPool>(alone_.pools()[dag().nodes()[v].pool].resource).interference) {}

  [[nodiscard]] std::vector<std::string> lines() const {
    const auto& with = std::get<GpuDemand>(proof_.task_set->dags()[d_].nodes()[v_].demand);
    std::vector<Met> company, kept_apart;
    for (const std::vector<Met>& all :
         {company_of(alone_, proof_.company->lasting, d_, v_), other_work_beside(alone_, proof_.company->lasting, d_, v_)}) {
      for (const Met& met : all) (clock_keeps_apart(alone_, windows_, d_, v_, met.dag, met.node) ? kept_apart : company).push_back(met);
    }
    std::vector<std::string> lines;
    const char* const what = kernel_.has_blocks ? "L" : "time";
    const Time by_pairs = std::get<GpuDemand>(analysis::by_pairs(proof_).dags()[d_].nodes()[v_].demand).L;
    // Of C2's last round pairs may be fewer than durations were counted for.
    const std::string whole = with.L > by_pairs ? fmt::format("{} ns, no less than ", with.L.count()) : "";
    if (with.L < by_pairs) {
      for (std::string& line : for_a_time(company, with.L, by_pairs)) lines.push_back(std::move(line));
    } else if (company.empty()) {
      lines.push_back(
          fmt::format("C1: {} of {} = {}{} ns alone; nothing that counts can meet it", what, name(d_, v_), whole, kernel_.L.count()));
    } else {
      lines.push_back(fmt::format("C1: {} of {} = {}{} ns alone + {} ns beside {} can meet it{}", what, name(d_, v_), whole,
                                  kernel_.L.count(), (by_pairs - kernel_.L).count(), by_class(company),
                                  proof_.company->from_below ? "" : " (of all pairs that the windows of these bounds leave)"));
    }
    for (std::string& line : apart()) lines.push_back(std::move(line));
    if (!kept_apart.empty()) lines.push_back(by_the_clock(kept_apart));
    return lines;
  }

 private:
  [[nodiscard]] const Dag& dag() const { return alone_.dags()[d_]; }

  [[nodiscard]] std::string name(DagId d, NodeId v) const {
    const Dag& of = alone_.dags()[d];
    const std::string& node = of.nodes()[v].name;
    return of.nodes().size() == 1 && node == of.name() ? node : of.name() + "/" + node;
  }

  [[nodiscard]] std::string_view class_name(std::optional<std::uint32_t> of) const {
    return of ? std::string_view(interference_.classes[*of]) : std::string_view("no class");
  }

  /// C2: how long each class is there that does not count as there all the time.
  [[nodiscard]] std::vector<std::string> for_a_time(const std::vector<Met>& company, Time L, Time by_pairs) const {
    const Windows stays = stays_of(proof_);
    const Exposures exposures(alone_, stays);
    const PerNode<Time> lengths = block_times(*proof_.task_set);
    const auto exposure = exposures.of(company, lengths, d_, v_);
    require(exposure.has_value(), "a block that is shorter than C1 says has company that is there for a time");
    std::string sum;
    std::vector<Met> always = company;
    std::vector<std::string> lines;
    for (const ExposedClass& one : exposure->for_a_time) {
      sum += fmt::format(" + {} ns beside {}, there for {} ns", one.more.count(), class_name(one.of_class), to_string(one.time));
      std::string names;
      std::size_t count = 0;
      for (const Met& met : company) {
        if (std::get<GpuDemand>(alone_.dags()[met.dag].nodes()[met.node].demand).interference_class != one.of_class) continue;
        std::erase_if(always, [&](const Met& other) { return other.dag == met.dag && other.node == met.node; });
        if (++count > most_kernels_named) continue;
        const Beside beside = *exposures.beside(lengths, d_, v_, met);
        names += fmt::format("{}{} {} x {} ns", names.empty() ? "" : ", ",
                             met.dag == d_ && met.node == v_ ? "its own other jobs" : name(met.dag, met.node), to_string(beside.jobs),
                             to_string(beside.each));
      }
      if (count > most_kernels_named) names += fmt::format(" and {} more", count - most_kernels_named);
      lines.push_back(fmt::format("{} beside one block, jobs and how long each at most: {}", class_name(one.of_class), names));
    }
    if (!always.empty()) sum += fmt::format(" + {} ns beside {} can meet it", exposure->always.count(), by_class(always));
    const std::string whole = exposure->L == L ? "" : fmt::format("{} ns, no less than ", L.count());
    lines.insert(lines.begin(), fmt::format("C2: L of {} = {}{} ns alone{}; if all were there all the time {} ns (C1)", name(d_, v_), whole,
                                            kernel_.L.count(), sum, by_pairs.count()));
    return lines;
  }

  /// `[10000, 20000) of every 100000 ns`, after time 0.
  [[nodiscard]] std::string window_text(DagId d, NodeId v) const {
    const Dag& of = alone_.dags()[d];
    const std::int64_t from = (of.attributes().phase.value_or(Time::zero()) + windows_[d][v]->from).count();
    const std::int64_t until = (of.attributes().phase.value_or(Time::zero()) + windows_[d][v]->until + of.attributes().jitter).count();
    return fmt::format("[{}, {}) + n {} ns", from, until, of.nominal_period().count());
  }

  /// What of other DAGs never meets it for the phases.
  [[nodiscard]] std::string by_the_clock(const std::vector<Met>& kept_apart) const {
    std::string names;
    for (std::size_t i = 0; i < kept_apart.size() && i < most_kernels_named; ++i) {
      const Met& met = kept_apart[i];
      names += fmt::format("{}{} in {}", names.empty() ? "" : ", ", name(met.dag, met.node), window_text(met.dag, met.node));
    }
    if (kept_apart.size() > most_kernels_named) names += fmt::format(" and {} more", kept_apart.size() - most_kernels_named);
    return fmt::format("never beside it, which runs in {}, by the clock that releases both: {}", window_text(d_, v_), names);
  }

  /// Of a kernel its class; then those of kernels without one, copies, and CPU nodes.
  [[nodiscard]] std::size_t kind_of(const Node& node) const {
    const std::size_t n = interference_.classes.size();
    if (const auto* const kernel = std::get_if<GpuDemand>(&node.demand)) return kernel->interference_class.value_or(n);
    return std::holds_alternative<CopyDemand>(node.demand) ? n + 1 : n + 2;
  }
  [[nodiscard]] std::string_view kind_text(std::size_t kind) const {
    const std::size_t n = interference_.classes.size();
    if (kind < n) return interference_.classes[kind];
    return kind == n ? "no class" : kind == n + 1 ? "copies" : "CPU nodes";
  }

  /// `L2: lidar; DRAM: fusion, track`, equal DAGs once.
  [[nodiscard]] std::string by_class(const std::vector<Met>& company) const {
    const DagKinds kinds = dag_kinds(alone_);
    std::map<std::size_t, std::vector<std::string>> named;
    std::set<std::tuple<std::size_t, std::size_t, NodeId>> said;  // class, kind, node
    for (const Met& met : company) {
      const std::size_t c = kind_of(alone_.dags()[met.dag].nodes()[met.node]);
      if (!said.emplace(c, kinds.of[met.dag], met.node).second) continue;
      const auto& kind = kinds.kinds[kinds.of[met.dag]];
      const std::string copies = kind.first == kind.last ? "" : fmt::format(" (of {} DAGs alike)", kind.last - kind.first + 1);
      named[c].push_back(met.dag == d_ && met.node == v_ ? "its own other jobs" : name(met.dag, met.node) + copies);
    }
    std::string text;
    for (const auto& [c, names] : named) {
      std::string all;
      for (std::size_t i = 0; i < names.size() && i < most_kernels_named; ++i) all += (i == 0 ? "" : ", ") + names[i];
      if (names.size() > most_kernels_named) all += fmt::format(" and {} more", names.size() - most_kernels_named);
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", kind_text(c), all);
    }
    return text;
  }

  /// Whether node u of its own DAG counts, and never runs beside it.
  [[nodiscard]] bool is_apart(NodeId u) const {
    if (is_other_work(interference_, dag().nodes()[u])) return !can_run_beside(alone_, proof_.company->lasting, d_, u, v_);
    return std::holds_alternative<GpuDemand>(dag().nodes()[u].demand) && !can_meet(dag(), lasting_, u, v_);
  }

  /// What of its own DAG never meets it, and by which rule.
  [[nodiscard]] std::vector<std::string> apart() const {
    std::vector<std::string> lines;
    if (dag().attributes().threads == 1U) {
      lines.push_back(fmt::format("no other kernel of {} meets it: one thread plays them all, one after another", dag().name()));
      return lines;
    }
    std::string names;
    std::size_t count = 0;
    for (NodeId u = 0; u < dag().nodes().size(); ++u) {
      if (!is_apart(u)) continue;
      if (u == v_ && lasting_[v_]) {
        lines.push_back(fmt::format("no other job of {} meets it: it is sequential", name(d_, v_)));
        continue;
      }
      if (++count <= most_kernels_named)
        names += (names.empty() ? "" : ", ") +
                 fmt::format("{} (F = {} ns)", u == v_ ? "its own other jobs" : dag().nodes()[u].name, end_of(u).count());
    }
    if (count > most_kernels_named) names += fmt::format(" and {} more", count - most_kernels_named);
    if (count > 0)
      lines.push_back(
          fmt::format("never beside it: {}: of one job one follows the other, and all of a job is over before the next release, "
                      "F <= T{} = {} ns",
                      names, dag().attributes().jitter > Time::zero() ? " - J" : "", dag().period().count()));
    return lines;
  }

  [[nodiscard]] Time end_of(NodeId u) const {
    const NodeProof& node = proof_.dags[d_].nodes[u];
    return node.bound && node.reference ? *node.reference + node.bound->R : Time::zero();
  }

  const Proof& proof_;
  const TaskSet& alone_;
  const std::vector<bool>& lasting_;
  Windows windows_;
  DagId d_;
  NodeId v_;
  const GpuDemand& kernel_;
  const Interference& interference_;
};

}  // namespace

std::vector<std::string> company_lines(const Proof& proof, DagId d, NodeId v) {
  if (!proof.company) return {};
  const auto* const kernel = std::get_if<GpuDemand>(&proof.company->alone->dags()[d].nodes()[v].demand);
  if (kernel == nullptr || !kernel->alone) return {};
  return CompanyLines(proof, d, v).lines();
}

}  // namespace rta::analysis
