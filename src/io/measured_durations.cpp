#include "measured_durations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "choice_points.hpp"
#include "rta/model/device.hpp"
#include "rta/model/error.hpp"

namespace rta::io {
namespace {

using ListOfValues = std::vector<const Value*>;

/// The value alone, or what its list has.
ListOfValues alternatives(const Value& value) {
  if (value.kind != Value::Kind::sequence) return {&value};
  ListOfValues all;
  for (const Value* one = value.first(); one != value.next(); one = one->next()) all.push_back(&without_cost(*one));
  return all;
}

bool is_open(const Value* value) { return value != nullptr && value->kind != Value::Kind::scalar; }

std::string text_of(const Value* value) { return value == nullptr ? std::string() : std::string(value->text); }

class DurationsOfChoices {
 public:
  DurationsOfChoices(const Value& root, Diagnostics& out) : platform_(member_of(root, "platform")), out_(out) {}

  void visit(const Value& value) {
    if (value.kind == Value::Kind::sequence) {
      for (const Value* one = value.first(); one != value.next(); one = one->next()) visit(*one);
    } else if (value.kind == Value::Kind::mapping) {
      check(value);
      for (const Value* key = value.first(); key != value.next(); key = key->next()->next()) {
        if (key->text == "variants" && key->next()->kind == Value::Kind::sequence) {
          visit_members(*key->next());
        } else {
          visit(*key->next());
        }
      }
    }
  }

 private:
  /// A variant is judged with what it is a variant of.
  void visit_members(const Value& variants) {
    for (const Value* one : alternatives(variants)) {
      if (one->kind != Value::Kind::mapping) continue;
      for (const Value* key = one->first(); key != one->next(); key = key->next()->next()) visit(*key->next());
    }
  }

  void check(const Value& node) {
    const Value* const time = member_of(node, "time");
    const Value* const on = member_of(node, "on");
    const Value* const list = member_of(node, "variants");
    const ListOfValues variants = list != nullptr && list->kind == Value::Kind::sequence ? alternatives(*list) : ListOfValues{};
    ListOfValues pools = on != nullptr ? alternatives(*on) : ListOfValues{};
    const ListOfValues of_node = pools;
    for (const Value* variant : variants) {
      const Value* const its = member_of(*variant, "on");
      if (its != nullptr) pools.push_back(its);
      if (const Value* const of_variant = member_of(*variant, "time"); of_variant != nullptr && time == nullptr)
        judge(*of_variant, its != nullptr ? ListOfValues{its} : of_node);
    }
    if (time != nullptr) judge(*time, pools);
  }

  void judge(const Value& time, const ListOfValues& pools) {
    constexpr std::string_view holds = "time: a duration holds for the SMs that it was measured on, but";
    std::optional<std::pair<std::string, std::string>> first;
    for (const Value* pool : pools) {
      const auto its = hardware(pool->text);
      if (!its) continue;
      if (its->empty()) {
        out_.error(time.mark, fmt::format("{} those of pool {} are a choice; give B, H and L without time", holds, quote(pool->text)));
        return;
      }
      if (!first) first.emplace(pool->text, *its);
      if (first->second == *its) continue;
      out_.error(time.mark, fmt::format("{} pools {} and {} have others; give variants, each with its on and time, or B, H and L "
                                        "without time",
                                        holds, quote(first->first), quote(pool->text)));
      return;
    }
  }

