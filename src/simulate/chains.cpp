#include "rta/simulate/chains.hpp"

#include <algorithm>

#include "rta/model/error.hpp"

namespace rta::simulate {
namespace {

void raise(std::optional<Time>& largest, Time value) { largest = std::max(largest.value_or(value), value); }

/// Whom the writes of one stage reach, and from whom its reads come.
class Reader {
 public:
  explicit Reader(const StageJobs& jobs) : latest_read_(jobs.size()), earliest_write_(jobs.size()) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      latest_read_[j] = j == 0 ? jobs[j].read : std::max(latest_read_[j - 1], jobs[j].read);
    }
    for (std::size_t j = jobs.size(); j-- > 0;) {
      earliest_write_[j] = j + 1 == jobs.size() ? jobs[j].write : std::min(earliest_write_[j + 1], jobs[j].write);
    }
  }

  /// The first job that reads at `write` or later, unless it is the first of all or there is none.
  [[nodiscard]] std::optional<std::size_t> next_reader(Time write) const {
    const auto at = std::ranges::lower_bound(latest_read_, write);
    if (at == latest_read_.end() || at == latest_read_.begin()) return std::nullopt;
    return static_cast<std::size_t>(at - latest_read_.begin());
  }
  /// The newest job that has written by `read`, unless it is the last of all or there is none.
  [[nodiscard]] std::optional<std::size_t> newest_writer(Time read) const {
    const auto after = std::ranges::upper_bound(earliest_write_, read);
    if (after == earliest_write_.begin() || after == earliest_write_.end()) return std::nullopt;
    return static_cast<std::size_t>(after - earliest_write_.begin()) - 1;
  }

 private:
  std::vector<Time> latest_read_;     // of this job and all before
  std::vector<Time> earliest_write_;  // of this job and all after
};

}  // namespace

SeenLatencies chain_latencies_seen(std::span<const StageJobs> stages) {
  require(!stages.empty(), "a chain has a stage");
  std::vector<Reader> readers;
  readers.reserve(stages.size());
  for (const StageJobs& jobs : stages) readers.emplace_back(jobs);
  const std::size_t n = stages.size();
  SeenLatencies seen;
  for (std::size_t first = 0; first < stages[0].size(); ++first) {
    std::optional<std::size_t> at = first;
    for (std::size_t i = 1; i < n && at; ++i) at = readers[i].next_reader(stages[i - 1][*at].write);
    if (!at) continue;
    const Time end = stages[n - 1][*at].write;
    raise(seen.MRRT, end - stages[0][first].read);
    if (first > 0) raise(seen.MRT, end - stages[0][first - 1].read);
  }
  for (std::size_t last = 0; last < stages[n - 1].size(); ++last) {
    std::optional<std::size_t> at = last;
    for (std::size_t i = n - 1; i > 0 && at; --i) at = readers[i - 1].newest_writer(stages[i][*at].read);
    if (!at) continue;
    const Time read = stages[0][*at].read;
    raise(seen.MRDA, stages[n - 1][last].write - read);
    if (last + 1 < stages[n - 1].size()) raise(seen.MDA, stages[n - 1][last + 1].write - read);
  }
  return seen;
}

ChainObserver::ChainObserver(const TaskSet& task_set) : Observer(Detail::job), task_set_(task_set) {
  for (const Chain& chain : task_set.chains()) {
    auto& stages = chains_.emplace_back();
    for (const ChainStage& stage : chain.stages) {
      if (!stages.empty() && stages.back().dag == stage.dag) {
        stages.back().exit = stage.node;
        continue;
      }
      const Dag& dag = task_set.dags()[stage.dag];
      const bool let = chain.communication == Communication::let;
      stages.push_back({stage.dag, stage.node, stage.node, let ? std::optional(dag.deadline().value_or(dag.period())) : std::nullopt, {}});
    }
  }
}

ChainObserver::Seen* ChainObserver::at(Stage& stage, std::uint64_t job) {
  if (job >= most_jobs) return nullptr;
  if (stage.jobs.size() <= job) stage.jobs.resize(static_cast<std::size_t>(job) + 1);
  return &stage.jobs[static_cast<std::size_t>(job)];
}

void ChainObserver::dag(DagId dag, std::uint64_t job, Time release, Time end) {
  for (auto& stages : chains_) {
    for (Stage& stage : stages) {
      if (stage.dag != dag || (stage.exit && !stage.published)) continue;
      Seen* const seen = at(stage, job);
      if (seen == nullptr) continue;
      if (stage.published) *seen = {release, release + *stage.published};
      if (!stage.published) seen->write = end;
    }
  }
}

void ChainObserver::job(JobId id, Time /*release*/, Time start, Time end) {
  for (auto& stages : chains_) {
    for (Stage& stage : stages) {
      if (stage.dag != id.dag || stage.published) continue;
      const bool reads = stage.entry ? *stage.entry == id.node : task_set_.dags()[id.dag].predecessors(id.node).empty();
      const bool writes = stage.exit == id.node;
      Seen* const seen = reads || writes ? at(stage, id.job) : nullptr;
      if (seen == nullptr) continue;
      if (reads) seen->read = std::min(seen->read.value_or(start), start);
      if (writes) seen->write = end;
    }
  }
}

StageJobs ChainObserver::complete(const Stage& stage) {
  StageJobs jobs;
  jobs.reserve(stage.jobs.size());
  // A measurement does not show the jobs of its warm-up.
  const auto read_and_written = [](const Seen& seen) { return seen.read && seen.write; };
  for (auto seen = std::ranges::find_if(stage.jobs, read_and_written); seen != stage.jobs.end() && read_and_written(*seen); ++seen) {
    jobs.push_back({*seen->read, *seen->write});
  }
  return jobs;
}

std::vector<SeenLatencies> ChainObserver::latencies() const {
  std::vector<SeenLatencies> all;
  all.reserve(chains_.size());
  for (const auto& stages : chains_) {
    std::vector<StageJobs> jobs;
    jobs.reserve(stages.size());
    for (const Stage& stage : stages) jobs.push_back(complete(stage));
    all.push_back(chain_latencies_seen(jobs));
  }
  return all;
}

}  // namespace rta::simulate
