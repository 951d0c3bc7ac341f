#include "history_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 2> after_words{"node", "jobs"};
constexpr KeySet after_keys = after_words;
constexpr std::uint64_t most_jobs_before = 10'000;

class AfterReader {
 public:
  AfterReader(const Fields& node, const Fields& nodes, NodeId to) : node_(node), nodes_(nodes), to_(to) {}

  void read(const Value& value) {
    if (value.kind == Value::Kind::rejected) return;
    if (value.kind != Value::Kind::mapping) {
      node_.error(value, fmt::format("after: a node of an earlier job is expected, e.g. {{node: {}, jobs: 1}}, not {}", example(),
                                     value.kind == Value::Kind::scalar ? quote(value.text) : kind_text(value)));
      return;
    }
    const Fields fields = node_.within("after", value);
    fields.allow_only(after_keys);
    static_cast<void>(fields.require("node", "the node that is waited for"));
    const auto from = find(fields);
    const auto jobs = fields.integer("jobs", 1, most_jobs_before);
    if (!from || (fields.has("jobs") && !jobs)) return;
    edges_.push_back({*from, to_, static_cast<std::uint32_t>(jobs.value_or(1))});
    places_.push_back(&value);
  }

  [[nodiscard]] std::vector<HistoryEdge> edges() {
    std::vector<std::size_t> order(edges_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return std::pair(edges_[i].from, edges_[i].jobs); });
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (edges_[order[i]] != edges_[order[i - 1]]) continue;
      node_.error(*places_[order[i]], fmt::format("after: {} of {} before is given twice (first at line {})",
                                                  quote(nodes_.all()[edges_[order[i]].from].key->text),
                                                  edges_[order[i]].jobs == 1 ? "the job" : fmt::format("{} jobs", edges_[order[i]].jobs),
                                                  places_[order[i - 1]]->mark.line));
    }
    return std::move(edges_);
  }

 private:
  [[nodiscard]] std::string_view example() const { return nodes_.all().front().key->text; }

  [[nodiscard]] std::optional<NodeId> find(const Fields& fields) const {
    const auto name = fields.name("node");
    if (!name) return std::nullopt;
    if (const auto node = nodes_.index_of(*name)) return node;
    std::vector<std::string_view> names;
    for (const auto& other : nodes_.all()) names.push_back(other.key->text);
    node_.error(*fields.find("node"), fmt::format("after: {} is no node of this DAG{}", quote(*name), suggestion(*name, names)));
    return std::nullopt;
  }

  const Fields& node_;
  const Fields& nodes_;
  NodeId to_;
  std::vector<HistoryEdge> edges_;
  std::vector<const Value*> places_;
};

}  // namespace

std::vector<HistoryEdge> read_after(const Fields& node, const Fields& nodes, NodeId to) {
  const Value* const value = node.find("after");
  if (value == nullptr) return {};
  AfterReader reader(node, nodes, to);
  if (value->kind == Value::Kind::sequence) {
    if (value->first() == value->next()) node.error(*value, "after: the list is empty; leave it out where nothing is waited for");
    for (const Value* entry = value->first(); entry != value->next(); entry = entry->next()) reader.read(*entry);
  } else {
    reader.read(*value);
  }
  return reader.edges();
}

}  // namespace rta::io
