#include "rta/compare/observed.hpp"

#include <variant>

#include "node_index.hpp"
#include "rta/model/overloaded.hpp"

namespace rta::compare {

void tell(const TaskSet& task_set, trace::Reader& reader, const std::string& name, simulate::Observer& observer) {
  const NodeIndex names(task_set, name);
  const auto id = [&](const trace::Job& job) {
    const DagId d = names.dag(job.dag);
    return simulate::JobId{d, names.node(d, job.node), job.job};
  };
  const overloaded tell_one{
      [&](const trace::DagRecord& r) { observer.dag(names.dag(r.job.dag), r.job.job, r.release, r.end); },
      [&](const trace::JobRecord& r) { observer.job(id(r.job), r.release, r.start, r.end); },
      [&](const trace::BlockRecord& r) { observer.block(id(r.job), r.block, r.sm, r.start, r.end); },
      [&](const trace::CopyRecord& r) { observer.copy(id(r.job), r.engine, r.start, r.end); },
      [&](const trace::RunRecord& r) { observer.run(id(r.job), r.cpu, r.start, r.end); },
      [](const trace::CheckRecord&) {},
      [](const trace::Activity&) {},
  };
  while (const auto record = reader.next()) std::visit(tell_one, *record);
}

}  // namespace rta::compare
