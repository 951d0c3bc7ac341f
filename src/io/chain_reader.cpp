#include "chain_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <unordered_map>

#include "requirement_reader.hpp"
#include "stage_index.hpp"

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 6> chain_keys{"name", "stages", "communication", "reaction", "age", "requirement"};
constexpr std::array<std::string_view, 2> communications{"register", "LET"};

// Bounds the time that a file with many stages in large DAGs can ask for.
constexpr std::size_t most_stages = 10'000;

class ChainReader {
 public:
  ChainReader(std::span<const Dag> dags, const Unit* time_unit, Diagnostics& out)
      : dags_(dags), stages_(dags), time_unit_(time_unit), out_(out) {
    for (const Dag& dag : dags) lines_.emplace(dag.name(), 0);
  }

  [[nodiscard]] Chain read(const Value& value, ChainId id, std::vector<Requirement>& requirements) {
    const Fields fields(value, {}, out_);
    if (!fields.usable()) return {};
    Chain chain;
    static_cast<void>(fields.require("name", "every chain has one"));
    if (const auto name = fields.name("name")) {
      chain.name = *name;
      check_name(fields, chain.name);
    }
    Fields named = fields;
    named.rename({"chain", chain.name});
    named.allow_only(chain_keys);
    for (const std::string_view name : read_requirements(named)) requirements.push_back({std::string(name), id});
    chain.communication = static_cast<Communication>(named.choice("communication", communications).value_or(0));
    if (const auto limit = named.time("reaction", time_unit_, 1)) chain.reaction = to_time(*limit);
    if (const auto limit = named.time("age", time_unit_, 1)) chain.age = to_time(*limit);
    if (const Value* const list = named.require("stages", "DAGs and nodes (DAG/NODE) in the order of the data")) {
      read_stages(named, *list, chain);
    }
    return chain;
  }

 private:
  // Chains are explained by name, as DAGs are.
  void check_name(const Fields& fields, const std::string& name) {
    const Mark at = fields.find("name")->mark;
    const auto [earlier, fresh] = lines_.emplace(name, at.line);
    if (fresh) return;
    fields.error(at, earlier->second == 0 ? fmt::format("the name {} is that of a DAG", quote(name))
                                          : fmt::format("the name {} is given twice (first at line {})", quote(name), earlier->second));
  }

  void read_stages(const Fields& fields, const Value& list, Chain& chain) {
    if (list.kind != Value::Kind::sequence) {
      if (list.kind != Value::Kind::rejected) {
        fields.error(list, fmt::format("stages: a list of DAGs and nodes is expected, not {}", kind_text(list)));
      }
      return;
    }
    std::vector<Mark> marks;
    bool known = true;
    for (const Value* value = list.first(); value != list.next(); value = value->next()) {
      if (++count_ > most_stages) {
        if (count_ == most_stages + 1) fields.error(*value, fmt::format("stages: the chains have more than {} stages", most_stages));
        return;
      }
      const auto stage = read_stage(fields, *value);
      known = known && stage;
      if (stage) chain.stages.push_back(*stage);
      marks.push_back(value->mark);
    }
    if (!known) return;
    if (const auto fault = chain_fault(chain, dags_)) {
      fields.error(marks.empty() ? list.mark : marks[fault->stage], fmt::format("stages: {}", fault->what));
    }
  }

  std::optional<ChainStage> read_stage(const Fields& fields, const Value& value) {
    if (value.kind != Value::Kind::scalar) {
      if (value.kind != Value::Kind::rejected) {
        fields.error(value, fmt::format("stages: a DAG or DAG/NODE is expected, not {}", kind_text(value)));
      }
      return std::nullopt;
    }
    auto stage = stages_.find(value.text);
    if (!stage) {
      fields.error(value,
                   fmt::format("stages: {} is neither a DAG nor a node as DAG/NODE{}", quote(value.text), stages_.close_to(value.text)));
    }
    return stage;
  }

  std::span<const Dag> dags_;
  StageIndex stages_;
  const Unit* time_unit_;
  Diagnostics& out_;
  std::unordered_map<std::string, std::uint32_t> lines_;  // of each chain's name; 0: a DAG's
  std::size_t count_ = 0;                                 // stages
};

}  // namespace

std::vector<Chain> read_chains(const Value& list, std::span<const Dag> dags, const Unit* time_unit, std::vector<Requirement>& requirements,
                               Diagnostics& out) {
  std::vector<Chain> chains;
  if (list.kind != Value::Kind::sequence) {
    if (list.kind != Value::Kind::rejected) {
      out.error(list.mark, fmt::format("chains: a list ('- name: …') is expected, not {}", kind_text(list)));
    }
    return chains;
  }
  ChainReader reader(dags, time_unit, out);
  for (const Value* entry = list.first(); entry != list.next(); entry = entry->next())
    chains.push_back(reader.read(*entry, chains.size(), requirements));
  return chains;
}

}  // namespace rta::io
