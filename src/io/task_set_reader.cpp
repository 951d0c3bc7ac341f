#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "chain_reader.hpp"
#include "changed_tree.hpp"
#include "common_clock.hpp"
#include "contexts.hpp"
#include "dag_reader.hpp"
#include "file.hpp"
#include "file_kind.hpp"
#include "measured_durations.hpp"
#include "parted_yaml.hpp"
#include "platform_reader.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/io/task_set_file.hpp"
#include "task_set_tree.hpp"
#include "yaml_document.hpp"
#include "yaml_text.hpp"

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 6> task_set_keys{"platform", "executors", "dags", "tasks", "chains", "time_unit"};

struct Read {
  std::vector<Pool> pools;
  std::vector<Dag> dags;
  std::vector<Requirement> requirements;
};

constexpr std::string_view no_common_clock =
    "rates of periodic DAGs whose periods are no whole numbers of ns: they are rounded down, so that these DAGs drift against the others, "
    "and their hyperperiod may be too long for what counts on it. ";

// Where releases are periodic, 30 Hz and 10 Hz have to stay 3 : 1.
void keep_rates(const Fields& top, std::span<const ExactTime> periods, Read& read) {
  if (auto by_clock = on_common_clock(read.pools, read.dags, periods)) {
    read.pools = std::move(by_clock->pools);
    read.dags = std::move(by_clock->dags);
    const auto rate = std::ranges::find_if(periods, [](const ExactTime& T) { return !T.is_whole(); });
    const Dag& dag = read.dags[static_cast<std::size_t>(rate - periods.begin())];
    top.warn(top.mapping(),
             fmt::format("rates of periodic DAGs whose periods are no whole numbers of ns: so that they stay in proportion, all "
                         "times of the set are by a clock that runs a little fast. By it T of {} is {}, and no C, L or time is "
                         "shorter than it was; bounds hold by any clock",
                         quote(dag.name()), time_text(dag.nominal_period())));
    return;
  }
  const bool other = has_other_clock(read.pools);
  top.warn(top.mapping(),
           std::string(no_common_clock) + (other ? "Reservations and time slices have a clock of their own"
                                                 : "All periods, deadlines and phases of the set together have no common part "
                                                   "that is long enough (100 us will do): round those that need not be as "
                                                   "they are"));
}

// Nothing: a part of `parted` cannot be read alone.
std::optional<Read> read_dags(const Fields& top, PlatformReader& platform, const Unit* time_unit, KernelTimes& kernels,
                              const PartedYaml* parted, Diagnostics& out) {
  Contexts contexts(platform, out);
  DagReader dags(platform, time_unit, kernels, contexts, out);
  bool any = false, whole = parted == nullptr;
  for (const auto& [key, value] : top.all()) {
    if (key->text == "dags" || key->text == "tasks") {
      any = any || value->kind != Value::Kind::sequence || value->first() != value->next();
      const NodeForm form = key->text == "dags" ? NodeForm::node : NodeForm::task;
      dags.read(*value, form);
      if (parted != nullptr && value == &parted->list()) whole = dags.read_parts(*parted, form);
    }
  }
  if (!whole) return std::nullopt;
  if (!any) top.error(top.mapping(), "the task set is empty: it has neither `dags` nor `tasks`");
  dags.check_priorities();
  contexts.check();
  out.throw_if_failed();
  Read result;
  const std::vector<ExactTime> periods = dags.has_periodic_rates() ? dags.periods() : std::vector<ExactTime>();
  result.pools = contexts.split(platform.take());
  result.requirements = dags.requirements();
  result.dags = with_launch_costs(dags.take(), result.pools, platform.launch_costs(), out);
  if (!periods.empty() && !out.failed()) keep_rates(top, periods, result);
  return std::optional(std::move(result));
}

