#include "requirement_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rta::io {

std::vector<std::string_view> read_requirements(const Fields& fields) {
  const Value* const value = fields.find("requirement");
  if (value == nullptr) return {};
  if (value->kind != Value::Kind::sequence) {
    const auto one = fields.name("requirement");
    return one ? std::vector{*one} : std::vector<std::string_view>();
  }
  if (value->first() == value->next()) fields.error(*value, "requirement: the list is empty");
  std::vector<std::string_view> names;
  for (const Value* entry = value->first(); entry != value->next(); entry = entry->next()) {
    if (entry->kind == Value::Kind::rejected) continue;
    if (entry->kind != Value::Kind::scalar) {
      fields.error(*entry, fmt::format("requirement: a name is expected, not {}", kind_text(*entry)));
    } else if (const auto fault = name_fault(entry->text)) {
      fields.error(*entry, fmt::format("requirement: {}", *fault));
    } else if (std::ranges::find(names, entry->text) != names.end()) {
      fields.error(*entry, fmt::format("requirement: {} is given twice", quote(entry->text)));
    } else {
      names.push_back(entry->text);
    }
  }
  return names;
}

}  // namespace rta::io
