#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "../io/yaml_document.hpp"
#include "graph_resources.hpp"
#include "graph_runnables.hpp"
#include "named_entries.hpp"
#include "rta/static_order/graph_file.hpp"
#include "slots.hpp"

namespace rta::static_order {
namespace {

using io::Diagnostics;
using io::Fields;
using io::quote;
using io::Value;

constexpr std::string_view version = "3.0.0";
constexpr std::array<std::string_view, 5> graph_keys{"Identifier", "Resources", "SOC", "Hyperepochs", "Clients"};
constexpr std::array<std::string_view, 1> soc_keys{"Resources"};
constexpr std::array<std::string_view, 3> hyperepoch_keys{"Period", "Resources", "Epochs"};
constexpr std::array<std::string_view, 4> epoch_keys{"Period", "Frames", "Deadline", "AliasGroups"};
constexpr std::array<std::string_view, 3> client_keys{"SOC", "Resources", "Epochs"};
constexpr std::array<std::string_view, 2> client_epoch_keys{"Runnables", "AliasGroups"};
constexpr std::array<std::string_view, 1> pin_keys{"Resources"};
constexpr std::string_view frame_sync = "FrameSync";
constexpr std::uint64_t most_frames = 100'000;

class GraphReader {
 public:
  GraphReader(Graph& graph, Diagnostics& out)
      : graph_(graph), out_(out), entries_(out), resources_(graph, out), runnables_(graph, resources_, entries_, out) {}