// Nothing: a part of `parted` cannot be read alone.
std::optional<ReadResult> read_tree(const Value& root, const PartedYaml* parted, const std::string& name, Diagnostics& out, BareC bare_C) {
  const Fields top(root, {}, out);
  top.allow_only(task_set_keys);
  const Unit* const time_unit = read_time_unit(top);
  PlatformReader platform(out);
  if (const Value* const value = top.require("platform", "the pools that the nodes run on")) platform.read(*value, time_unit);
  if (const Value* const value = top.find("executors")) platform.read_executors(*value, time_unit);
  if (!top.usable()) out.throw_if_failed();
  KernelTimes kernels{bare_C};
  auto read = read_dags(top, platform, time_unit, kernels, parted, out);
  if (!read) return std::nullopt;
  out.throw_if_failed();
  auto& [pools, dags, requirements] = *read;
  std::vector<Chain> chains;
  if (const Value* const value = top.find("chains")) chains = read_chains(*value, dags, time_unit, requirements, out);
  out.throw_if_failed();
  return ReadResult{TaskSet(std::filesystem::path(name).filename().string(), std::move(pools), std::move(dags), std::move(chains),
                            std::move(requirements)),
                    out.take_warnings(), kernels.any_bare};
}

}  // namespace

ReadResult parse_task_set(std::string_view text, const std::string& name, BareC bare_C) {
  return parse_task_set(text, name, bare_C, large_text, usual_part);
}

ReadResult parse_task_set(std::string_view text, const std::string& name, BareC bare_C, std::size_t least, std::size_t part) {
  Diagnostics out(name);
  if (const auto foreign = foreign_format(text)) out.error({1, 1}, *foreign);
  out.throw_if_failed();
  if (text.size() >= least && text.size() <= largest_file()) {
    Diagnostics in_parts(name);
    const auto parted = PartedYaml::read(without_byte_order_mark(text), part);
    if (parted) {
      if (auto result = read_tree(parted->root(), &*parted, name, in_parts, bare_C)) return std::move(*result);
    }
  }
  const YamlDocument document(text, out, "a task set has `platform` and `dags` or `tasks`");
  if (const auto other = other_kind(document.root())) out.error({1, 1}, *other);
  out.throw_if_failed();

  return read_task_set_tree(document.root(), name, out, bare_C);
}

namespace {

/// The file as it is; where it is none by itself, with the settings that leave the SMs of kernels alone. Nothing where no kernel has a
/// duration, or that is no task set either.
std::optional<TaskSet> before_moves(std::string_view text, const std::string& name, BareC bare_C, std::span<const Setting> settings) {
  if (text.find("time") == std::string_view::npos) return std::nullopt;
  try {
    return parse_task_set(text, name, bare_C).task_set;
  } catch (const UserError&) {
  }
  try {
    Diagnostics out(name);
    YamlDocument document(text, out, "a task set has `platform` and `dags` or `tasks`");
    for (const Setting& one : settings) {
      const std::string_view key = std::string_view(one.place).substr(one.place.rfind('.') + 1);
      if (key != "sms" && key != "on" && key != "device") change(document.tree(), one);
    }
    return read_task_set_tree(document.root(), name, out, bare_C).task_set;
  } catch (const UserError&) {
    return std::nullopt;
  }
}

}  // namespace

ReadResult parse_task_set(std::string_view text, const std::string& name, BareC bare_C, std::span<const Setting> settings) {
  if (settings.empty()) return parse_task_set(text, name, bare_C);
  Diagnostics out(name);
  if (const auto foreign = foreign_format(text)) out.error({1, 1}, *foreign);
  out.throw_if_failed();
  YamlDocument document(text, out, "a task set has `platform` and `dags` or `tasks`");
  if (const auto other = other_kind(document.root())) out.error({1, 1}, *other);
  out.throw_if_failed();
  for (const Setting& one : settings) change(document.tree(), one);
  ReadResult result = read_task_set_tree(document.root(), name, out, bare_C);
  if (const auto file = before_moves(text, name, bare_C, settings)) check_durations(*file, result.task_set, settings);
  return result;
}

ReadResult read_task_set_tree(const Value& root, const std::string& name, Diagnostics& out, BareC bare_C) {
  return *read_tree(root, nullptr, name, out, bare_C);
}

namespace {
std::string name_of(const std::filesystem::path& path) { return path == "-" ? "<stdin>" : path.string(); }
}  // namespace

std::string read_task_set_text(const std::filesystem::path& path) { return read_file(path, name_of(path)); }

std::shared_ptr<const std::string> read_shared_task_set_text(const std::filesystem::path& path) {
  return read_shared_file(path, name_of(path));
}

ReadResult read_task_set(const std::filesystem::path& path) { return parse_task_set(read_task_set_text(path), name_of(path)); }

}  // namespace rta::io
