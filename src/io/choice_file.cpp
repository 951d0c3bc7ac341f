#include "rta/io/choice_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "choice_points.hpp"
#include "measured_durations.hpp"
#include "rta/model/error.hpp"
#include "task_set_tree.hpp"
#include "yaml_document.hpp"

namespace rta::io {
namespace {

/// A tree in which every choice is made.
class Chosen {
 public:
  Chosen(const ChoicePoints& points, const Selection& selection, Diagnostics& out) : points_(points), selection_(selection), out_(out) {
    for (const ClusteredPool& pool : points.clustered) {
      clusters_.push_back(pool.counts[pool.choice == no_choice ? 0 : selection[pool.choice]]);
    }
  }

  const Value& tree(const Value& root) {
    copy(root);
    return values_.front();
  }

 private:
  [[nodiscard]] const ChoicePoint* point_at(const Value& value, std::size_t& alternative) const {
    const auto at = points_.at.find(&value);
    if (at == points_.at.end()) return nullptr;
    const std::size_t point = at->second + (points_.points[at->second].list == apart_phase_ ? copy_ : 0);
    alternative = selection_[point];
    return &points_.points[point];
  }

  static const Value& child(const Value& list, std::size_t number) {
    const Value* at = list.first();
    for (; number > 0; --number) at = at->next();
    return *at;
  }

  std::string_view kept(std::string text) { return texts_.emplace_back(std::move(text)); }

  void add_text(const Value& like, std::string_view text) { values_.push_back({text, like.mark, 1, Value::Kind::scalar, false}); }

  void copy(const Value& value) {
    std::size_t alternative = 0;
    if (const ChoicePoint* const point = point_at(value, alternative); point != nullptr && !point->variants) {
      if (point->values.empty()) {
        copy(without_cost(child(value, alternative)));
      } else {
        add_text(value, point->values[alternative]);
      }
      return;
    }
    const auto outer = enter(value);
    const std::size_t at = values_.size();
    values_.push_back(value);
    if (value.kind == Value::Kind::mapping) {
      copy_members(value);
    } else if (value.kind == Value::Kind::sequence) {
      for (const Value* one = value.first(); one != value.next(); one = one->next()) copy_each(*one);
    }
    values_[at].extent = static_cast<std::uint32_t>(values_.size() - at);
    dag_ = outer;
  }

  /// Copies with phases of their own are DAGs of their own.
  void copy_each(const Value& one) {
    const auto apart = points_.apart.find(&one);
    if (apart == points_.apart.end()) return copy(one);
    apart_ = &one;
    apart_phase_ = member_of(one, "phase");
    for (copy_ = 0; copy_ < apart->second; ++copy_) copy(one);
    apart_ = nullptr;
    apart_phase_ = nullptr;
  }

  /// The DAG that is being copied until this returns to the one before.
  const Value* enter(const Value& value) {
    const auto is = [&](const ClusterOfDag& of) { return of.dag == &value; };
    return std::ranges::any_of(points_.dags, is) ? std::exchange(dag_, &value) : dag_;
  }

  /// Keys are words, or wrong as a whole.
  void copy_key(const Value& key) { values_.insert(values_.end(), &key, key.next()); }

  enum class Cost : std::uint8_t { none, of_variant };

  void copy_members(const Value& mapping, Cost cost = Cost::none) {
    for (const Value* key = mapping.first(); key != mapping.next(); key = key->next()->next()) {
      const Value& value = *key->next();
      std::size_t alternative = 0;
      if (cost == Cost::of_variant && key->text == "cost") continue;
      if (&mapping == apart_ && key->text == "copies") continue;
      if (&mapping == apart_ && key->text == "name") {
        copy_key(*key);
        add_text(value, kept(fmt::format("{}[{}]", value.text, copy_)));
      } else if (const ChoicePoint* const point = point_at(value, alternative); point != nullptr && point->variants) {
        copy_members(child(value, alternative), Cost::of_variant);
      } else if (const auto pool = clustered_pool(*key, value)) {
        copy_pool(*key, value, *pool);
      } else {
        copy_key(*key);
        if (key->text == "on" && dag_ != nullptr) {
          copy_on(value);
        } else {
          copy(value);
        }
      }
    }
  }

  [[nodiscard]] std::optional<std::size_t> clustered_pool(const Value& key, const Value& value) const {
    const Value* const clusters = member_of(value, "clusters");
    for (std::size_t p = 0; p < points_.clustered.size(); ++p) {
      if (clusters != nullptr && points_.clustered[p].value == clusters && points_.clustered[p].name == key.text) return p;
    }
    return std::nullopt;
  }

