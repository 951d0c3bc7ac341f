#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "../io/fields.hpp"
#include "../io/yaml_text.hpp"
#include "rta/model/error.hpp"
#include "rta/static_order/graph_file.hpp"

namespace rta::static_order {
namespace {

class Writer {
 public:
  explicit Writer(const Graph& graph) : graph_(graph) {}

  std::string text() {
    write("Version: 3.0.0\n{}:\n  Identifier: {}\n", name(graph_.name, true), graph_.identifier);
    write_resources();
    write("  Hyperepochs:\n");
    for (const Hyperepoch& hyperepoch : graph_.hyperepochs) write_hyperepoch(hyperepoch);
    write("  Clients:\n");
    for (ClientId client = 0; client < graph_.clients.size(); ++client) write_client(client);
    write_pins();
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void write(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  [[nodiscard]] static std::string name(const std::string& name, bool dotted) {
    if (const auto fault = io::name_fault(name)) throw UserError("a graph file cannot hold this: " + *fault);
    if (!dotted && name.find('.') != std::string::npos)
      throw UserError("a graph file cannot hold the name '" + name + "': it has a full stop");
    return io::word(name);
  }

  [[nodiscard]] std::string resource_name(ResourceId id) const { return io::word(full_name(graph_, id)); }

  // `{CPU: [CPU0, CPU1], CUDA_STREAM: [{STREAM0: iGPU}]}`, types in the order of their first instances.
  [[nodiscard]] std::string types_text(std::string_view soc, std::optional<ClientId> client) const {
    std::vector<std::pair<std::string, std::string>> types;
    for (const Resource& r : graph_.resources) {
      if (r.client != client || (!client && r.soc != soc)) continue;
      auto at = std::ranges::find(types, r.type, &std::pair<std::string, std::string>::first);
      if (at == types.end()) at = types.insert(types.end(), {r.type, {}});
      if (!at->second.empty()) at->second += ", ";
      at->second += instance_text(r);
    }
    io::FlowMapping out;
    for (const auto& [type, instances] : types) out.add(name(type, false), "[" + instances + "]");
    return out.text();
  }

  [[nodiscard]] std::string instance_text(const Resource& r) const {
    if (kind_of_type(r.type) != (r.kind == ResourceKind::stream ? ResourceKind::mutex : r.kind))
      throw UserError("a graph file cannot say what the resource '" + r.name + "' of type " + r.type + " is");
    if (r.serves) return fmt::format("{{{}: {}}}", name(r.name, false), resource_name(*r.serves));
    if (!r.gpu) return name(r.name, false);
    return fmt::format("{{{}: {}}}", name(r.name, false), io::resource_text(Pool{r.name, *r.gpu}));
  }

  void write_resources() {
    std::vector<std::string> socs;
    for (const Resource& r : graph_.resources) {
      if (!r.client && std::ranges::find(socs, r.soc) == socs.end()) socs.push_back(r.soc);
    }
    if (socs.size() == 1 && socs.front().empty()) {
      write("  Resources: {}\n", types_text({}, std::nullopt));
      return;
    }
    write("  SOC:\n");
    for (const std::string& soc : socs) write("    - {}: {{Resources: {}}}\n", name(soc, false), types_text(soc, std::nullopt));
  }

  void write_hyperepoch(const Hyperepoch& hyperepoch) {
    write("    - {}:\n        Period: {}\n", name(hyperepoch.name, false), io::time_text(hyperepoch.period));
    if (!hyperepoch.resources.empty()) {
      std::vector<std::string> names;
      for (const ResourceId id : hyperepoch.resources) names.push_back(resource_name(id));
      write("        Resources: [{}]\n", fmt::join(names, ", "));
    }
    write("        Epochs:\n");
    for (const Epoch& epoch : hyperepoch.epochs) {
      if (epoch.overlap) throw UserError("a graph file cannot say that frames of the epoch '" + epoch.name + "' may overlap");
      io::FlowMapping out;
      out.add("Period", io::time_text(epoch.period)).add_number("Frames", epoch.frames);
      if (epoch.deadline) out.add("Deadline", io::time_text(*epoch.deadline));
      if (!epoch.aliases.empty()) out.add("AliasGroups", groups_text(epoch));
      write("          - {}: {}\n", name(epoch.name, false), out.text());
    }
  }

  [[nodiscard]] std::string groups_text(const Epoch& epoch) const {
    std::vector<std::string> groups;
    for (const AliasGroup& group : epoch.aliases) {
      std::vector<std::string> steps;
      for (const auto& step : group.steps) steps.push_back(step ? runnable_name(*step) : "None");
      groups.push_back(fmt::format("{{{}: {{Steps: [{}]}}}}", name(group.name, true), fmt::join(steps, ", ")));
    }
    return fmt::format("[{}]", fmt::join(groups, ", "));
  }

  [[nodiscard]] std::string runnable_name(RunnableId id) const {
    const Runnable& runnable = graph_.runnables[id];
    static_cast<void>(name(runnable.name, true));
    return name(full_name(graph_, runnable), true);
  }

  void write_client(ClientId id) {
    const Client& client = graph_.clients[id];
    write("    - {}:\n", name(client.name, false));
    if (!client.soc.empty()) write("        SOC: {}\n", name(client.soc, false));
    write("        Resources: {}\n", types_text({}, id));
    const Runnable* before = nullptr;
    for (const Runnable& runnable : graph_.runnables) {
      if (runnable.client != id) continue;
      if (before == nullptr) write("        Epochs:\n");
      const bool same = before != nullptr && before->hyperepoch == runnable.hyperepoch && before->epoch == runnable.epoch;
      const Hyperepoch& hyperepoch = graph_.hyperepochs[runnable.hyperepoch];
      if (!same) write("          - {}.{}:\n              Runnables:\n", hyperepoch.name, hyperepoch.epochs[runnable.epoch].name);
      write("                - {}: {}\n", name(runnable.name, true), runnable_text(runnable));
      before = &runnable;
    }
  }

  [[nodiscard]] std::string runnable_text(const Runnable& runnable) const {
    if (!runnable.previous.empty()) throw UserError("a graph file cannot say that '" + runnable.name + "' waits for the frame before");
    io::FlowMapping out;
    if (!runnable.blocks || runnable.wcet > Time::zero()) out.add("WCET", io::time_text(runnable.wcet));
    if (runnable.blocks) add_blocks(out, runnable);
    out.add("Resources", needs_text(runnable.needs));
    if (!runnable.dependencies.empty()) {
      std::vector<std::string> names;
      for (const RunnableId id : runnable.dependencies) names.push_back(runnable_name(id));
      out.add("Dependencies", fmt::format("[{}]", fmt::join(names, ", ")));
    }
    if (runnable.submits) out.add("Submits", runnable_name(*runnable.submits));
    if (runnable.start_time > Time::zero()) out.add("StartTime", io::time_text(runnable.start_time));
    if (runnable.deadline) out.add("Deadline", io::time_text(*runnable.deadline));
    if (runnable.priority != 10) out.add_number("Priority", runnable.priority);
    return out.text();
  }

  void add_blocks(io::FlowMapping& out, const Runnable& runnable) const {
    for (const ResourceNeed& need : runnable.needs) {
      const Resource& r = graph_.resources[need.any_of.front()];
      if (r.gpu) io::add_demand(out, *runnable.blocks, *r.gpu, runnable.name);
    }
  }

  [[nodiscard]] std::string needs_text(const std::vector<ResourceNeed>& needs) const {
    std::vector<std::string> words;
    for (const ResourceNeed& need : needs) {
      if (need.type.empty() && need.any_of.size() > 1) throw UserError("a graph file cannot say 'one of some resources' but by their type");
      words.push_back(need.type.empty() ? resource_name(need.any_of.front()) : name(need.type, false));
    }
    return fmt::format("[{}]", fmt::join(words, ", "));
  }

  void write_pins() {
    bool first = true;
    for (const Hyperepoch& hyperepoch : graph_.hyperepochs) {
      for (const Epoch& epoch : hyperepoch.epochs) {
        if (epoch.frame_sync.empty()) continue;
        if (first) write("    - FrameSync:\n");
        first = false;
        write("        - {}.{}: {{Resources: {}}}\n", hyperepoch.name, epoch.name, needs_text(epoch.frame_sync));
      }
    }
  }

  const Graph& graph_;
  std::string text_;
};

}  // namespace

std::string format_graph(const Graph& graph) { return Writer(graph).text(); }

}  // namespace rta::static_order
