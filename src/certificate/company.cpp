#include "certificate/company.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "certificate/line.hpp"
#include "rta/model/error.hpp"

namespace rta::certificate {

void add_company(const analysis::Proof& proof, std::string& out) {
  require(proof.company != nullptr, "a proof with company says how it was counted");
  const TaskSet& alone = *proof.company->alone;
  for (DagId d = 0; d < alone.dags().size(); ++d) {
    const auto nodes = alone.dags()[d].nodes();
    bool any = false;
    for (NodeId v = 0; v < nodes.size(); ++v) {
      const auto* const before = std::get_if<GpuDemand>(&nodes[v].demand);
      if (before == nullptr || !before->alone) continue;
      any = true;
      const auto& now = std::get<GpuDemand>(proof.task_set->dags()[d].nodes()[v].demand);
      line(out, "company {} {} {} {} {}", d, v, now.L.count(), to_string(now.C.count()),
           now.time ? fmt::format("{}", now.time->count()) : "-");
    }
    if (!any) continue;
    for (NodeId v = 0; v < nodes.size(); ++v) {
      const analysis::NodeProof& node = proof.dags[d].nodes[v];
      if (!std::holds_alternative<GpuDemand>(nodes[v].demand) || proof.company->lasting[d][v]) continue;
      require(node.bound && node.reference, "what is over in time has a bound");
      line(out, "inside {} {} {} {}", d, v, (*node.reference + node.bound->R).count(), alone.dags()[d].period().count());
    }
  }
}

}  // namespace rta::certificate
