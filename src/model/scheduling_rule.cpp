#include "rta/model/scheduling_rule.hpp"

#include <algorithm>
#include <array>

namespace rta {
namespace {

struct Entry {
  Rule rule;
  std::string_view name;
  std::string_view statement;
};

constexpr std::array<Entry, rule_count> entries{{
    {Rule::G1, "G1", "operations of one stream run in the order in which they were issued"},
    {Rule::G2, "G2", "kernels enter the EE queue when they reach the head of their stream, and it is first in, first out"},
    {Rule::G3, "G3", "a kernel leaves the EE queue once it is fully dispatched, so that the next one may run beside it"},
    {Rule::G4, "G4", "an operation leaves its stream once all of it has ended, and only then the next one may start"},
    {Rule::X1, "X1", "only blocks of the EE queue's head are assigned: nothing overtakes a head that does not fit"},
    {Rule::R1, "R1", "blocks of the EE queue's head are assigned as soon as they fit on some SM"},
    {Rule::R2, "R2", "an SM holds as many threads as the device says, no more and no fewer"},
    {Rule::R3, "R3", "an SM holds as much shared memory as the device says, no more and no less"},
    {Rule::R_slots, "R-slots", "an SM holds as many blocks as the device says, no more and no fewer"},
    {Rule::R_registers, "R-registers", "an SM holds as many registers as the device says, and blocks wait for them"},
    {Rule::C_order, "C-order", "copies of one direction run one at a time, in the order in which they were issued"},
    {Rule::C_engines, "C-engines", "copies of both directions run at once exactly where the device says that it has more than one engine"},
    {Rule::C_queue, "C-queue", "copies queue by one of the published rules: C1-C6 with a waiting queue, or C1-C4 without"},
    {Rule::N1, "N1", "a kernel of the NULL stream waits for what other streams were given before it"},
    {Rule::N2, "N2", "a kernel waits for what the NULL stream was given before it"},
    {Rule::N3, "N3", "streams made with cudaStreamNonBlocking neither wait for the NULL stream nor keep it waiting"},
    {Rule::A1, "A1", "a kernel of a high-priority stream overtakes waiting kernels of low priority"},
    {Rule::A2, "A2", "no block of low priority is assigned while a kernel of high priority waits, even where only the former fits"},
    {Rule::S_preemption, "S-preemption", "a block that has started keeps its SM to its end, also when a kernel of high priority waits"},
    {Rule::S_placement, "S-placement", "blocks are placed by a known policy"},
    {Rule::S_grids, "S-grids", "at least 128 grids can be resident at once"},
    {Rule::S_connections, "S-connections", "streams up to the number of connections do not wait for each other"},
    {Rule::S_processes, "S-processes", "kernels of different processes run at once with MPS, and never without it"},
    {Rule::S_synchronisation, "S-synchronisation", "calls synchronise as Table 3.8 of Yang (2020) lists them"},
}};

constexpr auto all_rules = [] {
  std::array<Rule, rule_count> all{};
  for (std::size_t i = 0; i < rule_count; ++i) all[i] = static_cast<Rule>(i);
  return all;
}();

constexpr std::array of_overtaking{Rule::G2};
constexpr std::array of_priorities{Rule::A1};

}  // namespace

std::string_view to_string(Rule rule) { return entries[static_cast<std::size_t>(rule)].name; }
std::string_view statement(Rule rule) { return entries[static_cast<std::size_t>(rule)].statement; }

std::optional<Rule> rule_named(std::string_view name) {
  const auto* const at = std::ranges::find(entries, name, &Entry::name);
  return at == entries.end() ? std::nullopt : std::optional(at->rule);
}

std::span<const Rule> rules() { return all_rules; }

std::span<const Rule> presumed(Rule rule) {
  if (rule == Rule::X1) return of_overtaking;
  if (rule == Rule::A2) return of_priorities;
  return {};
}

}  // namespace rta
