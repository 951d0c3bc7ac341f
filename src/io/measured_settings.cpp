#include <fmt/format.h>

#include "interference_reader.hpp"
#include "rta/io/profile_file.hpp"
#include "yaml_document.hpp"

namespace rta::io {
namespace {

/// Null: `mapping` is none, or has no such key.
const Value* value_of(const Value& mapping, std::string_view name) {
  if (mapping.kind != Value::Kind::mapping) return nullptr;
  for (const Value* key = mapping.first(); key != mapping.next(); key = key->next()->next()) {
    if (key->kind == Value::Kind::scalar && key->text == name) return key->next();
  }
  return nullptr;
}

bool has(const Value& pool, std::string_view key) { return value_of(pool, key) != nullptr; }

bool is_cut_into_instances(const Value& pool) {
  const Value* const partitions = value_of(pool, "partitions");
  if (partitions == nullptr || partitions->kind != Value::Kind::mapping) return false;
  for (const Value* key = partitions->first(); key != partitions->next(); key = key->next()->next()) {
    const Value* const kind = value_of(*key->next(), "kind");
    if (kind != nullptr && kind->text == "mig") return true;
  }
  return false;
}

/// What `add` says of each GPU of the task set in `text`, whose place is `platform.NAME`.
template <class Add>
std::vector<Setting> settings_of_gpus(std::string_view text, const std::string& name, Add add) {
  Diagnostics out(name);
  const YamlDocument document(text, out, "a task set has `platform` and `dags` or `tasks`");
  std::vector<Setting> settings;
  const Value* const platform = value_of(document.root(), "platform");
  if (platform == nullptr || platform->kind != Value::Kind::mapping) return settings;
  for (const Value* key = platform->first(); key != platform->next(); key = key->next()->next()) {
    const Value& pool = *key->next();
    if (has(pool, "device") || has(pool, "sms")) add(fmt::format("platform.{}", key->text), pool, settings);
  }
  return settings;
}

}  // namespace

std::vector<Setting> measured_company(const DeviceProfile& profile, std::string_view text, const std::string& name) {
  if (!profile.interference || text.find("alone") == std::string_view::npos) return {};
  return settings_of_gpus(text, name, [&](const std::string& place, const Value& gpu, std::vector<Setting>& settings) {
    if (has(gpu, "interference") || has(gpu, "sharing") || is_cut_into_instances(gpu)) return;
    settings.push_back({place + ".interference", interference_text(*profile.interference)});
  });
}

std::vector<Setting> measured_launches(const DeviceProfile& profile, std::string_view text, const std::string& name) {
  constexpr std::string_view of_launch = "launch_overhead", of_block = "dispatch_latency";
  if (text.find(of_launch) == std::string_view::npos && text.find(of_block) == std::string_view::npos) return {};
  const Latency* const launch = profile.find_latency(launch_latency);
  const bool adds_dispatch = profile.find_latency(dispatch_latency) != nullptr;
  return settings_of_gpus(text, name, [&](const std::string& place, const Value& gpu, std::vector<Setting>& settings) {
    if (launch != nullptr && has(gpu, of_launch) && has(gpu, "device"))
      settings.push_back({fmt::format("{}.{}", place, of_launch), fmt::format("{} ns", launch->max.count())});
    if (adds_dispatch && has(gpu, of_block)) settings.push_back({fmt::format("{}.{}", place, of_block), "0 ns"});
  });
}

}  // namespace rta::io
