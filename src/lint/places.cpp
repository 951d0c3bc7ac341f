#include "places.hpp"

#include <algorithm>
#include <utility>

namespace rta::lint {
namespace {

std::vector<Range> ranges_of(const std::vector<Region>& regions) {
  std::vector<Range> ranges;
  ranges.reserve(regions.size());
  for (const Region& region : regions) ranges.push_back(region.tokens);
  return ranges;
}

}  // namespace

Places::Places(Marks marks, Unmarked unmarked)
    : marks_(std::move(marks)),
      regions_(ranges_of(marks_.regions)),
      unmarked_(unmarked == Unmarked::job ? Where::Kind::job : Where::Kind::other) {
  std::map<RuleId, std::vector<std::uint32_t>> numbers;
  for (std::uint32_t a = 0; a < marks_.allowances.size(); ++a) {
    for (const RuleId rule : marks_.allowances[a].rules) {
      numbers[rule].push_back(a);
      if (marks_.allowances[a].line) on_lines_.try_emplace({rule, *marks_.allowances[a].line}, a);
    }
  }
  for (auto& [rule, all] : numbers) {
    std::ranges::stable_sort(all, {}, [&](std::uint32_t a) { return marks_.allowances[a].tokens.begin; });
    std::vector<Range> ranges;
    for (const std::uint32_t a : all) ranges.push_back(marks_.allowances[a].tokens);
    Intervals intervals(ranges);
    allowed_.emplace(rule, Allowed{std::move(all), std::move(intervals)});
  }
}

Where Places::at(std::uint32_t token) const {
  const std::uint32_t number = regions_.at(token);
  if (number == no_index) return {unmarked_, false, nullptr};
  const Region& region = marks_.regions[number];
  return {region.kind == Region::Kind::job ? Where::Kind::job : Where::Kind::start_up, true, &region.name};
}

std::uint32_t Places::allowance(RuleId rule, std::uint32_t token) const {
  const auto at = allowed_.find(rule);
  if (at == allowed_.end()) return no_index;
  const std::uint32_t number = at->second.intervals.at(token);
  return number == no_index ? no_index : at->second.numbers[number];
}

std::uint32_t Places::allowance_on_line(RuleId rule, std::uint32_t line) const {
  const auto at = on_lines_.find({rule, line});
  return at == on_lines_.end() ? no_index : at->second;
}

}  // namespace rta::lint
