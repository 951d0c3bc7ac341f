#include "contexts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rta/model/partitions.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::io {
namespace {

bool is_shared(const Pool& pool) {
  const auto* gpu = std::get_if<GpuPool>(&pool.resource);
  return gpu != nullptr && gpu->sharing;
}

bool of_one_process(PartitionKind kind) { return kind == PartitionKind::green || kind == PartitionKind::tpc; }

std::string in_words(std::string_view process) { return process.empty() ? "the process without a name" : quote(process); }

}  // namespace

void Contexts::add(PoolId pool, std::string_view process, Mark at) {
  if (platform_.pool(pool).kind() == PoolKind::gpu) users_[pool].emplace(process, at);
}

void Contexts::add(const Contexts& later) {
  for (const auto& [pool, processes] : later.users_) users_[pool].insert(processes.begin(), processes.end());
}

void Contexts::refuse_two(const std::map<std::string_view, Mark>& processes, std::string_view pool, std::string_view what,
                          std::string_view advice) const {
  if (processes.size() < 2) return;
  std::vector<std::pair<Mark, std::string_view>> said;
  said.reserve(processes.size());
  for (const auto& [process, at] : processes) said.emplace_back(at, process);
  std::ranges::sort(said, {}, [](const auto& s) { return std::make_pair(s.first.line, s.first.column); });
  out_.error(said[1].first, {"pool", pool},
             fmt::format("two processes use {}, {} (line {}) and {}: {}", what, in_words(said[0].second), said[0].first.line,
                         in_words(said[1].second), advice));
}

void Contexts::check() const {
  std::map<std::string_view, std::map<std::string_view, Mark>> of_cut_gpus;  // whose partitions are of one process
  std::map<std::pair<std::string_view, std::string_view>, std::pair<std::string_view, Mark>> of_processes;  // GPU, process -> its partition
  for (const auto& [p, processes] : users_) {
    const Pool& pool = platform_.pool(p);
    if (const Partition* const partition = partition_of(pool)) {
      if (of_one_process(partition->kind)) {
        of_cut_gpus[partition->gpu].insert(processes.begin(), processes.end());
      } else {
        refuse_two(processes, pool.name, "this partition", "leave `process` out if they share a context there (MPS)");
        for (const auto& [process, at] : processes) {
          if (process.empty()) continue;
          const auto [its, first] = of_processes.try_emplace({partition->gpu, process}, pool.name, at);
          if (!first) {
            out_.error(
                at, {"pool", pool.name},
                fmt::format("process {} has {} of this GPU already (line {}): a partition of MPS or MIG is of one process, which has "
                            "no other",
                            quote(process), quote(its->second.first), its->second.second.line));
          }
        }
      }
      continue;
    }
    if (!is_shared(pool)) {
      refuse_two(processes, pool.name, "this GPU",
                 "say `sharing: {slice: …, switch: …}` there if it serves them by time slices, or leave `process` out if they share a "
                 "context (MPS)");
      continue;
    }
    for (const auto& [process, at] : processes) {
      const std::string name = context_name(pool.name, process);
      if (const auto fault = name_fault(name)) out_.error(at, *fault);
      if (!process.empty() && platform_.has(name)) {
        out_.error(at, {"pool", name}, "another pool has this name; the contexts of a GPU with `sharing` are called GPU/PROCESS");
      }
    }
  }
  for (const auto& [gpu, processes] : of_cut_gpus) {
    refuse_two(processes, gpu, "partitions of this GPU",
               "green contexts and masks of TPCs are of one process; those of several take turns by time slices. Say kind: mps or mig");
  }
}

std::vector<Pool> Contexts::split(std::vector<Pool> pools) {
  std::vector<Pool> result;
  contexts_.resize(pools.size());
  for (PoolId p = 0; p < pools.size(); ++p) {
    if (!is_shared(pools[p])) {
      contexts_[p].emplace(std::string_view{}, result.size());
      result.push_back(std::move(pools[p]));
      continue;
    }
    auto& processes = users_[p];
    if (processes.empty()) processes.emplace(std::string_view{}, Mark{});
    for (const auto& [process, at] : processes) {
      contexts_[p].emplace(process, result.size());
      Pool context = pools[p];
      Sharing& sharing = *std::get<GpuPool>(context.resource).sharing;
      sharing.process = process;
      sharing.contexts = static_cast<std::uint32_t>(processes.size());
      context.name = context_name(sharing.gpu, process);
      result.push_back(std::move(context));
    }
  }
  return result;
}

PoolId Contexts::place(PoolId pool, std::string_view process) const {
  const auto& contexts = contexts_[pool];
  const auto at = contexts.find(process);
  return at == contexts.end() ? contexts.begin()->second : at->second;
}

}  // namespace rta::io
