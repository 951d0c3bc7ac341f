#include "choice_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "fields.hpp"
#include "yaml_text.hpp"

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 7> keys_of_choices{"T", "T_max", "jitter", "phase", "D", "priority", "copies"};
constexpr std::array<std::string_view, 3> keys_of_lists{"requirement", "after", "kernels"};  // hold as a whole
constexpr std::uint64_t most_clusters = 64;
constexpr std::uint64_t most_in_range = 1024;
constexpr std::uint64_t parts_of_period = 24;  // phases that `any` stands for
constexpr std::uint64_t most_apart = 64;
constexpr std::uint64_t most_cost = 1'000'000'000;

/// As a file says it, in one line, without the key `left_out`.
std::string text_of(const Value& value, std::string_view left_out = {}) {
  if (value.kind == Value::Kind::scalar) return std::string(value.text);
  if (value.kind == Value::Kind::null) return "~";
  const bool mapping = value.kind == Value::Kind::mapping;
  std::string text;
  for (const Value* child = value.first(); child != value.next(); child = child->next()) {
    if (mapping && !left_out.empty() && child->text == left_out) {
      child = child->next();
      continue;
    }
    text += (text.empty() ? "" : ", ") + text_of(*child);
    if (mapping) text += ": " + text_of(*(child = child->next()));
  }
  return (mapping ? "{" : "[") + text + (mapping ? "}" : "]");
}

std::optional<std::uint64_t> number_of(const Value& value, std::uint64_t most) {
  std::uint64_t count = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto [at, error] = std::from_chars(value.text.data(), end, count);
  if (value.kind != Value::Kind::scalar || error != std::errc{} || at != end || count == 0 || count > most) return std::nullopt;
  return count;
}

class Finder {
 public:
  explicit Finder(Diagnostics& out) : out_(out) {}

  ChoicePoints find(const Value& root) {
    if (const Value* const unit = member_of(root, "time_unit")) {
      const auto* const named = std::ranges::find(time_units, unit->text, &Unit::name);
      if (named != time_units.end()) time_unit_ = named;
    }
    if (const Value* const platform = member_of(root, "platform")) add_pools(*platform);
    for (const std::string_view list : {"dags", "tasks"}) {
      const Value* const entries = member_of(root, list);
      if (entries == nullptr || entries->kind != Value::Kind::sequence) continue;
      for (const Value* entry = entries->first(); entry != entries->next(); entry = entry->next()) add_dag(*entry, list == "tasks");
    }
    for (Choice& choice : of_clusters_) found_.choices.push_back(std::move(choice));
    return std::move(found_);
  }

 private:
  template <class Use>
  static void for_members(const Value& mapping, const Use& use) {
    if (mapping.kind != Value::Kind::mapping) return;
    for (const Value* key = mapping.first(); key != mapping.next(); key = key->next()->next()) use(*key, *key->next());
  }

  void add(const std::string& subject, const Value& key, const Value& value) {
    const bool variants = key.text == "variants";
    if (std::ranges::find(keys_of_lists, key.text) != keys_of_lists.end()) return;
    if (value.kind != Value::Kind::sequence) {
      if (variants) out_.error(value.mark, "variants: a list of mappings is expected");
      return;
    }
    Choice choice{fmt::format("{}: {}", subject, key.text), {}};
    std::vector<std::uint64_t> costs;
    bool any_cost = false;
    for (const Value* at = value.first(); at != value.next(); at = at->next()) {
      if (!variants) check_priced(*at);
      const Value* const one = variants ? at : &without_cost(*at);
      const Value* const cost = variants || one != at ? member_of(*at, "cost") : nullptr;
      any_cost = any_cost || cost != nullptr;
      costs.push_back(cost != nullptr ? cost_of(*cost) : 0);
      if (one->kind == Value::Kind::sequence) out_.error(one->mark, fmt::format("{}: choices do not nest", key.text));
      if (variants && one->kind != Value::Kind::mapping) out_.error(one->mark, "variants: each is a mapping, e.g. {B: 8, H: 256, L: 1 ms}");
      if (variants) {
        for_members(*one, [&](const Value& inner, const Value& of) {
          if (of.kind == Value::Kind::sequence && inner.text != "edges" &&
              std::ranges::find(keys_of_lists, inner.text) == keys_of_lists.end())
            out_.error(of.mark, fmt::format("{}: choices do not nest", inner.text));
        });
      }
      choice.alternatives.push_back(text_of(*one, variants ? "cost" : ""));
    }
    if (any_cost) choice.costs = std::move(costs);
    if (choice.alternatives.empty()) out_.error(value.mark, fmt::format("{}: a choice has at least one alternative", key.text));
    found_.choices.push_back(std::move(choice));
    found_.at.emplace(&value, found_.points.size());
    found_.points.push_back({&value, variants, {}});
  }

