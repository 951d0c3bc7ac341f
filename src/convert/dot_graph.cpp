#include "dot_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/graphviz.hpp>
#include <cctype>
#include <exception>
#include <map>
#include <optional>
#include <utility>

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

// The text as Boost's reader takes it, line for line: it wants `subgraph` before every subgraph, and no HTML.
class Plain {
 public:
  Plain(std::string_view text, const std::string& file, DotGraph& graph)
      : text_(text), file_(file), graph_(graph), attributes_(graph.attributes_of_subgraphs) {}

  std::string write() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        token(quoted());
      } else if (c == '<') {
        html();
      } else if (c == '#' && (at_ == 0 || text_[at_ - 1] == '\n')) {
        at_ = std::min(text_.find('\n', at_), text_.size());  // of a preprocessor
      } else if (text_.substr(at_).starts_with("//")) {
        copy(std::min(text_.find('\n', at_), text_.size()) - at_);
      } else if (text_.substr(at_).starts_with("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        copy((end == std::string_view::npos ? text_.size() : end + 2) - at_);
      } else if (is_word(c)) {
        std::size_t end = at_;
        while (end < text_.size() && is_word(text_[end])) ++end;
        check_number(text_.substr(at_, end - at_));
        token(end - at_);
      } else {
        sign(c);
      }
    }
    return std::move(out_);
  }

 private:
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || (c & 0x80) != 0; }
  static bool is_subgraph(std::string_view word) {
    constexpr std::string_view keyword = "subgraph";
    return std::ranges::equal(word, keyword, [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
  }

  // Graphviz takes `1e3` for the number 1 and the name e3.
  void check_number(std::string_view word) const {
    const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    if (!is_digit(word.front()) && word.front() != '.') return;
    const bool number = std::ranges::all_of(word, [&](char c) { return is_digit(c) || c == '.'; }) && std::ranges::count(word, '.') <= 1;
    if (number) return;
    const std::string_view before = text_.substr(0, at_);
    const std::size_t line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
    refuse(file_, fmt::format("'{}' is neither a number of DOT nor a name: put it in quotation marks", one_line(word, 40)), line,
           at_ - (before.rfind('\n') + 1) + 1);
  }

  void copy(std::size_t length) {
    out_ += text_.substr(at_, length);
    at_ += length;
  }
  void token(std::size_t length) {
    before_ = last_;
    last_ = text_.substr(at_, length);
    if (!after_arrow_ && !after_colon_ && brackets_ == 0) of_edge_ = false;  // a new statement
    after_arrow_ = after_colon_ = false;
    if (brackets_ == 0) owner_ = last_;
    if (!key_.empty()) take_value();
    copy(length);
  }

  // Of nodes, and of the digraph itself: Graphviz takes the last value of several, and tells none.
  void take_value() {
    const auto bare = [](std::string_view word) { return word.starts_with('"') ? word.substr(1, word.size() - 2) : word; };
    const std::string_view key = std::exchange(key_, {});
    const bool of_graph = brackets_ == 0 || of_graph_;
    if (braces_ > 1 && of_graph) return;
    if (!of_graph && (of_edge_ || owner_ == "node" || owner_ == "edge")) return;
    const std::string owner(of_graph ? std::string_view() : bare(owner_));
    const auto [at, fresh] = values_.emplace(std::pair(owner, std::string(bare(key))), bare(last_));
    if (fresh || at->second == bare(last_)) return;
    const auto line = static_cast<std::size_t>(std::ranges::count(text_.substr(0, at_), '\n')) + 1;
    graph_.twice.push_back({owner, std::string(bare(key)), std::string(at->second), std::string(bare(last_)), line});
  }
  [[nodiscard]] std::size_t quoted() const {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2U : 1U;
    return std::min(end + 1, text_.size()) - at_;
  }

  void sign(char c) {
    if (c == '{') {
      if (braces_++ > 0 && !is_subgraph(last_) && !is_subgraph(before_)) out_ += "subgraph ";
    }
    if (c == '}') --braces_;
    if (c == '[') {
      ++brackets_;
      of_graph_ = last_ == "graph";
    }
    if (c == ']') --brackets_;
    if (c == '-' && text_.substr(at_).starts_with("->")) after_arrow_ = of_edge_ = true;
    if (c == ':') after_colon_ = true;
    if (c == '=') key_ = last_;
    if (c == '=' && braces_ > 1 && (brackets_ == 0 || of_graph_)) attributes_.emplace_back(last_);
    if (std::isspace(static_cast<unsigned char>(c)) == 0) before_ = last_ = {};
    copy(1);
  }

  // Its text, without tags.
  void html() {
    std::size_t end = at_;
    int open = 0;
    std::string inside;
    do {
      const char c = text_[end];
      if (c == '>') --open;
      if (open == 1 && c != '<' && c != '>') inside += c == '"' ? '\'' : c;
      if (open != 1 && c == '\n') inside += c;
      if (c == '<') ++open;
    } while (++end < text_.size() && open > 0);
    before_ = last_;
    last_ = "html";
    key_ = {};
    out_ += '"' + inside + '"';
    at_ = end;
  }

  std::string_view text_;
  const std::string& file_;
  DotGraph& graph_;
  std::vector<std::string>& attributes_;  // of subgraphs
  std::string out_;
  std::size_t at_ = 0;
  std::string_view last_, before_;  // words with nothing but space between them
  int braces_ = 0, brackets_ = 0;
  bool of_graph_ = false;         // the list of attributes that is open
  std::string_view owner_, key_;  // of a list of attributes; that waits for its value
  bool after_arrow_ = false, after_colon_ = false, of_edge_ = false;
  std::map<std::pair<std::string, std::string>, std::string_view> values_;  // of nodes, and of the digraph
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
  const std::string plain = Plain(text, file, graph).write();
  if (const auto fault = fault_of(plain, graph))
    refuse(file, fmt::format("no digraph of Graphviz: {}", *fault), line_of_fault(plain, *fault), 1);
  return graph;
}

}  // namespace rta::convert
