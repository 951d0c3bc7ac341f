#include "analysis/path/system/relations.hpp"

namespace rta::analysis::path {
namespace {

std::vector<std::size_t> places(const Class& c, std::span<const std::uint32_t> nodes) {
  std::vector<std::size_t> place(c.size(), nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
  return place;
}

}  // namespace

Relations Relations::ancestors_or_selves(const Class& c, std::span<const std::uint32_t> nodes) {
  const auto place = places(c, nodes);
  Relations above(c.size(), nodes.size());
  for (const std::uint32_t v : c.order) {
    for (const std::uint32_t w : c.predecessors(v)) above.add_all(v, w);
    if (place[v] < nodes.size()) above.add(v, place[v]);
  }
  return above;
}

Relations Relations::strict_descendants(const Class& c, std::span<const std::uint32_t> nodes) {
  const auto place = places(c, nodes);
  Relations below(c.size(), nodes.size());
  for (auto v = c.order.rbegin(); v != c.order.rend(); ++v) {
    for (const std::uint32_t w : c.predecessors(*v)) {
      below.add_all(w, *v);
      if (place[*v] < nodes.size()) below.add(w, place[*v]);
    }
  }
  return below;
}

}  // namespace rta::analysis::path
