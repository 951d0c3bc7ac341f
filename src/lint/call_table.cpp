#include "call_table.hpp"

#include <algorithm>
#include <unordered_map>

namespace rta::lint {
namespace {

bool begins_only(const CallRow& row) { return row.name.ends_with('*'); }

const std::unordered_multimap<std::string_view, const CallRow*>& exact_rows() {
  static const auto index = [] {
    std::unordered_multimap<std::string_view, const CallRow*> rows;
    for (const CallRow& row : call_rows()) {
      if (!begins_only(row)) rows.emplace(row.name, &row);
    }
    return rows;
  }();
  return index;
}

bool is_version(std::string_view suffix) {
  if (suffix == "ptsz" || suffix == "ptds" || suffix == "64") return true;
  if (suffix.size() < 2 || suffix.front() != 'v') return false;
  return std::ranges::all_of(suffix.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::vector<const CallRow*> rows_for(std::string_view name) {
  std::vector<const CallRow*> rows;
  const auto [first, last] = exact_rows().equal_range(name);
  for (auto at = first; at != last; ++at) rows.push_back(at->second);
  for (const CallRow& row : call_rows()) {
    if (begins_only(row) && name.starts_with(row.name.substr(0, row.name.size() - 1))) rows.push_back(&row);
  }
  std::ranges::sort(rows);
  return rows;
}

bool is_listed(std::string_view name) { return exact_rows().contains(name) || !rows_for(name).empty(); }

std::string_view plain_name(std::string_view name) {
  for (;;) {
    const std::size_t at = name.rfind('_');
    if (at == std::string_view::npos || at == 0 || !is_version(name.substr(at + 1))) return name;
    name = name.substr(0, at);
  }
}

}  // namespace rta::lint