  /// The device and the number of SMs; empty where a choice decides; nothing where it is no pool of a GPU.
  [[nodiscard]] std::optional<std::string> hardware(std::string_view pool) const {
    if (platform_ == nullptr) return std::nullopt;
    if (const Value* const gpu = member_of(*platform_, pool)) return of_whole(*gpu);
    const std::size_t slash = pool.rfind('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const Value* const gpu = member_of(*platform_, pool.substr(0, slash));
    return gpu == nullptr ? std::nullopt : of_partition(*gpu, pool.substr(slash + 1));
  }

  static std::optional<std::string> of_whole(const Value& gpu) {
    const Value* const device = member_of(gpu, "device");
    const Value* const sms = member_of(gpu, "sms");
    if (device == nullptr && sms == nullptr) return std::nullopt;
    if (is_open(device) || is_open(sms)) return std::string();
    const Device* const known = find_device(text_of(device));
    return described(device, sms == nullptr && known != nullptr ? fmt::format("{}", known->gpu.sms) : text_of(sms));
  }

  static std::optional<std::string> of_partition(const Value& gpu, std::string_view name) {
    const Value* const partitions = member_of(gpu, "partitions");
    const Value* const device = member_of(gpu, "device");
    if (partitions == nullptr) return std::nullopt;
    if (const Value* const part = member_of(*partitions, name)) {
      const Value* const sms = member_of(*part, "sms");
      return is_open(device) || is_open(sms) ? std::string() : described(device, text_of(sms));
    }
    const Value* const rest = member_of(gpu, "rest");
    if (rest == nullptr || rest->text != name) return std::nullopt;
    if (is_open(device) || is_open(member_of(gpu, "sms")) || partitions->kind != Value::Kind::mapping) return std::string();
    for (const Value* key = partitions->first(); key != partitions->next(); key = key->next()->next()) {
      if (is_open(member_of(*key->next(), "sms"))) return std::string();
    }
    return described(device, fmt::format("what is left of {}", quote(text_of(member_of(gpu, "sms")))));
  }

  static std::string described(const Value* device, const std::string& sms) { return fmt::format("{} {}", text_of(device), sms); }

  const Value* platform_;
  Diagnostics& out_;
};

/// Without the number of a copy.
std::string original(const std::string& name) { return name.substr(0, name.find('[')); }

bool gives_time(std::span<const Setting> settings, const Dag& dag, const Node& node) {
  const std::string name = original(dag.name());
  for (const std::string& ending : {fmt::format("{}.time", name), fmt::format("{}.nodes.{}.time", name, node.name)}) {
    if (std::ranges::any_of(settings, [&](const Setting& one) { return one.place == ending || one.place.ends_with("." + ending); }))
      return true;
  }
  return false;
}

struct Measured {
  Time time;
  const Pool* pool = nullptr;
};

}  // namespace

void check_durations(const Value& root, Diagnostics& out) {
  DurationsOfChoices durations(root, out);
  for (const std::string_view list : {"dags", "tasks"}) {
    if (const Value* const entries = member_of(root, list)) durations.visit(*entries);
  }
}

void check_durations(const TaskSet& file, const TaskSet& changed, std::span<const Setting> settings) {
  std::map<std::pair<std::string, std::string>, Measured> measured;
  for (const Dag& dag : file.dags()) {
    for (const Node& node : dag.nodes()) {
      const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
      if (kernel == nullptr || !kernel->time) continue;
      measured.try_emplace({original(dag.name()), node.name}, Measured{*kernel->time, &file.pools()[node.pool]});
    }
  }
  for (const Dag& dag : changed.dags()) {
    for (const Node& node : dag.nodes()) {
      const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
      const auto at = measured.find({original(dag.name()), node.name});
      if (kernel == nullptr || at == measured.end() || kernel->time != at->second.time || gives_time(settings, dag, node)) continue;
      const Pool& pool = changed.pools()[node.pool];
      const auto& before = std::get<GpuPool>(at->second.pool->resource);
      const auto& after = std::get<GpuPool>(pool.resource);
      if (before.sms == after.sms && before.device == after.device) continue;
      throw UserError(fmt::format(
          "{}={}: node '{}' of '{}' has a time that was measured on the {} SMs of pool '{}' in the file, and would "
          "run on {} SMs of pool '{}'; set its time, too, or give B, H and L without time",
          settings.front().place, settings.front().value, node.name, dag.name(), before.sms, at->second.pool->name, after.sms, pool.name));
    }
  }
}

}  // namespace rta::io
