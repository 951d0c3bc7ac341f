#include "analysis/explain/company_lines.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/company/other_work.hpp"
#include "analysis/company/phases.hpp"
#include "analysis/explain/dag_kinds.hpp"
#include "rta/analysis/company.hpp"
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
    if (company.empty()) {
      lines.push_back(fmt::format("C1: {} of {} = {} ns alone; nothing that counts can meet it", what, name(d_, v_), kernel_.L.count()));
    } else {
      lines.push_back(fmt::format("C1: {} of {} = {} ns alone + {} ns beside {} can meet it{}", what, name(d_, v_), kernel_.L.count(),
                                  (with.L - kernel_.L).count(), by_class(company),
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
