#include "analysis/path/chains/heaviest_families.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>

namespace rta::analysis::path {
namespace {

/// The flow of `ChainFamilies`, where paths begin and end at any node. Node v is two places, to which its predecessors' lead: places are
/// numbered in the order of a path, and the first of those whose path has become heavier is looked at first. So most are but once.
class Flow {
 public:
  Flow(const Class& c, const std::vector<bool>& among) : size_(c.size()) {
    std::vector<std::uint32_t> at(size_);
    for (std::uint32_t i = 0; i < size_; ++i) at[c.order[i]] = i;
    first_after_.assign(size_ + 1, 0);
    first_before_.assign(size_ + 1, 0);
    for (std::uint32_t i = 0; i < size_; ++i) {
      const std::uint32_t v = c.order[i];
      work_.push_back(among[v] ? c.e[v] : Tick::zero());
      for (const std::uint32_t u : c.predecessors(v)) {
        edges_.push_back({at[u], i});
        ++first_after_[at[u] + 1];
      }
      first_before_[i + 1] = static_cast<std::uint32_t>(edges_.size());
    }
    std::partial_sum(first_after_.begin(), first_after_.end(), first_after_.begin());
    after_.resize(edges_.size());
    std::vector<std::uint32_t> next(first_after_.begin(), first_after_.end() - 1);
    for (std::uint32_t i = 0; i < edges_.size(); ++i) after_[next[edges_[i].from]++] = i;
    is_used_.assign(size_, 0);
    passes_.assign(size_, 0);
    paths_.assign(edges_.size(), 0);
    heaviest_.resize(2 * size_);
    by_.resize(2 * size_);
    waits_.resize((2 * size_ + 63) / 64);
  }

  [[nodiscard]] Tick total() const { return std::accumulate(work_.begin(), work_.end(), Tick::zero()); }

  /// One more path, of the most work that is not yet in the others; that work.
  Tick augment() {
    for (std::size_t i = 0; i < size_; ++i) {
      heaviest_[2 * i] = Tick::zero();
      heaviest_[2 * i + 1] = Tick::min();
      by_[2 * i] = {How::begin, 0};
      wait(2 * i);
    }
    for (std::size_t word = 0; word < waits_.size();) {
      if (waits_[word] == 0) {
        ++word;
        continue;
      }
      const std::size_t place = word * 64 + static_cast<std::size_t>(__builtin_ctzll(waits_[word]));
      waits_[word] &= waits_[word] - 1;
      first_waiting_ = word;
      look_from(place);
      word = first_waiting_;
    }
    std::size_t end = 1;
    for (std::size_t place = 3; place < heaviest_.size(); place += 2) {
      if (heaviest_[place] > heaviest_[end]) end = place;
    }
    if (heaviest_[end] > Tick::zero()) add_path(end);
    return std::max(heaviest_[end], Tick::zero());
  }

 private:
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };
  /// From the place before on the path: work and pass lead through a node, edges from one to the next; all but the first also back.
  enum class How : std::uint8_t { begin, work, pass, edge, undo_work, undo_pass, undo_edge };
  struct By {
    How how = How::begin;
    std::uint32_t edge = 0;
  };

  void wait(std::size_t place) { waits_[place / 64] |= std::uint64_t{1} << (place % 64); }
  void reach(std::size_t place, Tick work, By by) {
    if (work <= heaviest_[place]) return;
    heaviest_[place] = work;
    by_[place] = by;
    wait(place);
    first_waiting_ = std::min(first_waiting_, place / 64);
  }

  void look_from(std::size_t place) {
    const std::size_t i = place / 2;
    const Tick here = heaviest_[place];
    if (place % 2 == 0) {
      if (is_used_[i] == 0) {
        reach(place + 1, here + work_[i], {How::work});
      } else {
        reach(place + 1, here, {How::pass});
      }
      for (std::uint32_t edge = first_before_[i]; edge < first_before_[i + 1]; ++edge) {
        if (paths_[edge] > 0) reach(2 * std::size_t{edges_[edge].from} + 1, here, {How::undo_edge, edge});
      }
      return;
    }
    for (const std::uint32_t edge : std::span(after_).subspan(first_after_[i], first_after_[i + 1] - first_after_[i])) {
      reach(2 * std::size_t{edges_[edge].to}, here, {How::edge, edge});
    }
    if (passes_[i] > 0) reach(place - 1, here, {How::undo_pass});
    if (is_used_[i] != 0) reach(place - 1, here - work_[i], {How::undo_work});
  }

  void add_path(std::size_t place) {
    for (;;) {
      const auto [how, edge] = by_[place];
      const std::size_t i = place / 2;
      switch (how) {
        case How::begin: return;
        case How::work: is_used_[i] = 1; break;
        case How::pass: ++passes_[i]; break;
        case How::edge: ++paths_[edge]; break;
        case How::undo_work: is_used_[i] = 0; break;
        case How::undo_pass: --passes_[i]; break;
        case How::undo_edge: --paths_[edge]; break;
      }
      if (how == How::edge) {
        place = 2 * std::size_t{edges_[edge].from} + 1;
      } else if (how == How::undo_edge) {
        place = 2 * std::size_t{edges_[edge].to};
      } else {
        place ^= 1U;
      }
    }
  }

  std::size_t size_;
  std::vector<Tick> work_;  // by places in c.order, as all that follows
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> after_, first_after_, first_before_;  // edges
  std::vector<char> is_used_;                                      // the node's work belongs to a path
  std::vector<std::uint32_t> passes_;                              // node -> paths through it without that
  std::vector<std::uint32_t> paths_;                               // edge
  // For `augment`: per place.
  std::vector<Tick> heaviest_;
  std::vector<By> by_;
  std::vector<std::uint64_t> waits_;
  std::size_t first_waiting_ = 0;  // among the words of that
};

}  // namespace

std::vector<Tick> heaviest_families(const Class& c, const std::vector<bool>& among, std::size_t most) {
  std::vector<Tick> weights;
  Flow flow(c, among);
  const Tick all = flow.total();
  Tick weight;
  while (weights.size() < most && weight < all) {
    const Tick more = flow.augment();
    if (more == Tick::zero()) break;
    weights.push_back(weight += more);
  }
  return weights;
}

}  // namespace rta::analysis::path
