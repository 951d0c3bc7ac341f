#include <fmt/format.h>

#include <array>

#include "chain_reader.hpp"
#include "contexts.hpp"
#include "dag_reader.hpp"
#include "file.hpp"
#include "file_kind.hpp"
#include "platform_reader.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/io/task_set_file.hpp"
#include "task_set_tree.hpp"
#include "yaml_document.hpp"

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 5> task_set_keys{"platform", "dags", "tasks", "chains", "time_unit"};

struct PoolsAndDags {
  std::vector<Pool> pools;
  std::vector<Dag> dags;
};

PoolsAndDags read_dags(const Fields& top, PlatformReader& platform, const Unit* time_unit, KernelTimes& kernels, Diagnostics& out) {
  Contexts contexts(platform, out);
  DagReader dags(platform, time_unit, kernels, contexts, out);
  bool any = false;
  for (const auto& [key, value] : top.all()) {
    if (key->text == "dags" || key->text == "tasks") {
      any = any || value->kind != Value::Kind::sequence || value->first() != value->next();
      dags.read(*value, key->text == "dags" ? NodeForm::node : NodeForm::task);
    }
  }
  if (!any) top.error(top.mapping(), "the task set is empty: it has neither `dags` nor `tasks`");
  dags.check_priorities();
  contexts.check();
  out.throw_if_failed();
  PoolsAndDags result;
  result.pools = contexts.split(platform.take());
  result.dags = dags.take();
  return result;
}

}  // namespace

ReadResult parse_task_set(std::string_view text, const std::string& name, BareC bare_C) {
  Diagnostics out(name);
  if (const auto foreign = foreign_format(text)) out.error({1, 1}, *foreign);
  out.throw_if_failed();
  const YamlDocument document(text, out, "a task set has `platform` and `dags` or `tasks`");
  if (const auto other = other_kind(document.root())) out.error({1, 1}, *other);
  out.throw_if_failed();

  return read_task_set_tree(document.root(), name, out, bare_C);
}

ReadResult read_task_set_tree(const Value& root, const std::string& name, Diagnostics& out, BareC bare_C) {
  const Fields top(root, {}, out);
  top.allow_only(task_set_keys);
  const Unit* const time_unit = read_time_unit(top);
  PlatformReader platform(out);
  if (const Value* const value = top.require("platform", "the pools that the nodes run on")) platform.read(*value, time_unit);
  if (!top.usable()) out.throw_if_failed();
  KernelTimes kernels{bare_C};
  auto [pools, dags] = read_dags(top, platform, time_unit, kernels, out);
  std::vector<Chain> chains;
  if (const Value* const value = top.find("chains")) chains = read_chains(*value, dags, time_unit, out);
  out.throw_if_failed();
  return {TaskSet(std::filesystem::path(name).filename().string(), std::move(pools), std::move(dags), std::move(chains)),
          out.take_warnings(), kernels.any_bare};
}

namespace {
std::string name_of(const std::filesystem::path& path) { return path == "-" ? "<stdin>" : path.string(); }
}  // namespace

std::string read_task_set_text(const std::filesystem::path& path) { return read_file(path, name_of(path)); }

ReadResult read_task_set(const std::filesystem::path& path) { return parse_task_set(read_task_set_text(path), name_of(path)); }

}  // namespace rta::io
