#include "analysis/path/chains/chain_families.hpp"

#include <algorithm>
#include <numeric>

namespace rta::analysis::path {

ChainFamilies::ChainFamilies(const Class& c, const std::vector<bool>& among, std::size_t most)
    : source_(2 * c.size()),
      end_(2 * c.size() + 1),
      work_(2 * c.size() + 2),
      by_(work_.size()),
      waits_(work_.size(), 0),
      queue_(work_.size()) {
  arcs_.reserve(2 * (4 * c.size() + c.predecessor.size()));
  const auto any = static_cast<std::int64_t>(most);
  Tick all;
  for (const std::uint32_t v : c.order) {
    const std::size_t in = 2 * std::size_t{v};
    if (among[v] && c.e[v] > Tick::zero()) {
      add(in, in + 1, 1, c.e[v]);
      all += c.e[v];
    }
    add(in, in + 1, any, Tick::zero());
    add(source_, in, any, Tick::zero());
    add(in + 1, end_, any, Tick::zero());
    for (const std::uint32_t u : c.predecessors(v)) add(2 * std::size_t{u} + 1, in, any, Tick::zero());
  }
  set_arcs_from();
  Tick weight;
  while (weights_.size() < most && weight < all) {
    const Tick more = augment();
    if (more == Tick::zero()) break;
    weight += more;
    weights_.push_back(weight);
  }
}

void ChainFamilies::add(std::size_t from, std::size_t to, std::int64_t room, Tick work) {
  arcs_.push_back({to, room, work});
  arcs_.push_back({from, 0, -work});
}

/// An arc begins where its way back ends.
void ChainFamilies::set_arcs_from() {
  first_after_.assign(work_.size() + 1, 0);
  for (const Arc& arc : arcs_) ++first_after_[arc.to + 1];
  std::partial_sum(first_after_.begin(), first_after_.end(), first_after_.begin());
  after_.resize(arcs_.size());
  std::vector<std::uint32_t> next(first_after_.begin(), first_after_.end() - 1);
  for (std::size_t i = 0; i < arcs_.size(); ++i) after_[next[arcs_[i ^ 1U].to]++] = static_cast<std::uint32_t>(i);
}

/// One more path, of the most work that is not yet in the others: by Bellman and Ford. None if that is nothing: 0.
Tick ChainFamilies::augment() {
  constexpr Tick none = Tick::min();
  std::ranges::fill(work_, none);
  const auto next = [&](std::size_t i) { return i + 1 == queue_.size() ? 0 : i + 1; };
  std::size_t first = 0;
  std::size_t waiting = 1;
  std::size_t last = 0;
  queue_[0] = source_;
  work_[source_] = Tick::zero();
  for (; waiting > 0; --waiting) {
    const std::size_t at = queue_[first];
    first = next(first);
    waits_[at] = 0;
    for (const std::uint32_t i : after(at)) {
      const Arc& arc = arcs_[i];
      if (arc.room == 0 || work_[at] + arc.work <= work_[arc.to]) continue;
      work_[arc.to] = work_[at] + arc.work;
      by_[arc.to] = i;
      if (waits_[arc.to] != 0) continue;
      waits_[arc.to] = 1;
      queue_[last = next(last)] = arc.to;
      ++waiting;
    }
  }
  if (work_[end_] <= Tick::zero()) return Tick::zero();
  for (std::size_t at = end_; at != source_; at = arcs_[by_[at] ^ 1U].to) {
    --arcs_[by_[at]].room;
    ++arcs_[by_[at] ^ 1U].room;
  }
  return work_[end_];
}

std::size_t chains_sought(const Class& c, std::size_t processors) {
  constexpr Wide longest_flow = Wide{1} << 26U;  // arcs, places and chains
  const std::size_t chains = std::min(processors - 1, c.size());
  std::size_t arcs = c.size();
  for (std::size_t v = 0; v < c.size(); ++v) arcs += c.predecessors(v).size();
  return Wide{arcs} * c.size() * chains <= longest_flow ? chains : std::min<std::size_t>(chains, 1);
}

std::vector<bool> is_on_pool(const Class& c, std::size_t local) {
  std::vector<bool> here(c.size());
  for (std::size_t v = 0; v < c.size(); ++v) here[v] = c.pool_of[v] == local;
  return here;
}

std::vector<std::vector<std::size_t>> ChainFamilies::chains() const {
  std::vector<std::int64_t> flow(arcs_.size(), 0);
  for (std::size_t i = 0; i < arcs_.size(); i += 2) flow[i] = arcs_[i + 1].room;
  std::vector<std::vector<std::size_t>> chains(weights_.size());
  for (auto& chain : chains) {
    for (std::size_t at = source_; at != end_;) {
      for (const std::uint32_t i : after(at)) {
        if (flow[i] == 0) continue;  // ways back have none; a node's work comes before the way past it
        --flow[i];
        if (arcs_[i].work > Tick::zero()) chain.push_back(at / 2);
        at = arcs_[i].to;
        break;
      }
    }
  }
  return chains;
}

}  // namespace rta::analysis::path
