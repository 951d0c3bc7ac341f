#include "start_up.hpp"

#include <string_view>
#include <unordered_map>

namespace rta::lint {
namespace {

struct Group {
  std::size_t uses = 0;       // outside of its own functions
  std::size_t elsewhere = 0;  // of those, not in start-up code
  bool start_up = false;
};

}  // namespace

std::vector<std::vector<bool>> only_at_start_up(Units units, const std::vector<Places>& places) {
  std::unordered_map<std::string_view, std::size_t> numbers;
  std::vector<Group> groups;
  for (const auto& unit : units) {
    for (const Function& function : unit->functions()) {
      if (function.is_code && numbers.try_emplace(function.name, groups.size()).second) groups.emplace_back();
    }
  }
  // Uses of other groups within each group's functions, outside of marked regions: they are start-up as soon as the group is.
  std::vector<std::vector<std::size_t>> uses_in(groups.size());
  for (std::size_t u = 0; u < units.size(); ++u) {
    const Unit& unit = *units[u];
    for (std::uint32_t i = 0; i < unit.code().size(); ++i) {
      const Token& token = unit.code()[i];
      if (token.kind != TokenKind::identifier) continue;
      const auto used = numbers.find(token.text);
      if (used == numbers.end()) continue;
      const std::uint32_t f = unit.function_at(i);
      if (f == no_index || !unit.functions()[f].body.contains(i) || !unit.functions()[f].is_code) continue;
      const std::size_t user = numbers.at(unit.functions()[f].name);
      Group& group = groups[used->second];
      const Where where = places[u].at(i);
      if (where.marked && where.kind == Where::Kind::start_up) {
        ++group.uses;
      } else if (user != used->second) {
        ++group.uses;
        ++group.elsewhere;
        if (!where.marked) uses_in[user].push_back(used->second);
      } else if (where.marked) {
        ++group.elsewhere;  // a job within the function itself
      }
    }
  }
  std::vector<std::size_t> queue;
  const auto settle = [&](std::size_t g) {
    if (groups[g].start_up || groups[g].uses == 0 || groups[g].elsewhere > 0) return;
    groups[g].start_up = true;
    queue.push_back(g);
  };
  for (std::size_t g = 0; g < groups.size(); ++g) settle(g);
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const std::size_t used : uses_in[queue[next]]) {
      --groups[used].elsewhere;
      settle(used);
    }
  }
  std::vector<std::vector<bool>> result;
  for (const auto& unit : units) {
    auto& row = result.emplace_back();
    for (const Function& function : unit->functions()) row.push_back(function.is_code && groups[numbers.at(function.name)].start_up);
  }
  return result;
}

}  // namespace rta::lint
