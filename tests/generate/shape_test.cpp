#include "rta/generate/shape.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "generate/statistics.hpp"

using namespace rta::generate;

namespace {

struct Graph {
  std::uint32_t n;
  std::vector<Edge> edges;

  [[nodiscard]] std::vector<std::uint32_t> level() const {  // longest path that ends in each node, in edges
    std::vector<std::uint32_t> longest(n);
    auto sorted = edges;
    std::sort(sorted.begin(), sorted.end(), [](const Edge& a, const Edge& b) { return a.from < b.from; });
    for (const Edge& e : sorted) longest[e.to] = std::max(longest[e.to], longest[e.from] + 1);
    return longest;
  }
  [[nodiscard]] std::size_t sources() const {
    std::set<std::uint32_t> with;
    for (const Edge& e : edges) with.insert(e.to);
    return n - with.size();
  }
  [[nodiscard]] std::size_t sinks() const {
    std::set<std::uint32_t> with;
    for (const Edge& e : edges) with.insert(e.from);
    return n - with.size();
  }
};

Graph draw(Stream& stream, const Shape& shape, std::uint32_t n) {
  static ShapeDrawer drawer;  // its memory is used again
  Graph graph{n, {}};
  drawer.draw(stream, shape, n, graph.edges);
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (const Edge& e : graph.edges) {
    REQUIRE(e.from < e.to);  // hence acyclic
    REQUIRE(e.to < n);
    REQUIRE(seen.insert({e.from, e.to}).second);
  }
  REQUIRE(std::is_sorted(graph.edges.begin(), graph.edges.end(),
                         [](const Edge& a, const Edge& b) { return std::pair(a.to, a.from) < std::pair(b.to, b.from); }));
  return graph;
}

// Series-parallel (by nodes): no four nodes whose comparabilities form exactly an N: a < c, b < c, b < d only.
bool has_induced_n(const Graph& graph) {
  std::vector<std::vector<char>> before(graph.n, std::vector<char>(graph.n));
  for (const Edge& e : graph.edges) before[e.from][e.to] = 1;
  for (std::uint32_t k = 0; k < graph.n; ++k) {
    for (std::uint32_t i = 0; i < graph.n; ++i) {
      for (std::uint32_t j = 0; j < graph.n; ++j) {
        if (before[i][k] != 0 && before[k][j] != 0) before[i][j] = 1;
      }
    }
  }
  const auto apart = [&](std::uint32_t a, std::uint32_t b) { return a != b && !before[a][b] && !before[b][a]; };
  for (std::uint32_t a = 0; a < graph.n; ++a) {
    for (std::uint32_t b = 0; b < graph.n; ++b) {
      for (std::uint32_t c = 0; c < graph.n; ++c) {
        for (std::uint32_t d = 0; d < graph.n; ++d) {
          if (before[a][c] && before[b][c] && before[b][d] && apart(a, b) && apart(c, d) && apart(a, d)) return true;
        }
      }
    }
  }
  return false;
}

}  // namespace

TEST_CASE("chain") {
  Stream stream({67, 0, 0}, Stage::shapes);
  CHECK(draw(stream, Chain{}, 1).edges.empty());
  CHECK(draw(stream, Chain{}, 4).edges == std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}});
}

TEST_CASE("layer by layer: as many layers as asked, every later node has a predecessor in the layer before") {
  Stream stream({71, 0, 0}, Stage::shapes);
  for (int round = 0; round < 500; ++round) {
    const auto n = static_cast<std::uint32_t>(stream.between(1, 40));
    const auto layers = static_cast<std::uint32_t>(stream.between(1, 8));
    const Graph graph = draw(stream, LayerByLayer{{layers, layers}, {1, 5}}, n);
    const auto level = graph.level();
    const auto depth = *std::max_element(level.begin(), level.end()) + 1;
    CHECK(depth == std::min(layers, n));
    for (const Edge& e : graph.edges) CHECK(level[e.to] == level[e.from] + 1);
  }
}

TEST_CASE("layer by layer with p = 1 joins neighbouring layers completely") {
  Stream stream({73, 0, 0}, Stage::shapes);
  const Graph graph = draw(stream, LayerByLayer{{3, 3}, {1, 1}}, 12);
  const auto level = graph.level();
  std::vector<std::size_t> size(3);
  for (auto l : level) ++size[l];
  CHECK(size[0] + size[1] + size[2] == 12);
  CHECK(graph.edges.size() == size[0] * size[1] + size[1] * size[2]);
}

// 20 nodes have 190 pairs; 2000 graphs with p = 3/10 hold 114,000 edges on average, standard deviation sqrt(380000 * 0.21) = 282.
TEST_CASE("G(n, p) has p of all pairs") {
  Stream stream({79, 0, 0}, Stage::shapes);
  std::size_t edges = 0;
  for (int round = 0; round < 2000; ++round) edges += draw(stream, ErdosRenyi{{3, 10}}, 20).edges.size();
  CHECK(edges > 114'000 - 5 * 282);
  CHECK(edges < 114'000 + 5 * 282);
  CHECK(draw(stream, ErdosRenyi{{0, 1}}, 20).edges.empty());
  CHECK(draw(stream, ErdosRenyi{{1, 1}}, 20).edges.size() == 190);
}

TEST_CASE("fork-join: one source, one sink, degrees within the branches, series-parallel") {
  Stream stream({83, 0, 0}, Stage::shapes);
  for (int round = 0; round < 300; ++round) {
    const auto n = static_cast<std::uint32_t>(stream.between(1, 24));
    const Graph graph = draw(stream, ForkJoin{{2, 4}, 3, {2, 3}}, n);
    CHECK(graph.sources() == 1);
    CHECK(graph.sinks() == 1);
    std::vector<int> in(n), out(n);
    for (const Edge& e : graph.edges) {
      ++out[e.from];
      ++in[e.to];
    }
    for (std::uint32_t v = 0; v < n; ++v) {
      CHECK(in[v] <= 4);
      CHECK(out[v] <= 4);
    }
    CHECK_FALSE(has_induced_n(graph));
  }
}

TEST_CASE("fork-join of depth 1 is one fork, chains and one join") {
  Stream stream({89, 0, 0}, Stage::shapes);
  const Graph graph = draw(stream, ForkJoin{{3, 3}, 1, {1, 1}}, 11);
  CHECK(graph.edges.size() == 9 + 3);  // 9 nodes on 3 chains: 3 + 6 + 3 edges
  CHECK(std::count_if(graph.edges.begin(), graph.edges.end(), [](const Edge& e) { return e.from == 0; }) == 3);
  CHECK(std::count_if(graph.edges.begin(), graph.edges.end(), [](const Edge& e) { return e.to == 10; }) == 3);
}

TEST_CASE("series-parallel") {
  Stream stream({97, 0, 0}, Stage::shapes);
  for (int round = 0; round < 300; ++round) {
    CHECK_FALSE(has_induced_n(draw(stream, SeriesParallel{{1, 2}}, static_cast<std::uint32_t>(stream.between(1, 16)))));
  }
  CHECK(draw(stream, SeriesParallel{{0, 1}}, 9).edges.empty());
  CHECK(draw(stream, SeriesParallel{{1, 1}}, 9).edges.size() == 8);  // a chain
}

// The test above can fail: the N itself is found.
TEST_CASE("the N is no series-parallel order") { CHECK(has_induced_n({4, {{0, 2}, {1, 2}, {1, 3}}})); }
