#include "analysis/path/system/solving_order.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace rta::analysis::path {
namespace {

constexpr std::size_t unseen = std::numeric_limits<std::size_t>::max();

/// Strongly connected components as Tarjan finds them. Who reads whom is not put down: of many classes on one pool it is the square of
/// them.
class Components {
 public:
  explicit Components(const Ticks& ticks) : ticks_(ticks), number_(ticks.classes.size(), unseen), low_(number_), component_(number_) {
    most_.reserve(ticks.users.size());
    for (std::size_t p = 0; p < ticks.users.size(); ++p) {
      auto& most = most_.emplace_back();
      if (!by_priority(p)) continue;
      most.reserve(ticks.users[p].size());
      for (const std::size_t k : ticks.users[p]) most.push_back(levels(k, p).priority.back());
    }
  }

  /// What a component reads stands before it.
  std::vector<std::vector<std::size_t>> run() {
    for (std::size_t k = 0; k < number_.size(); ++k) {
      if (number_[k] == unseen) visit(k);
    }
    std::vector<std::vector<std::size_t>> order(count_);
    for (std::size_t k = 0; k < component_.size(); ++k) order[component_[k]].push_back(k);
    return order;
  }

 private:
  /// A class on the way, and how far its pools and those that use them have been looked at.
  struct Step {
    std::size_t k;
    std::size_t pool = 0;
    std::size_t user = 0;
  };

  [[nodiscard]] bool by_priority(std::size_t p) const { return ticks_.system->pools[p].order == Order::fixed; }
  [[nodiscard]] const Levels& levels(std::size_t k, std::size_t p) const { return ticks_.classes[k].levels[ticks_.local_pool[k][p]]; }

  void open(std::size_t k) {
    number_[k] = low_[k] = opened_++;
    open_.push_back(k);
    way_.push_back({k});
  }

  void visit(std::size_t first) {
    open(first);
    while (!way_.empty()) {
      const std::size_t d = next_read(way_.back());
      const std::size_t k = way_.back().k;
      if (d == unseen) {
        way_.pop_back();
        if (!way_.empty()) low_[way_.back().k] = std::min(low_[way_.back().k], low_[k]);
        if (low_[k] == number_[k]) close(k);
      } else if (number_[d] == unseen) {
        open(d);
      } else if (component_[d] == unseen) {
        low_[k] = std::min(low_[k], number_[d]);
      }
    }
  }

  void close(std::size_t k) {
    while (component_[k] == unseen) {
      component_[open_.back()] = count_;
      open_.pop_back();
    }
    ++count_;
  }

  [[nodiscard]] std::size_t next_read(Step& step) const {
    const std::vector<std::size_t>& pools = ticks_.classes[step.k].pools;
    for (; step.pool < pools.size(); ++step.pool, step.user = 0) {
      const std::size_t p = pools[step.pool];
      const std::vector<std::size_t>& users = ticks_.users[p];
      const bool fixed = by_priority(p);
      const std::uint32_t least = fixed ? levels(step.k, p).priority.front() : 0;
      while (step.user < users.size()) {
        const std::size_t i = step.user++;
        if (users[i] != step.k && (!fixed || most_[p][i] >= least)) return users[i];
      }
    }
    return unseen;
  }

  const Ticks& ticks_;
  std::vector<std::vector<std::uint32_t>> most_;       // pool under fixed priorities -> the greatest of each of its users
  std::vector<std::size_t> number_, low_, component_;  // by class
  std::vector<std::size_t> open_;
  std::vector<Step> way_;
  std::size_t opened_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<std::vector<std::size_t>> solving_order(const Ticks& ticks) { return Components(ticks).run(); }

}  // namespace rta::analysis::path
