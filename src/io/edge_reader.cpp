#include "edge_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 4> edge_words{"path", "from", "to", "cut"};
constexpr KeySet edge_keys = edge_words;

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  std::string_view rest = text;
  while (!rest.empty() && blank(rest.front())) rest.remove_prefix(1);
  while (!rest.empty() && blank(rest.back())) rest.remove_suffix(1);
  return rest.empty() ? text.substr(0, 0) : rest;
}

// Where the next arrow is; the text's end where there is none.
std::size_t arrow_in(std::string_view text, std::size_t from) {
  for (std::size_t i = from; i + 1 < text.size(); ++i) {
    if (text[i] == '-' && text[i + 1] == '>') return i;
  }
  return text.size();
}

class EdgeReader {
 public:
  /// `expected`: about how many edges there are.
  EdgeReader(std::size_t expected, const Fields& nodes, Subject subject, Diagnostics& out) : nodes_(nodes), subject_(subject), out_(out) {
    edges_.reserve(expected);
    places_.reserve(expected);
  }

  void read(const Value& value) {
    switch (value.kind) {
      case Value::Kind::scalar: read_chain(value, false); break;
      case Value::Kind::mapping: read_mapping(value); break;
      case Value::Kind::rejected: break;
      default: error(value.mark, fmt::format("an edge 'a -> b' is expected, not {}", kind_text(value)));
    }
  }

  // Reports edges given twice, or else every edge that closes a cycle.
  [[nodiscard]] std::vector<Edge> finish() {
    if (!report_repeated()) report_cycles();
    return std::move(edges_);
  }

 private:
  // A byte of a value's text.
  struct Place {
    const Value* value;
    std::size_t byte;
  };
  [[nodiscard]] static Mark mark_of(Place place) {
    Mark mark = place.value->mark;
    place.value->advance(mark, 0, place.byte);
    return mark;
  }

  void error(Mark at, std::string_view message) { out_.error(at, subject_, fmt::format("edges: {}", message)); }

  void read_chain(const Value& value, bool cut) {
    const std::string_view text = value.text;
    std::size_t end = arrow_in(text, 0);
    if (end == text.size()) {
      error(value.mark, fmt::format("{} is no edge; write 'a -> b'", quote(text)));
      return;
    }
    before_.clear();
    for (std::size_t begin = 0; begin <= text.size();) {
      here_.clear();
      for_names_between(trimmed(text.substr(begin, end - begin)), [&](std::string_view name) {
        const Place place{&value, static_cast<std::size_t>(name.data() - text.data())};
        if (const auto node = find(name, place)) here_.emplace_back(*node, place);
      });
      for (const auto& from : before_) {
        for (const auto& [to, place] : here_) add(from.first, to, cut, place);
      }
      std::swap(before_, here_);
      begin = end + 2;
      end = arrow_in(text, begin);
    }
  }