  /// {value: gpu1, cost: 300}
  void check_priced(const Value& alternative) {
    const Value* const value = member_of(alternative, "value");
    const Value* const cost = member_of(alternative, "cost");
    if (value == nullptr && cost == nullptr) return;
    if (value == nullptr || cost == nullptr)
      out_.error(alternative.mark, "an alternative with a cost has both keys, e.g. {value: gpu1, cost: 300}");
    for_members(alternative, [&](const Value& key, const Value& of) {
      if (&of != value && &of != cost)
        out_.error(key.mark,
                   fmt::format("{} is not known, or given twice, in an alternative with a cost (allowed: value, cost)", quote(key.text)));
    });
  }

  std::uint64_t cost_of(const Value& value) {
    const bool zero = value.kind == Value::Kind::scalar && value.text == "0";
    const auto number = zero ? std::optional(std::uint64_t{0}) : number_of(value, most_cost);
    if (!number)
      out_.error(value.mark, fmt::format("cost: a whole number is expected, in a unit of your own (allowed: 0 to {})", most_cost));
    return number.value_or(0);
  }

  /// `sms: {from: 4, to: 12, step: 2}`: each number of a range.
  void add_range(const std::string& subject, const Value& key, const Value& value) {
    const auto number = [&](std::string_view name) {
      const Value* const at = member_of(value, name);
      const auto count = at != nullptr ? number_of(*at, most_in_range) : std::nullopt;
      if (!count)
        out_.error(at != nullptr ? at->mark : value.mark,
                   fmt::format("{}: a range has from, to and step, whole numbers (allowed: 1 to {})", key.text, most_in_range));
      return count.value_or(1);
    };
    for_members(value, [&](const Value& name, const Value& of) {
      if (member_of(value, name.text) != &of) out_.error(name.mark, fmt::format("{}: {} is given twice", key.text, quote(name.text)));
      if (name.text != "from" && name.text != "to" && name.text != "step" && name.text != "cost")
        out_.error(name.mark, fmt::format("{}: {} is not known in a range (allowed: from, to, step, cost)", key.text, quote(name.text)));
    });
    const std::uint64_t from = number("from"), to = number("to"), step = number("step");
    if (from > to) out_.error(value.mark, fmt::format("{}: a range from {} to {} has no number", key.text, from, to));
    Choice choice{fmt::format("{}: {}", subject, key.text), {}};
    const Value* const cost = member_of(value, "cost");
    const std::uint64_t each = cost != nullptr ? cost_of(*cost) : 0;
    for (std::uint64_t n = from; n <= to; n += step) {
      choice.alternatives.push_back(fmt::format("{}", n));
      if (cost != nullptr) choice.costs.push_back(n * each);
    }
    found_.at.emplace(&value, found_.points.size());
    found_.points.push_back({&value, false, choice.alternatives});
    found_.choices.push_back(std::move(choice));
  }

