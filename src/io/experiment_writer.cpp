#include <fmt/format.h>

#include "rta/io/experiment_file.hpp"
#include "rta/model/overloaded.hpp"
#include "rta/model/time_slices.hpp"
#include "shared_gpus.hpp"
#include "yaml_text.hpp"

namespace rta::io {

std::string format_experiment(const Experiment& experiment) {
  std::string text = "platform:\n";
  std::string_view last;  // the contexts of a GPU stand side by side
  for (const Pool& pool : experiment.pools()) {
    if (pool.name == calling_threads) continue;
    if (const std::string_view name = name_in_file(pool); name != last) text += fmt::format("  {}: {}\n", word(name), resource_text(pool));
    last = name_in_file(pool);
  }
  text += "experiment:\n";
  for (const Operation& o : experiment.operations()) {
    FlowMapping out;
    const Pool& pool = experiment.pools()[o.pool];
    const auto add_issue = [&](std::string_view kind) {
      out.add(kind, word(o.name)).add("on", word(name_in_file(pool)));
      const Sharing* const sharing = sharing_of(pool);
      if (sharing != nullptr && !sharing->process.empty()) out.add("process", word(sharing->process));
      if (!o.by_memcpy) out.add("stream", word(o.stream));
      out.add("at", time_text(o.at));
    };
    std::visit(overloaded{[&](const GpuDemand& kernel) {
                            add_issue("kernel");
                            add_demand(out, kernel, std::get<GpuPool>(pool.resource), o.name);
                          },
                          [&](const CopyDemand& copy) {
                            add_issue("copy");
                            out.add("C", time_text(copy.C));
                            if (copy.direction) out.add("direction", *copy.direction == Direction::h2d ? "h2d" : "d2h");
                            if (o.by_memcpy) out.add("call", "cudaMemcpy");
                          },
                          [&](const CallDemand& made) {
                            out.add("call", made.call->name);
                            if (o.name != made.call->name) out.add("name", word(o.name));
                            if (!o.stream.empty()) out.add("stream", word(o.stream));
                            out.add("at", time_text(o.at));
                          }},
               o.demand);
    if (!o.after.empty()) {
      std::string names;
      for (const std::size_t before : o.after) names += (names.empty() ? "" : ", ") + word(experiment.operations()[before].name);
      out.add("after", "[" + names + "]");
    }
    if (o.delay != Time::zero()) out.add("delay", time_text(o.delay));
    text += fmt::format("  - {}\n", out.text());
  }
  return text;
}

}  // namespace rta::io