  void copy_pool(const Value& name, const Value& pool, std::size_t p) {
    const std::uint64_t count = clusters_[p];
    for (std::uint64_t i = 0; i < count; ++i) {
      add_text(name, count == 1 ? name.text : kept(fmt::format("{}{}", name.text, i)));
      const std::size_t at = values_.size();
      values_.push_back(pool);
      for (const Value* key = pool.first(); key != pool.next(); key = key->next()->next()) {
        if (key->text == "clusters") continue;
        copy_key(*key);
        const std::size_t copied = values_.size();
        copy(*key->next());
        if (key->text == "processors" && count > 1) divide(values_[copied], count, *points_.clustered[p].value);
      }
      values_[at].extent = static_cast<std::uint32_t>(values_.size() - at);
    }
  }

  void divide(Value& processors, std::uint64_t count, const Value& at) {
    std::uint64_t all = 0;
    const char* const end = processors.text.data() + processors.text.size();
    const auto [read, error] = std::from_chars(processors.text.data(), end, all);
    if (error != std::errc{} || read != end) return;  // what it is instead is reported when the tree is read
    if (all % count != 0) out_.error(at.mark, fmt::format("clusters: {} processors cannot be split into {} equal clusters", all, count));
    processors.text = kept(fmt::format("{}", all / count));
    processors.plain_line = false;
  }

  void copy_on(const Value& value) {
    const std::size_t at = values_.size();
    copy(value);
    for (std::size_t i = 0; i < points_.dags.size(); ++i) {
      const ClusterOfDag& of = points_.dags[i];
      if (of.dag != dag_ || values_[at].text != points_.clustered[of.pool].name || clusters_[of.pool] == 1) continue;
      const std::size_t cluster = selection_[points_.points.size() + i] % clusters_[of.pool];
      values_[at].text = kept(fmt::format("{}{}", points_.clustered[of.pool].name, cluster));
      values_[at].plain_line = false;
      return;
    }
  }

  const ChoicePoints& points_;
  const Selection& selection_;
  Diagnostics& out_;
  std::vector<std::uint64_t> clusters_;  // of each clustered pool
  const Value* dag_ = nullptr;           // within which it copies, if that has a cluster
  const Value* apart_ = nullptr;         // the DAG whose copy number `copy_` it is at
  const Value* apart_phase_ = nullptr;
  std::uint64_t copy_ = 0;
  std::vector<Value> values_;
  std::deque<std::string> texts_;
};

}  // namespace

class ChoiceFile::Content {
 public:
  Content(std::string_view content, std::string file)
      : name(std::move(file)),
        text(content),
        out(name),
        document(text, out, "a task set has `platform` and `dags` or `tasks`"),
        points(choice_points(document.root(), out)) {
    out.throw_if_failed();
    check_durations(document.root(), out);
    out.throw_if_failed();
  }

  std::string name;
  std::string text;
  Diagnostics out;
  YamlDocument document;
  ChoicePoints points;
};

ChoiceFile::ChoiceFile(std::string_view text, const std::string& name) : content_(std::make_unique<Content>(text, name)) {}

ChoiceFile::~ChoiceFile() = default;

std::span<const Choice> ChoiceFile::choices() const { return content_->points.choices; }

bool ChoiceFile::has_costs() const {
  return std::ranges::any_of(content_->points.choices, [](const Choice& choice) { return !choice.costs.empty(); });
}

std::uint64_t ChoiceFile::cost(const Selection& selection) const {
  const std::span<const Choice> all = choices();
  require(selection.size() == all.size(), "a selection has a number per choice");
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) sum += all[i].costs.empty() ? 0 : all[i].costs[selection[i]];
  return sum;
}

Selection ChoiceFile::plain(Selection selection) const {
  const ChoicePoints& points = content_->points;
  require(selection.size() == points.choices.size(), "a selection has a number per choice");
  for (std::size_t i = 0; i < points.dags.size(); ++i) {
    const ClusteredPool& pool = points.clustered[points.dags[i].pool];
    selection[points.points.size() + i] %= pool.counts[pool.choice == no_choice ? 0 : selection[pool.choice]];
  }
  return selection;
}

ReadResult ChoiceFile::task_set(const Selection& selection) const {
  require(selection.size() == content_->points.choices.size(), "a selection has a number per choice");
  Diagnostics out(content_->name);
  Chosen chosen(content_->points, selection, out);
  const Value& root = chosen.tree(content_->document.root());
  out.throw_if_failed();
  return read_task_set_tree(root, content_->name, out, BareC::block);
}

}  // namespace rta::io
