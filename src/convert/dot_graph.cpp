#include "dot_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/graphviz.hpp>
#include <exception>
#include <optional>

#include "names.hpp"
#include "notes.hpp"

namespace rta::convert {
namespace {

namespace detail = boost::detail::graph;

// Takes what Boost's reader finds.
class Builder : public detail::mutate_graph {
 public:
  explicit Builder(DotGraph& graph) : graph_(graph) {}

  [[nodiscard]] bool is_directed() const override { return true; }
  void do_add_vertex(const detail::node_t& node) override {
    index_.emplace(node, graph_.nodes.size());
    graph_.nodes.push_back({node, {}});
  }
  void do_add_edge(const detail::edge_t& edge, const detail::node_t& source, const detail::node_t& target) override {
    edges_.emplace(edge, graph_.edges.size());
    graph_.edges.push_back({index_.at(source), index_.at(target), {}});
  }
  void set_node_property(const detail::id_t& key, const detail::node_t& node, const detail::id_t& value) override {
    graph_.nodes[index_.at(node)].attributes[key] = value;
  }
  void set_edge_property(const detail::id_t& key, const detail::edge_t& edge, const detail::id_t& value) override {
    graph_.edges[edges_.at(edge)].attributes[key] = value;
  }
  void set_graph_property(const detail::id_t& key, const detail::id_t& value) override { graph_.attributes[key] = value; }
  void finish_building_graph() override {}

 private:
  DotGraph& graph_;
  std::map<detail::node_t, std::size_t> index_;
  std::map<detail::edge_t, std::size_t> edges_;
};

// The reader calls itself for every `{` that is open.
constexpr std::ptrdiff_t most_braces = 2000;
// What is wrong with a text; nothing when it is a digraph.
std::optional<std::string> fault_of(const std::string& text, DotGraph& graph) {
  Builder builder(graph);
  try {
    detail::read_graphviz_new(text, &builder);
    return std::nullopt;
  } catch (const std::exception& error) {
    return one_line(error.what(), 200);
  }
}

// The reader tells no place: the first line with which the beginning of the text has the same fault.
std::size_t line_of_fault(std::string_view text, const std::string& fault) {
  std::vector<std::size_t> ends;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) ends.push_back(at + 1);
  std::size_t low = 0, high = ends.size();  // of lines: the fault is not in the first `low`, and in the first `high` + 1
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    DotGraph ignored;
    if (fault_of(std::string(text.substr(0, ends[middle])), ignored) == fault) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low + 1;
}

}  // namespace

DotGraph read_dot_graph(std::string_view text, const std::string& file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (std::ranges::count(text, '{') > most_braces)
    refuse(file, fmt::format("more than {} '{{': subgraphs must not nest so deep", most_braces));
  if (text.find('\0') != std::string_view::npos) refuse(file, "a character is NUL: this is no text");
  DotGraph graph;
  if (const auto fault = fault_of(std::string(text), graph))
    refuse(file, fmt::format("no digraph of Graphviz: {}", *fault), line_of_fault(text, *fault), 1);
  return graph;
}

}  // namespace rta::convert
