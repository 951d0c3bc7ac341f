#include "rta/generate/shape.hpp"

#include <algorithm>

#include "rta/model/overloaded.hpp"

namespace rta::generate {

void ShapeDrawer::draw(Stream& stream, const Shape& shape, std::uint32_t n, std::vector<Edge>& edges) {
  const auto first = static_cast<std::ptrdiff_t>(edges.size());
  const auto sort = [&] {
    std::sort(edges.begin() + first, edges.end(),
              [](const Edge& a, const Edge& b) { return std::pair(a.to, a.from) < std::pair(b.to, b.from); });
  };
  std::visit(overloaded{[&](const Chain&) {
                          for (std::uint32_t v = 1; v < n; ++v) edges.push_back({v - 1, v});
                        },
                        [&](const LayerByLayer& layers) { layer_by_layer(stream, layers, n, edges); },
                        [&](const ErdosRenyi& random) {
                          for (std::uint32_t w = 1; w < n; ++w) {
                            for (std::uint32_t v = 0; v < w; ++v) {
                              if (stream.chance(random.p)) edges.push_back({v, w});
                            }
                          }
                        },
                        [&](const ForkJoin& nested) {
                          sizes_.clear();
                          fork_join(stream, nested, 0, n, nested.depth, edges);
                          sort();
                        },
                        [&](const SeriesParallel& random) {
                          has_predecessor_.assign(n, 0);
                          has_successor_.assign(n, 0);
                          series_parallel(stream, random, 0, n, edges);
                          sort();
                        }},
             shape);
}

void ShapeDrawer::layer_by_layer(Stream& stream, const LayerByLayer& shape, std::uint32_t n, std::vector<Edge>& edges) {
  const auto layers = std::min(n, static_cast<std::uint32_t>(stream.between(shape.layers.low, shape.layers.high)));
  sizes_.assign(layers, 1);
  for (std::uint32_t v = layers; v < n; ++v) ++sizes_[stream.below(layers)];
  std::uint32_t above = 0;  // first node of the layer before
  std::uint32_t here = sizes_[0];
  for (std::uint32_t layer = 1; layer < layers; ++layer) {
    const std::uint32_t end = here + sizes_[layer];
    for (std::uint32_t w = here; w < end; ++w) {
      const std::size_t before = edges.size();
      for (std::uint32_t v = above; v < here; ++v) {
        if (stream.chance(shape.p)) edges.push_back({v, w});
      }
      if (edges.size() == before) edges.push_back({static_cast<std::uint32_t>(stream.between(above, here - 1)), w});
    }
    above = here;
    here = end;
  }
}

// Nodes first .. first + n - 1; the first is the only source, the last the only sink.
void ShapeDrawer::fork_join(Stream& stream, const ForkJoin& shape, std::uint32_t first, std::uint32_t n, std::uint32_t depth,
                            std::vector<Edge>& edges) {
  const auto wanted = n < 4 || depth == 0 ? 1U : static_cast<std::uint32_t>(stream.between(shape.branches.low, shape.branches.high));
  const std::uint32_t branches = std::min(wanted, n < 3 ? 1U : n - 2);
  if (branches < 2) {
    for (std::uint32_t v = 1; v < n; ++v) edges.push_back({first + v - 1, first + v});
    return;
  }
  const std::size_t mine = sizes_.size();
  sizes_.resize(mine + branches, 1);
  for (std::uint32_t v = branches; v < n - 2; ++v) ++sizes_[mine + stream.below(branches)];
  std::uint32_t start = first + 1;
  const std::uint32_t join = first + n - 1;
  for (std::uint32_t b = 0; b < branches; ++b) {
    const std::uint32_t size = sizes_[mine + b];
    edges.push_back({first, start});
    const bool nested = depth > 1 && size >= 4 && stream.chance(shape.nesting);
    fork_join(stream, shape, start, size, nested ? depth - 1 : 0, edges);
    edges.push_back({start + size - 1, join});
    start += size;
  }
  sizes_.resize(mine);
}

void ShapeDrawer::series_parallel(Stream& stream, const SeriesParallel& shape, std::uint32_t first, std::uint32_t n,
                                  std::vector<Edge>& edges) {
  if (n == 1) return;
  const auto left = static_cast<std::uint32_t>(stream.between(1, n - 1));
  const bool series = stream.chance(shape.series);
  series_parallel(stream, shape, first, left, edges);
  series_parallel(stream, shape, first + left, n - left, edges);
  if (!series) return;
  // Nodes of a part without edges so far within it are its sinks and sources.
  const std::size_t before = edges.size();
  for (std::uint32_t v = first; v < first + left; ++v) {
    if (has_successor_[v]) continue;
    for (std::uint32_t w = first + left; w < first + n; ++w) {
      if (!has_predecessor_[w]) edges.push_back({v, w});
    }
  }
  for (std::size_t e = before; e < edges.size(); ++e) {
    has_successor_[edges[e].from] = 1;
    has_predecessor_[edges[e].to] = 1;
  }
}

}  // namespace rta::generate