  // One name, or those of a list `[b, c]`.
  template <class Use>
  void for_names_between(std::string_view text, Use&& use) const {
    if (!text.starts_with('[') || !text.ends_with(']') || nodes_.index_of(text)) {
      use(text);
      return;
    }
    text = text.substr(1, text.size() - 2);
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      use(trimmed(text.substr(begin, end - begin)));
      begin = end + 1;
    }
  }

  void read_mapping(const Value& value) {
    const Fields fields(value, subject_, out_);
    fields.allow_only(edge_keys);
    const bool cut = fields.flag("cut").value_or(false);
    if (const Value* const path = fields.find("path")) {
      if (fields.has("from") || fields.has("to")) {
        error(value.mark, "'path' and 'from'/'to' are both given; give one of them");
      } else if (path->kind == Value::Kind::scalar) {
        read_chain(*path, cut);
      } else if (path->kind != Value::Kind::rejected) {
        error(path->mark, fmt::format("path: 'a -> b' is expected, not {}", kind_text(*path)));
      }
      return;
    }
    const auto from = end_of_edge(fields, "from");
    const auto to = end_of_edge(fields, "to");
    if (from && to) add(*from, *to, cut, {&value, 0});
  }

  std::optional<NodeId> end_of_edge(const Fields& fields, Key key) {
    const Value* const value = fields.require(key, "the name of a node");
    const auto name = fields.name(key);
    return name ? find(*name, {value, 0}) : std::nullopt;
  }

  std::optional<NodeId> find(std::string_view name, Place at) {
    if (name.empty()) {
      error(mark_of(at), "a node's name is missing beside '->'");
      return std::nullopt;
    }
    if (const auto node = nodes_.index_of(name)) return node;
    error(mark_of(at), fmt::format("{} is no node of this DAG{}", quote(name), suggestion(name, names())));
    return std::nullopt;
  }

  void add(NodeId from, NodeId to, bool cut, Place at) {
    edges_.push_back({from, to, cut});
    places_.push_back(at);
  }

  // In the order of the file.
  const std::vector<std::string_view>& names() {
    if (names_.empty()) {
      for (const auto& node : nodes_.all()) names_.push_back(node.key->text);
    }
    return names_;
  }

  std::string_view name_of(NodeId id) { return names()[id]; }

  [[nodiscard]] bool any_repeated() const {
    const std::size_t nodes = nodes_.all().size();
    if (nodes * nodes <= 64 * edges_.size()) return any_repeated_in_table(nodes);
    std::vector<std::pair<NodeId, NodeId>> pairs;
    pairs.reserve(edges_.size());
    for (const Edge& edge : edges_) pairs.emplace_back(edge.from, edge.to);
    std::sort(pairs.begin(), pairs.end());
    return std::adjacent_find(pairs.begin(), pairs.end()) != pairs.end();
  }

  [[nodiscard]] bool any_repeated_in_table(std::size_t nodes) const {
    std::vector<bool> seen(nodes * nodes);
    for (const Edge& edge : edges_) {
      auto pair = seen[edge.from * nodes + edge.to];
      if (pair) return true;
      pair = true;
    }
    return false;
  }

  bool report_repeated() {
    if (!any_repeated()) return false;
    std::vector<std::size_t> order(edges_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto key = [&](std::size_t i) { return std::tuple(edges_[i].from, edges_[i].to, i); };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    bool repeated = false;
    for (std::size_t i = 1; i < order.size(); ++i) {
      const Edge& edge = edges_[order[i]];
      const Edge& other = edges_[order[i - 1]];
      if (edge.from != other.from || edge.to != other.to) continue;
      repeated = true;
      error(mark_of(places_[order[i]]), fmt::format("{} -> {} is given twice (first at line {})", name_of(edge.from), name_of(edge.to),
                                                    mark_of(places_[order[i - 1]]).line));
    }
    return repeated;
  }

  // Depth-first search without recursion; the edges on the way from the root to the current node are `way`.
  void report_cycles() {
    if (std::all_of(edges_.begin(), edges_.end(), [](const Edge& edge) { return edge.from < edge.to; })) return;
    std::vector<std::size_t> first(nodes_.all().size() + 1);
    for (const Edge& edge : edges_) ++first[edge.from + 1];
    for (std::size_t v = 0; v < nodes_.all().size(); ++v) first[v + 1] += first[v];
    std::vector<std::size_t> next(first.begin(), first.end() - 1), out_edges(edges_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) out_edges[next[edges_[e].from]++] = e;
    next.assign(first.begin(), first.end() - 1);

    enum class State : std::uint8_t { fresh, open, done };
    std::vector<State> state(nodes_.all().size(), State::fresh);
    std::vector<std::size_t> way;
    for (NodeId root = 0; root < nodes_.all().size(); ++root) {
      if (state[root] != State::fresh) continue;
      state[root] = State::open;
      for (NodeId v = root;;) {
        if (next[v] == first[v + 1]) {
          state[v] = State::done;
          if (way.empty()) break;
          v = edges_[way.back()].from;
          way.pop_back();
          continue;
        }
        const std::size_t edge = out_edges[next[v]++];
        const NodeId w = edges_[edge].to;
        if (state[w] == State::done) continue;
        way.push_back(edge);
        if (state[w] == State::open) {
          name_cycle(w, way);
          way.pop_back();
          continue;
        }
        state[w] = State::open;
        v = w;
      }
    }
  }

  void name_cycle(NodeId start, const std::vector<std::size_t>& way) {
    constexpr std::size_t most_names = 20;
    auto begin = std::find_if(way.begin(), way.end(), [&](std::size_t e) { return edges_[e].from == start; });
    const auto length = static_cast<std::size_t>(way.end() - begin);
    std::size_t last = *begin;  // the latest edge in the file closes the cycle
    std::string text;
    for (std::size_t i = 0; begin != way.end(); ++begin, ++i) {
      last = std::max(last, *begin);
      if (i < most_names) text += fmt::format("{} -> ", name_of(edges_[*begin].from));
    }
    if (length > most_names) text += fmt::format("… ({} nodes) -> ", length);
    error(mark_of(places_[last]), fmt::format("cycle {}{}", text, name_of(start)));
  }

  const Fields& nodes_;
  Subject subject_;
  Diagnostics& out_;
  std::vector<Edge> edges_;
  std::vector<Place> places_;                            // where each one's end is named
  std::vector<std::pair<NodeId, Place>> before_, here_;  // of the chain that is read: the nodes before an arrow, and behind it
  std::vector<std::string_view> names_;
};

}  // namespace

std::vector<Edge> read_edges(const Value& edges, const Fields& nodes, Subject subject, Diagnostics& out) {
  if (edges.kind != Value::Kind::sequence) {
    if (edges.kind != Value::Kind::rejected) {
      out.error(edges.mark, subject, fmt::format("edges: a list of edges ('- a -> b') is expected, not {}", kind_text(edges)));
    }
    return {};
  }
  EdgeReader reader(edges.extent, nodes, subject, out);
  for (const Value* edge = edges.first(); edge != edges.next(); edge = edge->next()) reader.read(*edge);
  return reader.finish();
}

}  // namespace rta::io
