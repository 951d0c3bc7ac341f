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

}  // namespace

std::vector<Setting> measured_company(const DeviceProfile& profile, std::string_view text, const std::string& name) {
  if (!profile.interference || text.find("alone") == std::string_view::npos) return {};
  Diagnostics out(name);
  const YamlDocument document(text, out, "a task set has `platform` and `dags` or `tasks`");
  std::vector<Setting> settings;
  const Value* const platform = value_of(document.root(), "platform");
  if (platform == nullptr || platform->kind != Value::Kind::mapping) return settings;
  for (const Value* key = platform->first(); key != platform->next(); key = key->next()->next()) {
    const Value& pool = *key->next();
    const bool is_gpu = has(pool, "device") || has(pool, "sms");
    if (!is_gpu || has(pool, "interference") || has(pool, "sharing") || is_cut_into_instances(pool)) continue;
    settings.push_back({fmt::format("platform.{}.interference", key->text), interference_text(*profile.interference)});
  }
  return settings;
}

}  // namespace rta::io
