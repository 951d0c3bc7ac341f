#include "graph_resources.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "../io/platform_reader.hpp"

namespace rta::static_order {

using io::Fields;
using io::quote;
using io::Subject;
using io::Value;

void GraphResources::define(const Value& types, std::string_view soc, std::optional<ClientId> client) {
  if (types.kind == Value::Kind::null) return;
  const Fields sections(types, {}, out_, "Resources");
  if (!sections.usable()) return;
  for (const auto& [type, instances] : sections.all()) {
    if (!check_name(type->text, type->mark, false, out_)) continue;
    types_.emplace(type->text, true);
    if (instances->kind == Value::Kind::null || instances->kind == Value::Kind::rejected) continue;
    if (instances->kind != Value::Kind::sequence) {
      out_.error(instances->mark, fmt::format("{}: a list of instances is expected, not {}", type->text, kind_text(*instances)));
      continue;
    }
    for (const Value* one = instances->first(); one != instances->next(); one = one->next()) define_instance(*one, type->text, soc, client);
  }
}

void GraphResources::define_instance(const Value& instance, std::string_view type, std::string_view soc, std::optional<ClientId> client) {
  Resource resource;
  resource.type = type;
  resource.soc = soc;
  resource.client = client;
  resource.kind = kind_of_type(type);
  // What a client has of its own, streams and mutexes, is CLIENT.SOC.NAME.
  if (client) resource.soc = graph_.clients[*client].soc;
  const Subject subject{"resource", instance.kind == Value::Kind::mapping ? instance.first()->text : instance.text};
  if (client && (resource.kind == ResourceKind::cpu || resource.kind == ResourceKind::engine)) {
    out_.error(instance.mark, subject, fmt::format("{} is hardware, which belongs to the graph's Resources, not to a client's", type));
    return;
  }
  if (instance.kind == Value::Kind::scalar) {
    add(instance.text, instance.mark, std::move(resource));
    return;
  }
  const bool one_key = instance.kind == Value::Kind::mapping && instance.first() != instance.next() &&
                       instance.first()->next()->next() == instance.next() && instance.first()->kind == Value::Kind::scalar;
  if (!one_key) {
    if (instance.kind != Value::Kind::rejected)
      out_.error(instance.mark,
                 fmt::format("{}: the name of an instance, or 'stream: engine', is expected, not {}", type, kind_text(instance)));
    return;
  }
  const Value& name = *instance.first();
  const Value& of = *name.next();
  if (of.kind == Value::Kind::mapping) {
    if (type != "GPU") {
      out_.error(of.mark, subject, "only a GPU is described further");
      return;
    }
    io::PlatformReader reader(out_);
    reader.read(instance, nullptr);
    reader.refuse_sharing("a graph knows");
    reader.refuse_partitions("a graph knows");
    reader.refuse_launch_costs("a graph knows");
    for (const Pool& pool : reader.take()) {
      if (const auto* gpu = std::get_if<GpuPool>(&pool.resource)) resource.gpu = *gpu;
    }
    if (!resource.gpu) out_.error(of.mark, subject, "a GPU is described by device, or by sms and threads");
  } else if (of.kind == Value::Kind::scalar) {
    if (resource.kind != ResourceKind::mutex) {
      out_.error(of.mark, subject, fmt::format("a {} leads to no other resource", type));
      return;
    }
    const auto engines = resolve(of, client, false, subject);
    if (engines.empty()) return;
    if (graph_.resources[engines.front()].kind != ResourceKind::engine) {
      out_.error(
          of.mark, subject,
          fmt::format("{} is a {}; a stream leads to a GPU or another engine", quote(of.text), graph_.resources[engines.front()].type));
      return;
    }
    resource.kind = ResourceKind::stream;
    resource.serves = engines.front();
    resource.soc = graph_.resources[engines.front()].soc;
  } else if (of.kind != Value::Kind::rejected) {
    out_.error(of.mark, subject, fmt::format("the engine that it leads to is expected, not {}", kind_text(of)));
    return;
  }
  add(name.text, name.mark, std::move(resource));
}

void GraphResources::add(std::string_view name, io::Mark mark, Resource resource) {
  if (!check_name(name, mark, false, out_)) return;
  resource.name = name;
  graph_.resources.push_back(std::move(resource));
  const auto [earlier, fresh] = marks_.emplace(full_name(graph_, graph_.resources.size() - 1), mark);
  if (!fresh)
    out_.error(mark, fmt::format("the resource {} is given twice (first at line {})", quote(earlier->first), earlier->second.line));
}

bool GraphResources::visible(ResourceId id, std::optional<ClientId> client) const {
  const Resource& resource = graph_.resources[id];
  return !resource.client || !client || resource.client == client;
}

std::vector<ResourceId> GraphResources::resolve(const Value& word, std::optional<ClientId> client, bool types, Subject subject) const {
  std::vector<ResourceId> found;
  if (types && is_type(word.text)) {
    const std::string_view soc = client ? std::string_view(graph_.clients[*client].soc) : std::string_view();
    for (ResourceId id = 0; id < graph_.resources.size(); ++id) {
      const Resource& r = graph_.resources[id];
      if (r.type == word.text && visible(id, client) && (soc.empty() || r.soc.empty() || r.soc == soc)) found.push_back(id);
    }
    if (found.empty()) out_.error(word.mark, subject, fmt::format("no resource of type {} is within reach", quote(word.text)));
    return found;
  }
  // With all that may stand in front of it, or without.
  for (ResourceId id = 0; id < graph_.resources.size(); ++id) {
    const Resource& r = graph_.resources[id];
    if (!visible(id, client)) continue;
    const std::string owner = r.client ? graph_.clients[*r.client].name + "." : std::string();
    const std::string soc = r.soc.empty() ? std::string() : r.soc + ".";
    const bool own = !r.client || r.client == client;
    if (word.text == owner + soc + r.name || word.text == owner + r.name || (own && (word.text == soc + r.name || word.text == r.name)))
      found.push_back(id);
  }
  if (found.size() > 1 && client) {  // of two that are alike the one on the client's own SOC
    const auto elsewhere = [&](ResourceId id) {
      return !graph_.resources[id].soc.empty() && graph_.resources[id].soc != graph_.clients[*client].soc;
    };
    if (!std::ranges::all_of(found, elsewhere)) std::erase_if(found, elsewhere);
  }
  if (found.size() > 1) {
    out_.error(word.mark, subject,
               fmt::format("{} may be {} or {}", quote(word.text), full_name(graph_, found[0]), full_name(graph_, found[1])));
    return {};
  }
  if (found.empty()) report_unknown(word, client, subject);
  return found;
}

void GraphResources::report_unknown(const Value& word, std::optional<ClientId> client, Subject subject) const {
  std::vector<std::string> names;
  for (ResourceId id = 0; id < graph_.resources.size(); ++id) {
    if (full_name(graph_, id) == word.text) {
      out_.error(word.mark, subject, fmt::format("{} belongs to another client", quote(word.text)));
      return;
    }
    if (visible(id, client)) names.push_back(full_name(graph_, id));
  }
  const std::vector<std::string_view> words(names.begin(), names.end());
  out_.error(word.mark, subject,
             fmt::format("{} is no resource{} (there are: {})", quote(word.text), io::suggestion(word.text, words), io::joined(words)));
}

}  // namespace rta::static_order
