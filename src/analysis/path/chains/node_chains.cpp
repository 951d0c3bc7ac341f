#include "analysis/path/chains/node_chains.hpp"

namespace rta::analysis::path {
namespace {

constexpr std::size_t none = SIZE_MAX;

/// Kuhn's augmenting paths.
class Matching {
 public:
  Matching(const ParallelPaths& paths, const std::vector<std::size_t>& nodes)
      : paths_(paths), nodes_(nodes), place_(paths.size(), none), next_(nodes.size(), none), before_(nodes.size(), none) {
    for (std::size_t i = 0; i < nodes.size(); ++i) place_[nodes[i]] = i;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      tried_.assign(nodes.size(), 0);
      extend(i);
    }
  }

  [[nodiscard]] std::size_t next(std::size_t i) const { return next_[i]; }
  [[nodiscard]] bool is_first(std::size_t i) const { return before_[i] == none; }

 private:
  bool extend(std::size_t i) {
    return paths_.any_after(nodes_[i], [&](std::size_t u) {
      const std::size_t j = place_[u];
      if (j == none || tried_[j] != 0) return false;
      tried_[j] = 1;
      if (before_[j] != none && !extend(before_[j])) return false;
      before_[j] = i;
      next_[i] = j;
      return true;
    });
  }

  const ParallelPaths& paths_;
  const std::vector<std::size_t>& nodes_;
  std::vector<std::size_t> place_;  // node -> among these
  std::vector<std::size_t> next_, before_;
  std::vector<char> tried_;
};

}  // namespace

std::vector<std::uint32_t> chains_of(const ParallelPaths& paths, const std::vector<std::size_t>& nodes) {
  const Matching matching(paths, nodes);
  std::vector<std::uint32_t> chain(nodes.size());
  std::uint32_t chains = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!matching.is_first(i)) continue;
    for (std::size_t j = i; j != none; j = matching.next(j)) chain[j] = chains;
    ++chains;
  }
  return chain;
}

}  // namespace rta::analysis::path
