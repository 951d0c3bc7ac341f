#include <fmt/format.h>

#include <iterator>

#include "../io/fields.hpp"
#include "../io/yaml_text.hpp"
#include "rta/model/error.hpp"
#include "rta/static_order/schedule_file.hpp"

namespace rta::static_order {
namespace {

std::string name(const std::string& word) {
  if (const auto fault = io::name_fault(word)) throw UserError("a schedule file cannot hold this: " + *fault);
  return io::word(word);
}

std::string ids(const std::vector<std::size_t>& all) { return fmt::format("[{}]", fmt::join(all, ", ")); }

std::string resources(const ScheduledHyperepoch& hyperepoch, const std::vector<std::size_t>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const std::size_t r : all) names.push_back(name(hyperepoch.resources[r].name));
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::string runnable_text(const ScheduledHyperepoch& hyperepoch, std::size_t id) {
  const ScheduledRunnable& r = hyperepoch.runnables[id];
  io::FlowMapping out;
  out.add_number("id", id).add("name", name(r.name));
  if (!r.client.empty()) out.add("client", name(r.client));
  if (!r.steps.empty()) {
    std::vector<std::string> steps;
    for (const std::string& step : r.steps) steps.push_back(step.empty() ? "none" : name(step));
    out.add("steps", fmt::format("[{}]", fmt::join(steps, ", ")));
  }
  out.add("kind", to_string(r.role)).add("epoch", name(hyperepoch.epochs[r.epoch].name)).add_number("frame", r.frame);
  out.add("resources", resources(hyperepoch, r.resources));
  if (r.stream) out.add("stream", name(hyperepoch.resources[*r.stream].name));
  if (!r.submits.empty()) out.add("submits", ids(r.submits));
  if (!r.after.empty()) out.add("after", ids(r.after));
  if (!r.after_start.empty()) out.add("after_start", ids(r.after_start));
  if (r.weight > 0) out.add_number("blocks", r.blocks).add_number("weight", r.weight);
  out.add("release", io::time_text(r.release)).add("wcet", io::time_text(r.wcet));
  if (r.deadline) out.add("deadline", io::time_text(*r.deadline));
  out.add("start", io::time_text(r.start)).add("end", io::time_text(r.end));
  return out.text();
}

}  // namespace

std::string format_schedule(const Schedule& schedule) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "schedule: 1\ngraph: {}\ngraph_sha256: {}\nidentifier: {}\nsubmittee: {}\n", io::double_quoted(schedule.graph),
                 io::double_quoted(schedule.graph_sha256), schedule.identifier, to_string(schedule.submittee));
  std::vector<std::string> clients;
  for (const std::string& client : schedule.clients) clients.push_back(name(client));
  fmt::format_to(out, "clients: [{}]\nhyperepochs:\n", fmt::join(clients, ", "));
  for (const ScheduledHyperepoch& h : schedule.hyperepochs) {
    fmt::format_to(out, "  - name: {}\n    period: {}\n    length: {}\n    lower_bound: {}\n    resources:\n", name(h.name),
                   io::time_text(h.period), io::time_text(h.length), io::time_text(h.lower_bound));
    for (const ScheduledResource& r : h.resources) {
      io::FlowMapping line;
      line.add("name", name(r.name)).add("type", name(r.type));
      if (r.serves) line.add("serves", name(h.resources[*r.serves].name));
      fmt::format_to(out, "      - {}\n", line.text());
    }
    if (!h.sharing.empty()) fmt::format_to(out, "    sharing:\n");
    for (const Sharing& s : h.sharing) {
      fmt::format_to(out, "      - {{resource: {}, by: {}, capacity: {}}}\n", name(h.resources[s.resource].name),
                     s.by == Sharing::By::weights ? "weights" : "streams", s.capacity);
    }
    fmt::format_to(out, "    epochs:\n");
    for (const ScheduledEpoch& e : h.epochs)
      fmt::format_to(out, "      - {{name: {}, period: {}, frames: {}}}\n", name(e.name), io::time_text(e.period), e.frames);
    fmt::format_to(out, "    runnables:\n");
    for (std::size_t id = 0; id < h.runnables.size(); ++id) fmt::format_to(out, "      - {}\n", runnable_text(h, id));
  }
  return text;
}

}  // namespace rta::static_order
