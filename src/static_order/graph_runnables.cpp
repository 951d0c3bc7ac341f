#include "graph_runnables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../io/node_reader.hpp"

namespace rta::static_order {
namespace {

using io::Fields;
using io::quote;
using io::Value;

constexpr std::array<std::string_view, 17> runnable_keys{
    "WCET", "Dependencies",  "Resources", "Submits", "StartTime", "start_time", "Deadline", "deadline", "Priority", "Extern", "B", "H", "L",
    "C",    "shared_memory", "registers", "priority"};
constexpr std::array<std::string_view, 7> block_keys{"B", "H", "L", "C", "shared_memory", "registers", "priority"};
constexpr std::array<std::string_view, 1> group_keys{"Steps"};

/// The time under one of two spellings.
std::optional<Time> time_of(const Fields& fields, std::string_view key, std::string_view spelling, Wide least) {
  if (fields.has(key) && fields.has(spelling)) {
    fields.error(*fields.find(spelling), fmt::format("'{}' and '{}' say the same; give one of them", key, spelling));
    return std::nullopt;
  }
  const auto time = fields.time(fields.has(key) ? key : spelling, nullptr, least);
  return time ? std::optional(to_time(*time)) : std::nullopt;
}

bool has_blocks(const Fields& fields) {
  return std::ranges::any_of(block_keys, [&](std::string_view key) { return fields.has(key); });
}

}  // namespace

void GraphRunnables::define(const Value& list, ClientId client, HyperepochId hyperepoch, std::size_t epoch) {
  for (const NamedEntry& entry : entries_.read(list, "runnable", runnable_keys)) {
    const Fields fields = entries_.fields(entry, {"runnable", entry.name}, runnable_keys);
    if (!check_name(entry.name, entry.mark, true, out_)) continue;
    Runnable runnable;
    runnable.name = entry.name;
    runnable.client = client;
    runnable.hyperepoch = hyperepoch;
    runnable.epoch = epoch;
    if (fields.has("Extern")) fields.error(*fields.find("Extern"), "Extern: runnables of other files cannot be read; write them out here");
    if (!has_blocks(fields)) static_cast<void>(fields.require("WCET", "the longest time that it takes"));
    if (const auto wcet = fields.time("WCET", nullptr, 0)) runnable.wcet = to_time(*wcet);
    runnable.start_time = time_of(fields, "StartTime", "start_time", 0).value_or(Time::zero());
    runnable.deadline = time_of(fields, "Deadline", "deadline", 1);
    if (const auto priority = fields.integer("Priority", 1, 10)) runnable.priority = static_cast<unsigned>(*priority);
    const auto [earlier, fresh] = by_name_.emplace(graph_.clients[client].name + "." + runnable.name, graph_.runnables.size());
    if (!fresh) {
      out_.error(entry.mark, fmt::format("the runnable {} is given twice (first at line {})", quote(earlier->first),
                                         written_[earlier->second].mark.line));
      continue;
    }
    graph_.runnables.push_back(std::move(runnable));
    written_.push_back({fields, entry.mark});
  }
}

void GraphRunnables::define_aliases(const Value& list, HyperepochId hyperepoch, std::size_t epoch) {
  for (const NamedEntry& entry : entries_.read(list, "group", group_keys)) {
    const Fields fields = entries_.fields(entry, {"alias group", entry.name}, group_keys);
    if (check_name(entry.name, entry.mark, true, out_)) groups_.push_back({fields, entry.mark, entry.name, hyperepoch, epoch});
  }
}

void GraphRunnables::resolve() {
  submitter_.assign(graph_.runnables.size(), std::nullopt);
  for (RunnableId id = 0; id < graph_.runnables.size(); ++id) {
    Runnable& runnable = graph_.runnables[id];
    runnable.needs = needs(written_[id].fields, runnable.client, runnable.hyperepoch);
    resolve_dependencies(id);
    resolve_submittee(id);
  }
  for (RunnableId id = 0; id < graph_.runnables.size(); ++id) {
    check_hardware(id);
    check_streams(id);
    read_blocks(id);
  }
  for (const WrittenGroup& group : groups_) resolve_group(group);
  if (!out_.failed()) report_cycles();
}

bool GraphRunnables::in_part(ResourceId id, HyperepochId hyperepoch) const {
  const auto& part = graph_.hyperepochs[hyperepoch].resources;
  if (part.empty() || std::ranges::find(part, id) != part.end()) return true;
  // What no hyperepoch claims, as the streams of a client, belongs to whoever uses it.
  const ResourceKind kind = graph_.resources[id].kind;
  if (kind == ResourceKind::cpu || kind == ResourceKind::engine) return false;
  return std::ranges::none_of(graph_.hyperepochs,
                              [&](const Hyperepoch& h) { return std::ranges::find(h.resources, id) != h.resources.end(); });
}

std::vector<ResourceNeed> GraphRunnables::needs(const Fields& fields, std::optional<ClientId> client, HyperepochId hyperepoch) {
  std::vector<ResourceNeed> all;
  const std::string& part = graph_.hyperepochs[hyperepoch].name;
  for (const Value* word : plain_list(fields, "Resources", "resources")) {
    ResourceNeed need;
    need.any_of = resources_.resolve(*word, client, true, fields.subject());
    if (need.any_of.empty()) continue;
    if (resources_.is_type(word->text)) need.type = word->text;
    std::erase_if(need.any_of, [&](ResourceId id) { return !in_part(id, hyperepoch); });
    if (need.any_of.empty()) {
      fields.error(*word, fmt::format("Resources: {} is not among the resources of hyperepoch {}", quote(word->text), quote(part)));
      continue;
    }
    const bool twice = need.any_of.size() == 1 && std::ranges::any_of(all, [&](const ResourceNeed& n) { return n.any_of == need.any_of; });
    if (twice) {
      fields.error(*word, fmt::format("Resources: {} is given twice", quote(word->text)));
      continue;
    }
    all.push_back(std::move(need));
  }
  return all;
}

std::optional<RunnableId> GraphRunnables::find(const Value& word, ClientId client, const Fields& fields, std::string_view key) const {
  // The first part is the client, the rest the runnable; a name of the own client may stand alone.
  const std::string text(word.text);
  auto at = by_name_.find(text);
  // A graph whose clients were all refused has none.
  if (at == by_name_.end() && client < graph_.clients.size()) at = by_name_.find(graph_.clients[client].name + "." + text);
  if (at != by_name_.end()) return at->second;
  std::vector<std::string_view> names;
  for (const auto& [name, id] : by_name_) names.push_back(name);
  std::ranges::sort(names);
  fields.error(word, fmt::format("{}: {} is no runnable{}", key, quote(word.text), io::suggestion(word.text, names)));
  return std::nullopt;
}

void GraphRunnables::resolve_dependencies(RunnableId id) {
  Runnable& runnable = graph_.runnables[id];
  const Fields& fields = written_[id].fields;
  for (const Value* word : plain_list(fields, "Dependencies", "runnables")) {
    const auto other = find(*word, runnable.client, fields, "Dependencies");
    if (!other) continue;
    const Runnable& before = graph_.runnables[*other];
    if (*other == id) {
      fields.error(*word, "Dependencies: a runnable cannot wait for itself");
    } else if (before.hyperepoch != runnable.hyperepoch || before.epoch != runnable.epoch) {
      const auto& h = graph_.hyperepochs[before.hyperepoch];
      fields.error(*word, fmt::format("Dependencies: {} is in another epoch ({}.{}); dependencies stay within one", quote(word->text),
                                      h.name, h.epochs[before.epoch].name));
    } else if (std::ranges::find(runnable.dependencies, *other) != runnable.dependencies.end()) {
      fields.error(*word, fmt::format("Dependencies: {} is given twice", quote(word->text)));
    } else {
      runnable.dependencies.push_back(*other);
    }
  }
}

void GraphRunnables::resolve_submittee(RunnableId id) {
  Runnable& runnable = graph_.runnables[id];
  const Fields& fields = written_[id].fields;
  const Value* const word = fields.find("Submits");
  if (word == nullptr || word->kind == Value::Kind::null || word->kind == Value::Kind::rejected) return;
  if (word->kind != Value::Kind::scalar) {
    fields.error(*word, fmt::format("Submits: the name of a runnable is expected, not {}", kind_text(*word)));
    return;
  }
  const auto other = find(*word, runnable.client, fields, "Submits");
  if (!other) return;
  const Runnable& submittee = graph_.runnables[*other];
  if (*other == id) {
    fields.error(*word, "Submits: a runnable cannot submit itself");
  } else if (submittee.client != runnable.client) {
    fields.error(*word, fmt::format("Submits: {} belongs to another client; a stream has one process", quote(word->text)));
  } else if (submittee.hyperepoch != runnable.hyperepoch || submittee.epoch != runnable.epoch) {
    fields.error(*word, fmt::format("Submits: {} is in another epoch", quote(word->text)));
  } else if (submitter_[*other]) {
    fields.error(*word,
                 fmt::format("Submits: {} is submitted by {}, too", quote(word->text), quote(graph_.runnables[*submitter_[*other]].name)));
  } else {
    runnable.submits = *other;
    submitter_[*other] = id;
  }
}

// At most one CPU or engine; who submits needs a CPU, what is submitted an engine.
void GraphRunnables::check_hardware(RunnableId id) {
  const Runnable& runnable = graph_.runnables[id];
  const Written& written = written_[id];
  std::vector<const ResourceNeed*> hardware;
  for (const ResourceNeed& need : runnable.needs) {
    const ResourceKind kind = graph_.resources[need.any_of.front()].kind;
    if (kind == ResourceKind::cpu || kind == ResourceKind::engine) hardware.push_back(&need);
  }
  const auto fail = [&](const std::string& message) { out_.error(written.mark, {"runnable", runnable.name}, message); };
  const auto name = [&](const ResourceNeed* need) { return need->type.empty() ? full_name(graph_, need->any_of.front()) : need->type; };
  if (hardware.size() > 1) {
    fail(fmt::format("Resources: {} and {} are both hardware; a runnable runs on one of them", name(hardware[0]), name(hardware[1])));
    return;
  }
  const bool reported = written.fields.has("Resources") && runnable.needs.empty();  // wrong ones were named
  if (hardware.empty()) {
    if (!reported) fail("Resources: a CPU or an engine that it runs on is missing");
    return;
  }
  const bool on_cpu = graph_.resources[hardware.front()->any_of.front()].kind == ResourceKind::cpu;
  if (runnable.submits && !on_cpu) fail(fmt::format("who submits runs on a CPU, not on {}", name(hardware.front())));
  if (submitter_[id] && on_cpu) fail(fmt::format("what is submitted runs on an engine, not on {}", name(hardware.front())));
  if (!submitter_[id] && !on_cpu)
    out_.warn(written.mark, {"runnable", runnable.name}, fmt::format("nobody submits it to {}", name(hardware.front())));
}

// Streams are held by submitters, and lead to the engine of the submittee.
void GraphRunnables::check_streams(RunnableId id) {
  Runnable& runnable = graph_.runnables[id];
  const auto fail = [&](const std::string& message) { out_.error(written_[id].mark, {"runnable", runnable.name}, message); };
  ResourceNeed* stream = nullptr;
  for (ResourceNeed& need : runnable.needs) {
    if (graph_.resources[need.any_of.front()].kind != ResourceKind::stream) continue;
    if (!runnable.submits) {
      fail(fmt::format("Resources: {} is a stream, which only a submitter holds (Submits)", full_name(graph_, need.any_of.front())));
      return;
    }
    if (stream != nullptr) {
      fail("Resources: a submitter has one stream");
      return;
    }
    stream = &need;
  }
  if (stream == nullptr) return;
  std::vector<ResourceId> engines;
  for (const ResourceNeed& need : graph_.runnables[*runnable.submits].needs) {
    if (graph_.resources[need.any_of.front()].kind == ResourceKind::engine) engines = need.any_of;
  }
  if (engines.empty()) return;  // reported
  const std::string first = full_name(graph_, stream->any_of.front());
  std::erase_if(stream->any_of, [&](ResourceId s) { return std::ranges::find(engines, *graph_.resources[s].serves) == engines.end(); });
  if (stream->any_of.empty())
    fail(fmt::format("Resources: stream {} does not lead to {}, where its submittee runs", first, full_name(graph_, engines.front())));
}

void GraphRunnables::read_blocks(RunnableId id) {
  Runnable& runnable = graph_.runnables[id];
  const Fields& fields = written_[id].fields;
  if (!has_blocks(fields)) return;
  const Resource* gpu = nullptr;
  for (const ResourceNeed& need : runnable.needs) {
    const Resource& r = graph_.resources[need.any_of.front()];
    if (r.kind == ResourceKind::engine) gpu = &r;
  }
  if (gpu == nullptr || !gpu->gpu) {
    fields.error(fields.mapping(),
                 "blocks (B, H, L or C) are for kernels on a GPU whose SMs are described, as in GPU: [{iGPU: {device: tx2}}]");
    return;
  }
  io::PlatformReader platform(out_);
  const io::NodeReader reader(platform, nullptr);
  runnable.blocks = reader.read_gpu(fields, *gpu->gpu, gpu->name);
  if (runnable.wcet > Time::zero() && runnable.wcet < runnable.blocks->L)
    fields.error(*fields.find("WCET"), fmt::format("WCET: {} is less than L, the time of one block", quote(fields.find("WCET")->text)));
}

void GraphRunnables::resolve_group(const WrittenGroup& group) {
  AliasGroup alias;
  alias.name = group.name;
  Epoch& epoch = graph_.hyperepochs[group.hyperepoch].epochs[group.epoch];
  for (const Value* word : plain_list(group.fields, "Steps", "runnables")) {
    if (word->text == "None" || word->text == "none") {
      alias.steps.emplace_back();
      continue;
    }
    const auto id = find(*word, 0, group.fields, "Steps");
    if (!id) continue;
    const Runnable& runnable = graph_.runnables[*id];
    if (runnable.hyperepoch != group.hyperepoch || runnable.epoch != group.epoch) {
      group.fields.error(*word, fmt::format("Steps: {} is in another epoch", quote(word->text)));
      continue;
    }
    const auto has = [&](const AliasGroup& g) { return std::ranges::find(g.steps, id) != g.steps.end(); };
    if (has(alias) || std::ranges::any_of(epoch.aliases, has)) {
      group.fields.error(*word, fmt::format("Steps: {} has a slot already", quote(word->text)));
      continue;
    }
    alias.steps.emplace_back(id);
  }
  const auto same_name = [&](const AliasGroup& g) { return g.name == alias.name; };
  if (std::ranges::any_of(epoch.aliases, same_name))
    out_.error(group.mark, fmt::format("the alias group {} is given twice", quote(alias.name)));
  if (std::ranges::none_of(alias.steps, [](const auto& step) { return step.has_value(); })) {
    out_.error(group.mark, {"alias group", group.name}, "Steps: a runnable is missing");
    return;
  }
  epoch.aliases.push_back(std::move(alias));
}

// Dependencies and submissions in a circle: every runnable would wait for another one.
void GraphRunnables::report_cycles() const {
  const std::size_t n = graph_.runnables.size();
  std::vector<std::vector<RunnableId>> before(n);
  for (RunnableId id = 0; id < n; ++id) {
    before[id] = graph_.runnables[id].dependencies;
    if (submitter_[id]) before[id].push_back(*submitter_[id]);
  }
  enum class State : std::uint8_t { unseen, open, done };
  std::vector<State> state(n, State::unseen);
  for (RunnableId root = 0; root < n; ++root) {
    std::vector<std::pair<RunnableId, std::size_t>> path;
    if (state[root] == State::unseen) path.emplace_back(root, 0);
    if (!path.empty()) state[root] = State::open;
    while (!path.empty()) {
      auto& [at, next] = path.back();
      if (next == before[at].size()) {
        state[at] = State::done;
        path.pop_back();
        continue;
      }
      const RunnableId to = before[at][next++];
      if (state[to] == State::unseen) {
        state[to] = State::open;
        path.emplace_back(to, 0);
      } else if (state[to] == State::open) {
        std::string text = graph_.runnables[to].name;
        for (std::size_t i = path.size(); i-- > 0 && path[i].first != to;) text += " -> " + graph_.runnables[path[i].first].name;
        out_.error(written_[to].mark, {"runnable", graph_.runnables[to].name},
                   fmt::format("it waits for itself: {} -> {}", text, graph_.runnables[to].name));
      }
    }
  }
}

}  // namespace rta::static_order