  /// `phase: any`: multiples of a part of T, for each copy.
  void add_phases(const Value& dag, const std::string& kind, const std::string& name, const Value& phase) {
    const auto one = [&](std::string_view key) {
      const Value* const value = member_of(dag, key);
      const Value* const variants = member_of(dag, "variants");
      const bool varies = variants != nullptr && variants->kind == Value::Kind::sequence && any_has(*variants, key);
      if (varies || (value != nullptr && value->kind == Value::Kind::sequence)) {
        out_.error(phase.mark,
                   fmt::format("phase: `any` goes with one value of {}, and here that is a choice; list phases in its place", key));
      }
      return value;
    };
    Diagnostics told_later = out_.fresh();  // by the reader
    const bool has_T = one("T") != nullptr;
    const auto T = has_T ? Fields(dag, {kind, name}, told_later).period("T", time_unit_) : std::nullopt;
    const Value* const number = one("copies");
    const auto copies =
        number != nullptr && number->kind == Value::Kind::scalar ? number_of(*number, most_apart) : std::optional(std::uint64_t{1});
    if (!copies)
      out_.error(number->mark, fmt::format("copies: with `phase: any` each has a phase of its own (allowed: 1 to {})", most_apart));
    for_members(dag, [&](const Value& key, const Value& of) {
      if ((key.text == "copies" || key.text == "phase") && member_of(dag, key.text) != &of)
        out_.error(key.mark, fmt::format("{} is given twice", quote(key.text)));
    });
    std::vector<std::string> phases{"0 ns"};
    for (std::uint64_t k = 1; T && k < parts_of_period; ++k) {
      std::string text = time_text(to_time(*T * k / parts_of_period));
      if (text != phases.back()) phases.push_back(std::move(text));
    }
    if (copies.value_or(1) > 1) found_.apart.emplace(&dag, *copies);
    found_.at.emplace(&phase, found_.points.size());
    for (std::uint64_t i = 0; i < copies.value_or(1); ++i) {
      const std::string copy = copies.value_or(1) > 1 ? fmt::format("{}[{}]", name, i) : name;
      found_.points.push_back({&phase, false, phases});
      found_.choices.push_back({fmt::format("{} '{}': phase", kind, copy), phases});
    }
  }

  static bool any_has(const Value& variants, std::string_view key) {
    for (const Value* one = variants.first(); one != variants.next(); one = one->next()) {
      if (member_of(*one, key) != nullptr) return true;
    }
    return false;
  }

  void add_partitions(const Value& pool, const Value& partitions) {
    for_members(partitions, [&](const Value& name, const Value& fields) {
      for_members(fields, [&](const Value& key, const Value& value) {
        const std::string subject = fmt::format("pool '{}/{}'", pool.text, name.text);
        if (key.text == "sms" && value.kind == Value::Kind::mapping) {
          add_range(subject, key, value);
        } else if (key.text != "variants") {
          add(subject, key, value);
        }
      });
    });
  }

  void add_pools(const Value& platform) {
    for_members(platform, [&](const Value& name, const Value& pool) {
      for_members(pool, [&](const Value& key, const Value& value) {
        if (key.text == "clusters") {
          add_clusters(name, value);
        } else if (key.text == "partitions" && value.kind == Value::Kind::mapping) {
          add_partitions(name, value);
        } else if (key.text != "variants") {
          add(fmt::format("pool '{}'", name.text), key, value);
        }
      });
    });
  }