  void read(const Fields& fields) {
    fields.allow_only(graph_keys);
    static_cast<void>(fields.require("Identifier", "a number within 0 .. 65535"));
    if (const auto id = fields.integer("Identifier", 0, 65'535)) graph_.identifier = static_cast<std::uint32_t>(*id);
    read_resources(fields);
    const Value* const hyperepochs = fields.require("Hyperepochs", "what repeats, and how often");
    const Value* const clients = fields.require("Clients", "the processes with their runnables");
    if (hyperepochs == nullptr || clients == nullptr) return;
    read_clients(*clients);
    for (const NamedEntry& entry : entries_.read(*hyperepochs, "hyperepoch", hyperepoch_keys)) read_hyperepoch(entry);
    if (graph_.hyperepochs.empty() && !out_.failed()) fields.error(*hyperepochs, "Hyperepochs: there is none");
    check_parts(*hyperepochs);
    for (std::size_t i = 0; i < client_fields_.size(); ++i) read_runnables(client_fields_[i], i);
    for (const auto& [entry, groups] : alias_lists_) runnables_.define_aliases(*groups, entry.first, entry.second);
    runnables_.resolve();
    if (!out_.failed() && graph_.runnables.empty()) fields.error(*clients, "Clients: none has a runnable");
    read_pins();
    check_slots();
    check_sharing(*hyperepochs);
  }

 private:
  void read_resources(const Fields& fields) {
    const Value* const socs = fields.find("SOC");
    if (const Value* const types = fields.find("Resources")) {
      if (socs != nullptr) fields.error(*socs, "SOC: give Resources for one SOC, or SOC for several, not both");
      resources_.define(*types, {}, std::nullopt);
    } else if (socs == nullptr) {
      fields.error(fields.mapping(), "'Resources' is missing: the CPUs, GPUs and other engines");
    } else {
      for (const NamedEntry& entry : entries_.read(*socs, "soc", soc_keys)) {
        const Fields soc = entries_.fields(entry, {"SOC", entry.name}, soc_keys);
        if (!check_name(entry.name, entry.mark, false, out_)) continue;
        if (std::ranges::find(socs_, entry.name) != socs_.end())
          out_.error(entry.mark, fmt::format("the SOC {} is given twice", quote(entry.name)));
        socs_.push_back(entry.name);
        const Value* const own = soc.require("Resources", "its CPUs, GPUs and other engines");
        if (own != nullptr) resources_.define(*own, entry.name, std::nullopt);
      }
    }
  }

  void read_clients(const Value& list) {
    for (const NamedEntry& entry : entries_.read(list, "client", client_keys)) {
      if (entry.name == frame_sync) {
        pins_.push_back(entry);
        continue;
      }
      const Fields fields = entries_.fields(entry, {"client", entry.name}, client_keys);
      if (!check_name(entry.name, entry.mark, false, out_)) continue;
      const auto same = [&](const Client& client) { return client.name == entry.name; };
      if (std::ranges::any_of(graph_.clients, same)) {
        out_.error(entry.mark, fmt::format("the client {} is given twice", quote(entry.name)));
        continue;
      }
      Client client{std::string(entry.name), {}};
      if (const auto soc = fields.name("SOC")) {
        client.soc = *soc;
        if (std::ranges::find(socs_, *soc) == socs_.end())
          fields.error(*fields.find("SOC"), fmt::format("SOC: {} is no SOC of the graph (there are: {})", quote(*soc), io::joined(socs_)));
      }
      graph_.clients.push_back(std::move(client));
      client_fields_.push_back(fields);
      if (const Value* const types = fields.find("Resources")) resources_.define(*types, {}, graph_.clients.size() - 1);
    }
  }

  void read_hyperepoch(const NamedEntry& entry) {
    const Fields fields = entries_.fields(entry, {"hyperepoch", entry.name}, hyperepoch_keys);
    if (!check_name(entry.name, entry.mark, false, out_)) return;
    const auto same = [&](const Hyperepoch& h) { return h.name == entry.name; };
    if (std::ranges::any_of(graph_.hyperepochs, same)) {
      out_.error(entry.mark, fmt::format("the hyperepoch {} is given twice", quote(entry.name)));
      return;
    }
    const HyperepochId id = graph_.hyperepochs.size();
    Hyperepoch& hyperepoch = graph_.hyperepochs.emplace_back();
    hyperepoch.name = entry.name;
    for (const Value* word : plain_list(fields, "Resources", "resources")) {
      for (const ResourceId resource : resources_.resolve(*word, std::nullopt, true, fields.subject())) claim(resource, id, fields, *word);
    }
    if (const auto period = fields.time("Period", nullptr, 1)) hyperepoch.period = to_time(*period);
    const Value* const epochs = fields.find("Epochs");
    if (epochs != nullptr) {
      for (const NamedEntry& epoch : entries_.read(*epochs, "epoch", epoch_keys)) read_epoch(epoch, id);
    }
    if (hyperepoch.epochs.empty()) {
      if (!out_.failed()) out_.error(entry.mark, {"hyperepoch", entry.name}, "Epochs: there is none");
      return;
    }
    settle_periods(fields, entry.mark, hyperepoch);
  }

  void claim(ResourceId resource, HyperepochId id, const Fields& fields, const Value& word) {
    for (const Hyperepoch& other : graph_.hyperepochs) {
      if (std::ranges::find(other.resources, resource) == other.resources.end()) continue;
      const bool own = &other == &graph_.hyperepochs[id];
      fields.error(word, own ? fmt::format("Resources: {} is given twice", quote(word.text))
                             : fmt::format("Resources: {} belongs to hyperepoch '{}' already; hyperepochs share nothing", quote(word.text),
                                           other.name));
      return;
    }
    graph_.hyperepochs[id].resources.push_back(resource);
  }

  void read_epoch(const NamedEntry& entry, HyperepochId id) {
    const Fields fields = entries_.fields(entry, {"epoch", entry.name}, epoch_keys);
    if (!check_name(entry.name, entry.mark, false, out_)) return;
    auto& epochs = graph_.hyperepochs[id].epochs;
    if (std::ranges::any_of(epochs, [&](const Epoch& e) { return e.name == entry.name; })) {
      out_.error(entry.mark, fmt::format("the epoch {} is given twice", quote(entry.name)));
      return;
    }
    Epoch epoch;
    epoch.name = entry.name;
    if (const auto period = fields.time("Period", nullptr, 1)) epoch.period = to_time(*period);
    if (const auto frames = fields.integer("Frames", 1, most_frames)) epoch.frames = *frames;
    if (const auto deadline = fields.time("Deadline", nullptr, 1)) epoch.deadline = to_time(*deadline);
    if (const Value* const groups = fields.find("AliasGroups")) alias_lists_.push_back({{id, epochs.size()}, groups});
    epochs.push_back(std::move(epoch));
    epoch_marks_[id].push_back(entry.mark);
  }

  // A period that is not written follows from the other one.
  void settle_periods(const Fields& fields, io::Mark mark, Hyperepoch& hyperepoch) {
    const HyperepochId id = graph_.hyperepochs.size() - 1;
    const bool written = hyperepoch.period > Time::zero();
    if (!written && fields.has("Period")) return;  // reported
    if (!written && (hyperepoch.epochs.size() > 1 || hyperepoch.epochs.front().period == Time::zero())) {
      out_.error(mark, {"hyperepoch", hyperepoch.name},
                 "'Period' is missing; it follows from the epoch's only where there is one epoch, which has one");
      return;
    }
    if (!written) {
      const Epoch& epoch = hyperepoch.epochs.front();
      hyperepoch.period = epoch.period * static_cast<std::int64_t>(epoch.frames);
    }
    for (std::size_t e = 0; e < hyperepoch.epochs.size(); ++e) {
      Epoch& epoch = hyperepoch.epochs[e];
      const auto fail = [&](const std::string& message) { out_.error(epoch_marks_[id][e], {"epoch", epoch.name}, message); };
      if (epoch.period == Time::zero()) {
        if (epoch.frames > 1) fail("'Period' is missing: how far its frames are apart");
        epoch.period = hyperepoch.period;
      }
      const Wide last = static_cast<Wide>(epoch.period.count()) * (epoch.frames - 1);
      if (last >= hyperepoch.period.count())
        fail(fmt::format("the last of its {} frames would start {} ns after the hyperepoch, whose period is {} ns", epoch.frames,
                         rta::to_string(last), hyperepoch.period.count()));
    }
  }

  // With several hyperepochs each has its part.
  void check_parts(const Value& list) {
    if (graph_.hyperepochs.size() < 2) return;
    for (const Hyperepoch& h : graph_.hyperepochs) {
      if (h.resources.empty() && !out_.failed())
        out_.error(list.mark, {"hyperepoch", h.name}, "'Resources' is missing: several hyperepochs share nothing, so each names its part");
    }
  }

  std::optional<std::pair<HyperepochId, std::size_t>> find_epoch(std::string_view word, io::Mark at) {
    std::vector<std::string> names;
    for (HyperepochId h = 0; h < graph_.hyperepochs.size(); ++h) {
      for (std::size_t e = 0; e < graph_.hyperepochs[h].epochs.size(); ++e) {
        names.push_back(graph_.hyperepochs[h].name + "." + graph_.hyperepochs[h].epochs[e].name);
        if (names.back() == word) return std::pair(h, e);
      }
    }
    const std::vector<std::string_view> words(names.begin(), names.end());
    out_.error(
        at, fmt::format("{} is no epoch{} (hyperepoch.epoch; there are: {})", quote(word), io::suggestion(word, words), io::joined(words)));
    return std::nullopt;
  }

  void read_runnables(const Fields& fields, ClientId client) {
    const Value* const epochs = fields.find("Epochs");
    if (epochs == nullptr) return;
    for (const NamedEntry& entry : entries_.read(*epochs, "hyperepoch.epoch", client_epoch_keys)) {
      const Fields parts = entries_.fields(entry, {"epoch", entry.name}, client_epoch_keys);
      const auto epoch = find_epoch(entry.name, entry.mark);
      if (!epoch) continue;
      if (const Value* const list = parts.find("Runnables")) runnables_.define(*list, client, epoch->first, epoch->second);
      if (const Value* const groups = parts.find("AliasGroups")) alias_lists_.push_back({*epoch, groups});
    }
  }

  // FrameSync: [camera.frames: {Resources: [CPU0]}]
  void read_pins() {
    for (const NamedEntry& list : pins_) {
      for (const NamedEntry& entry : entries_.read(*list.value, "hyperepoch.epoch", pin_keys)) {
        const Fields fields = entries_.fields(entry, {"FrameSync", entry.name}, pin_keys);
        const auto at = find_epoch(entry.name, entry.mark);
        if (!at) continue;
        Epoch& epoch = graph_.hyperepochs[at->first].epochs[at->second];
        if (!epoch.frame_sync.empty()) {
          out_.error(entry.mark, fmt::format("FrameSync of {} is given twice", quote(entry.name)));
          continue;
        }
        epoch.frame_sync = runnables_.needs(fields, std::nullopt, at->first);
        const auto no_cpu = [&](const ResourceNeed& need) { return graph_.resources[need.any_of.front()].kind != ResourceKind::cpu; };
        if (epoch.frame_sync.size() > 1 || std::ranges::any_of(epoch.frame_sync, no_cpu))
          fields.error(*fields.find("Resources"), "Resources: the start of a frame is pinned to one CPU");
      }
    }
  }

  void check_slots() {
    for (HyperepochId h = 0; h < graph_.hyperepochs.size() && !out_.failed(); ++h) {
      for (std::size_t e = 0; e < graph_.hyperepochs[h].epochs.size(); ++e) {
        std::optional<SlotFault> fault;
        static_cast<void>(slots_of(graph_, h, e, fault));
        if (fault) out_.error(epoch_marks_[h][e], {"alias group", fault->group}, fault->message);
      }
    }
  }

  // What no hyperepoch claims is used by the runnables of one.
  void check_sharing(const Value& list) {
    if (out_.failed()) return;
    std::vector<std::optional<HyperepochId>> user(graph_.resources.size());
    for (const Runnable& runnable : graph_.runnables) {
      for (const ResourceNeed& need : runnable.needs) {
        for (const ResourceId id : need.any_of) {
          if (user[id] && *user[id] != runnable.hyperepoch) {
            out_.error(list.mark,
                       fmt::format(
                           "the resource {} is used in hyperepochs '{}' and '{}', which share nothing: name it in the Resources of one",
                           quote(full_name(graph_, id)), graph_.hyperepochs[*user[id]].name, graph_.hyperepochs[runnable.hyperepoch].name));
            return;
          }
          user[id] = runnable.hyperepoch;
        }
      }
    }
  }

  Graph& graph_;
  Diagnostics& out_;
  NamedEntries entries_;
  GraphResources resources_;
  GraphRunnables runnables_;
  std::vector<std::string_view> socs_;
  std::vector<Fields> client_fields_;  // by client
  std::vector<NamedEntry> pins_;
  std::vector<std::pair<std::pair<HyperepochId, std::size_t>, const Value*>> alias_lists_;
  std::map<HyperepochId, std::vector<io::Mark>> epoch_marks_;
};

}  // namespace

GraphResult parse_graph(std::string_view text, const std::string& name) {
  Diagnostics out(name);
  const io::YamlDocument document(text, out, "a graph has `Version` and, below its name, `Resources`, `Hyperepochs` and `Clients`");
  const Fields top(document.root(), {}, out);
  if (!top.usable()) out.throw_if_failed();
  GraphResult result;
  const Value* const given = top.require("Version", "of the format, 3.0.0");
  if (given != nullptr && (given->kind != Value::Kind::scalar || given->text != version))
    top.error(*given, fmt::format("Version: {} is not supported; it is {}",
                                  given->kind == Value::Kind::scalar ? quote(given->text) : "this", version));
  const Fields::Field* body = nullptr;
  for (const Fields::Field& field : top.all()) {
    if (field.key->text == "Version") continue;
    if (body != nullptr) {
      top.error(*field.key, fmt::format("a second graph, {}; a file holds one", quote(field.key->text)));
      continue;
    }
    body = &field;
  }
  if (body == nullptr) top.error(top.mapping(), "the graph is missing: its name, and below it Resources, Hyperepochs and Clients");
  if (body != nullptr && check_name(body->key->text, body->key->mark, true, out)) {
    result.graph.name = body->key->text;
    const Fields fields(*body->value, {"graph", body->key->text}, out);
    if (fields.usable()) GraphReader(result.graph, out).read(fields);
  }
  out.throw_if_failed();
  result.warnings = out.take_warnings();
  return result;
}

std::variant<io::ReadResult, GraphResult> parse_task_set_or_graph(std::string_view text, const std::string& name) {
  Diagnostics out(name);
  const io::YamlDocument document(text, out, "a graph has `Version`, a task set `platform` and `dags` or `tasks`");
  const Value& root = document.root();
  if (root.kind == Value::Kind::mapping) {
    for (const Value* key = root.first(); key != root.next(); key = key->next()->next()) {
      if (key->kind == Value::Kind::scalar && key->text == "Version") return parse_graph(text, name);
    }
  }
  return io::parse_task_set(text, name);
}

}  // namespace rta::static_order
