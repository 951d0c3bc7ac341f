// The theorems beside T10n that a refinement of the path bounds names: one list for each.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// Theorems that are asked together, and what they are with release jitter.
enum class Rule : std::uint8_t {
  aligned,        // T10a, T10v
  local_on_fifo,  // T10j, T14j; T12j
  local,          // T10g, T11j; T12j
  carried,        // T10c
  visit,          // T23, T24, T10f
  upstream,       // T39
  parallel,       // T10p, and the paths that T10d, T10w and T10m follow
  whole,          // T10d, with T10w for ends that it leaves later than wanted; T12d, T12w
  fitting,        // T10w, T10m of all nodes; T12w, T12m
};

class Rules {
 public:
  constexpr Rules(std::initializer_list<Rule> rules) {
    for (const Rule rule : rules) bits_ |= bit_of(rule);
  }
  [[nodiscard]] constexpr bool has(Rule rule) const { return (bits_ & bit_of(rule)) != 0; }
  [[nodiscard]] constexpr Rules without(Rule rule) const {
    Rules rest = *this;
    rest.bits_ &= ~bit_of(rule);
    return rest;
  }
  /// Whether no right-hand side falls while ends rise.
  [[nodiscard]] constexpr bool are_monotone() const { return !has(Rule::local) && !has(Rule::visit) && !has(Rule::fitting); }
  /// Whether all terms are whole jobs.
  [[nodiscard]] constexpr bool count_whole_jobs() const { return !has(Rule::local_on_fifo) && !has(Rule::visit); }

 private:
  static constexpr unsigned bit_of(Rule rule) { return 1U << static_cast<unsigned>(rule); }
  unsigned bits_ = 0;
};

[[nodiscard]] constexpr Rules rules_of(Refinement refinement) {
  switch (refinement) {
    case Refinement::T10n: return {};
    case Refinement::T10v: return {Rule::aligned};
    case Refinement::T10j: return {Rule::aligned, Rule::local_on_fifo};
    case Refinement::T10g: return {Rule::aligned, Rule::local_on_fifo, Rule::local, Rule::carried, Rule::visit};
    case Refinement::T39: return {Rule::aligned, Rule::local_on_fifo, Rule::local, Rule::carried, Rule::visit, Rule::upstream};
    case Refinement::T10d:
      return {Rule::aligned, Rule::local_on_fifo, Rule::local, Rule::carried, Rule::visit, Rule::parallel, Rule::whole};
    case Refinement::T10w:
      return {Rule::aligned, Rule::local_on_fifo, Rule::local, Rule::carried, Rule::visit, Rule::parallel, Rule::fitting};
  }
  return {};
}

}  // namespace rta::analysis::path
