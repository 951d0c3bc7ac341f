// The rules by which a GPU is taken to schedule: what bounds rest on, and what an examination tests.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace rta {

/// G1-N2, A1, A2: as Amert et al. (RTSS 2017) and Yang (2020) number them. Copy rules, and what the papers assume without a number, have
/// names.
enum class Rule : std::uint8_t {
  G1,
  G2,
  G3,
  G4,
  X1,
  R1,
  R2,
  R3,
  R_slots,
  R_registers,
  C_order,
  C_engines,
  C_queue,
  N1,
  N2,
  N3,
  A1,
  A2,
  S_preemption,
  S_placement,
  S_grids,
  S_connections,
  S_processes,
  S_synchronisation
};
inline constexpr std::size_t rule_count = 24;

/// `X1`, `C-queue`: in files and on the command line. Its first letter is the rule's group.
[[nodiscard]] std::string_view to_string(Rule rule);
/// The rule as a sentence, without a full stop.
[[nodiscard]] std::string_view statement(Rule rule);
/// The rule of that exact name.
[[nodiscard]] std::optional<Rule> rule_named(std::string_view name);
/// All rules in the order of the enumeration.
[[nodiscard]] std::span<const Rule> rules();

/// What must hold before observations can say anything about `rule`: a kernel that starts before an earlier one tells nothing about X1
/// where queues are not first in, first out.
[[nodiscard]] std::span<const Rule> presumed(Rule rule);

}  // namespace rta
