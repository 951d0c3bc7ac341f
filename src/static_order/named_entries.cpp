#include "named_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rta::static_order {

using io::Fields;
using io::Value;

std::vector<NamedEntry> NamedEntries::read(const Value& list, std::string_view what, std::span<const std::string_view> keys) {
  std::vector<NamedEntry> entries;
  if (list.kind == Value::Kind::null || list.kind == Value::Kind::rejected) return entries;
  if (list.kind != Value::Kind::sequence) {
    out_.error(list.mark, fmt::format("a list ('- {}: …') is expected, not {}", what, kind_text(list)));
    return entries;
  }
  for (const Value* item = list.first(); item != list.next(); item = item->next()) {
    if (item->kind == Value::Kind::rejected || add(*item, keys, entries)) continue;
    out_.error(item->mark, fmt::format("'{}: …' is expected: a name and, below it, {}", what, io::joined(keys)));
  }
  return entries;
}

bool NamedEntries::add(const Value& item, std::span<const std::string_view> keys, std::vector<NamedEntry>& entries) {
  if (item.kind != Value::Kind::mapping || item.first() == item.next()) return false;
  const Value* const first = item.first();
  if (first->kind != Value::Kind::scalar) return false;
  if (first->next()->next() == item.next()) {
    entries.push_back({first->text, first->mark, first->next(), false});
    return true;
  }
  // With its keys beside it, the name is the key that has no value.
  for (const Value* key = first; key != item.next(); key = key->next()->next()) {
    if (key->kind != Value::Kind::scalar) return false;
    if (key->next()->kind != Value::Kind::null || std::ranges::find(keys, key->text) != keys.end()) continue;
    entries.push_back({key->text, key->mark, &item, true});
    return true;
  }
  return false;
}

Fields NamedEntries::fields(const NamedEntry& entry, io::Subject subject, std::span<const std::string_view> keys) {
  const Value* value = entry.value;
  if (value->kind == Value::Kind::null) value = &empty_.emplace_back(Value{{}, entry.mark, 1, Value::Kind::mapping, false});
  Fields fields(*value, subject, out_);
  const std::array<std::string_view, 1> name{entry.name};
  if (fields.usable())
    fields.allow_only(keys, entry.beside ? std::span<const std::string_view>(name) : std::span<const std::string_view>());
  return fields;
}

std::vector<const Value*> plain_list(const Fields& fields, std::string_view key, std::string_view what) {
  std::vector<const Value*> values;
  const Value* const list = fields.find(key);
  if (list == nullptr || list->kind == Value::Kind::null || list->kind == Value::Kind::rejected) return values;
  if (list->kind != Value::Kind::sequence) {
    fields.error(*list, fmt::format("{}: a list of {} is expected, not {}", key, what, kind_text(*list)));
    return values;
  }
  for (const Value* value = list->first(); value != list->next(); value = value->next()) {
    if (value->kind == Value::Kind::scalar) {
      values.push_back(value);
    } else if (value->kind != Value::Kind::rejected) {
      fields.error(*value, fmt::format("{}: a name is expected, not {}", key, kind_text(*value)));
    }
  }
  return values;
}

bool check_name(std::string_view name, io::Mark at, bool dotted, io::Diagnostics& out) {
  if (const auto fault = io::name_fault(name)) {
    out.error(at, *fault);
    return false;
  }
  if (dotted || name.find('.') == std::string_view::npos) return true;
  out.error(at, fmt::format("{} is no name here: the parts of a full name are joined by '.'", io::quote(name)));
  return false;
}

}  // namespace rta::static_order