  void add_clusters(const Value& name, const Value& value) {
    ClusteredPool pool{name.text, &value, no_choice, {}};
    const auto add_count = [&](const Value& of) {
      const auto count = number_of(of, most_clusters);
      if (!count)
        out_.error(of.mark, fmt::format("clusters: a whole number is expected (allowed: 1 to {}), or a list of them", most_clusters));
      pool.counts.push_back(count.value_or(1));
    };
    if (value.kind == Value::Kind::sequence) {
      pool.choice = found_.choices.size();
      add(fmt::format("pool '{}'", name.text), Value{"clusters", value.mark, 1, Value::Kind::scalar, false}, value);
      for (const Value* one = value.first(); one != value.next(); one = one->next()) add_count(without_cost(*one));
    } else {
      add_count(value);
    }
    if (pool.counts.empty()) pool.counts.push_back(1);  // reported already
    if (std::ranges::find(found_.clustered, pool.name, &ClusteredPool::name) != found_.clustered.end())
      out_.error(value.mark, "clusters: given twice for pools of this name");
    found_.clustered.push_back(std::move(pool));
  }

  void add_dag(const Value& dag, bool task) {
    const Value* const named = member_of(dag, "name");
    const std::string name = named != nullptr ? std::string(named->text) : "?";
    const std::string kind = task ? "task" : "DAG";
    for_members(dag, [&](const Value& key, const Value& value) {
      if (key.text == "phase" && value.kind == Value::Kind::scalar && value.text == "any") return add_phases(dag, kind, name, value);
      const bool open = task || key.text == "variants" || std::ranges::find(keys_of_choices, key.text) != keys_of_choices.end();
      if (open) add(fmt::format("{} '{}'", kind, name), key, value);
    });
    if (const Value* const nodes = task ? nullptr : member_of(dag, "nodes")) {
      for_members(*nodes, [&](const Value& node, const Value& fields) {
        for_members(fields, [&](const Value& key, const Value& value) { add(fmt::format("node '{}/{}'", name, node.text), key, value); });
      });
    }
    std::vector<bool> uses(found_.clustered.size(), false);
    note_uses(dag, uses);
    for (std::size_t p = 0; p < uses.size(); ++p) {
      if (uses[p]) add_cluster_of(dag, name, task, p);
    }
  }

  /// On which clustered pools anything within the value may run.
  void note_uses(const Value& value, std::vector<bool>& uses) const {
    for_members(value, [&](const Value& key, const Value& of) {
      if (key.text != "on") return note_uses(of, uses);
      const Value* const end = of.next();
      for (const Value* one = of.kind == Value::Kind::sequence ? of.first() : &of; one != end; one = one->next()) {
        const std::string_view pool = without_cost(*one).text;
        for (std::size_t p = 0; p < uses.size(); ++p) uses[p] = uses[p] || pool == found_.clustered[p].name;
      }
    });
    if (value.kind != Value::Kind::sequence) return;
    for (const Value* one = value.first(); one != value.next(); one = one->next()) note_uses(*one, uses);
  }

  void add_cluster_of(const Value& dag, const std::string& name, bool task, std::size_t pool) {
    const ClusteredPool& clustered = found_.clustered[pool];
    Choice choice{fmt::format("{} '{}': cluster of '{}'", task ? "task" : "DAG", name, clustered.name), {}};
    const std::uint64_t most = *std::ranges::max_element(clustered.counts);
    for (std::uint64_t i = 0; i < most; ++i) choice.alternatives.push_back(fmt::format("{}", i));
    of_clusters_.push_back(std::move(choice));
    found_.dags.push_back({&dag, pool});
  }

  Diagnostics& out_;
  const Unit* time_unit_ = nullptr;
  ChoicePoints found_;
  std::vector<Choice> of_clusters_;
};

}  // namespace

const Value* member_of(const Value& mapping, std::string_view key) {
  if (mapping.kind != Value::Kind::mapping) return nullptr;
  for (const Value* at = mapping.first(); at != mapping.next(); at = at->next()->next()) {
    if (at->text == key) return at->next();
  }
  return nullptr;
}

const Value& without_cost(const Value& alternative) {
  const Value* const value = member_of(alternative, "value");
  return value != nullptr ? *value : alternative;
}

ChoicePoints choice_points(const Value& root, Diagnostics& out) { return Finder(out).find(root); }

}  // namespace rta::io
