// The order of a certificate, played block by block: what an oracle of its own says of damaged ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "mutations.hpp"

namespace rta::test {

/// The jobs of `order`, and what each waits for.
class OrderPlayer {
 public:
  OrderPlayer(const TaskSet& set, const std::vector<std::string>& lines) : set_(set) {
    for (const std::string& line : lines) {
      const auto words = words_of_line(line);
      if (words[0] == "order") hyperperiod_ = std::stoll(words[1]);
      if (words[0] == "shared") shared_.insert(std::stoul(words[1]));
      if (words[0] == "job") add_job(words);
    }
    for (Job& job : jobs_) order(job);
  }

  /// Why the order is none, or some job ends after its END; empty otherwise. Adds the responses that it saw to `worst`.
  [[nodiscard]] std::string fault(Dice& dice, PerNode<Time>& worst) {
    if (std::string why = missing(); !why.empty()) return why;
    for (int run = 0; run < 3; ++run) {
      play(dice, run == 0);
      for (const Job& job : jobs_) {
        if (!job.ended) return "a job never ends";
        if (now_of(job) > job.END) return fmt::format("job {} {} {} was seen to end at {}", job.d, job.v, job.frame, now_of(job));
        Time& seen = worst[job.d][job.v];
        seen = std::max(seen, Time(now_of(job) - job.release));
      }
    }
    return "";
  }

 private:
  using Name = std::tuple<DagId, NodeId, std::int64_t>;
  struct Job {
    DagId d = 0;
    NodeId v = 0;
    std::int64_t frame = 0;
    std::uint64_t instance = 0;
    std::int64_t END = 0, release = 0;
    std::set<Name> before;
    std::vector<std::size_t> next;
    std::size_t left = 0;  // that it waits for
    bool started = false;
    std::optional<std::int64_t> ended;
    std::uint64_t pieces = 0, running = 0;
  };
  struct Pool {
    std::vector<analysis::fifo::Amounts> free;  // by SM; of workers none
    std::uint64_t workers = 0;
    std::deque<std::size_t> queue;
  };
  struct Piece {
    std::size_t job = 0, sm = 0;
    std::int64_t end = 0;
  };

  static std::int64_t now_of(const Job& job) { return *job.ended; }
  [[nodiscard]] const Node& node(const Job& job) const { return set_.dags()[job.d].nodes()[job.v]; }

  void add_job(const std::vector<std::string>& words) {
    Job job;
    job.d = std::stoul(words.at(1));
    job.v = std::stoul(words.at(2));
    job.frame = std::stoll(words.at(3));
    job.instance = std::stoul(words.at(4));
    job.END = std::stoll(words.at(5));
    job.release = job.frame * set_.dags()[job.d].period().count();
    std::size_t width = 0;  // of a name in the list
    for (std::size_t i = 6; i < words.size();) {
      if (words[i] == "weight") {
        i += 2;
      } else if (words[i] == "after" || words[i] == "units") {
        width = words[i] == "after" ? 3 : 4;
        ++i;
      } else {
        job.before.emplace(std::stoul(words.at(i)), std::stoul(words.at(i + 1)), std::stoll(words.at(i + 2)));
        i += width;
      }
    }
    index_.emplace(Name(job.d, job.v, job.frame), jobs_.size());
    jobs_.push_back(std::move(job));
  }

  // What the task set and the instances add.
  void order(Job& job) {
    for (const NodeId u : set_.dags()[job.d].predecessors(job.v)) job.before.emplace(job.d, u, job.frame);
    if (node(job).sequential && job.frame > 0) job.before.emplace(job.d, job.v, job.frame - 1);
    const PoolId pool = node(job).pool;
    if (shared_.contains(pool)) return;
    auto& last = last_[{pool, job.instance}];
    if (last) job.before.insert(*last);
    last = Name(job.d, job.v, job.frame);
  }

  [[nodiscard]] std::string missing() const {
    std::size_t wanted = 0;
    for (const Dag& dag : set_.dags()) {
      if (hyperperiod_ <= 0 || hyperperiod_ % dag.period().count() != 0) return "the hyperperiod is none";
      wanted += dag.nodes().size() * static_cast<std::size_t>(hyperperiod_ / dag.period().count());
    }
    if (index_.size() != wanted || jobs_.size() != wanted) return "jobs are missing or stand twice";
    for (const Job& job : jobs_) {
      if (job.frame < 0 || job.release >= hyperperiod_ || job.END > hyperperiod_) return "a job is not of the hyperperiod";
      if (!std::ranges::all_of(job.before, [&](const Name& name) { return index_.contains(name); })) return "a job waits for none";
    }
    return "";
  }

  void prepare() {
    pools_.assign(set_.pools().size(), {});
    for (PoolId p = 0; p < pools_.size(); ++p) {
      const auto& resource = set_.pools()[p].resource;
      if (const auto* gpu = std::get_if<GpuPool>(&resource)) pools_[p].free.assign(gpu->sms, analysis::fifo::sm_capacity(*gpu));
      if (const auto* workers = std::get_if<WorkerPool>(&resource)) pools_[p].workers = workers->workers;
    }
    for (Job& job : jobs_) {
      job.next.clear();
      job.left = job.before.size();
      job.started = false;
      job.ended.reset();
    }
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      for (const Name& name : jobs_[j].before) jobs_[index_.at(name)].next.push_back(j);
    }
    pieces_.clear();
  }

  void play(Dice& dice, bool longest) {
    prepare();
    for (std::int64_t now = 0;;) {
      while (settle(now, dice, longest)) {
      }
      std::optional<std::int64_t> next;
      const auto later = [&](std::int64_t at) { next = next ? std::min(*next, at) : at; };
      for (const Piece& piece : pieces_) later(piece.end);
      for (const Job& job : jobs_) {
        if (!job.started && job.left == 0 && job.release > now) later(job.release);
      }
      if (!next) return;
      now = *next;
    }
  }

  // One thing that happens now.
  bool settle(std::int64_t now, Dice& dice, bool longest) {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].end > now) continue;
      end(pieces_[i], now);
      pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      Job& job = jobs_[j];
      if (job.started || job.left > 0 || job.release > now) continue;
      job.started = true;
      job.pieces = pieces_of(node(job));
      job.running = 0;
      pools_[node(job).pool].queue.push_back(j);
      return true;
    }
    for (Pool& pool : pools_) {
      if (!pool.queue.empty() && begin(pool, now, dice, longest)) return true;
    }
    return false;
  }

  static std::uint64_t pieces_of(const Node& node) {
    if (const auto* kernel = std::get_if<GpuDemand>(&node.demand)) return kernel->B;
    if (const auto* items = std::get_if<WorkerDemand>(&node.demand)) return items->B;
    return 1;
  }

  [[nodiscard]] analysis::fifo::Amounts demand(const Node& node) const {
    const auto& kernel = std::get<GpuDemand>(node.demand);
    return analysis::fifo::block_demand(kernel.H, kernel.shared_memory, kernel.registers_per_thread,
                                        std::get<GpuPool>(set_.pools()[node.pool].resource));
  }

  // The next piece of the head of the queue, if there is room. Processors and engines are served in their orders: there always is.
  bool begin(Pool& pool, std::int64_t now, Dice& dice, bool longest) {
    const std::size_t j = pool.queue.front();
    Job& job = jobs_[j];
    const Node& is = node(job);
    std::size_t sm = 0;
    Time most = longest_piece(is);
    if (std::holds_alternative<GpuDemand>(is.demand)) {
      const auto needs = demand(is);
      const auto fits = [&](const analysis::fifo::Amounts& free) {
        return std::ranges::all_of(analysis::fifo::all_resources, [&](analysis::fifo::Resource r) { return needs[r] <= free[r]; });
      };
      sm = static_cast<std::size_t>(std::ranges::find_if(pool.free, fits) - pool.free.begin());
      if (sm == pool.free.size()) return false;
      for (const analysis::fifo::Resource r : analysis::fifo::all_resources) pool.free[sm][r] -= needs[r];
    } else if (std::holds_alternative<WorkerDemand>(is.demand)) {
      if (pool.workers == 0) return false;
      --pool.workers;
      most = most + std::get<WorkerPool>(set_.pools()[is.pool].resource).dispatch_overhead;
    }
    ++job.running;
    if (--job.pieces == 0) pool.queue.pop_front();
    pieces_.push_back({j, sm, now + (longest || dice.one_in(2) ? most.count() : dice.between(0, most.count()))});
    return true;
  }

  void end(const Piece& piece, std::int64_t now) {
    Job& job = jobs_[piece.job];
    const Node& is = node(job);
    Pool& pool = pools_[is.pool];
    if (std::holds_alternative<GpuDemand>(is.demand)) {
      const auto needs = demand(is);
      for (const analysis::fifo::Resource r : analysis::fifo::all_resources) pool.free[piece.sm][r] += needs[r];
    } else if (std::holds_alternative<WorkerDemand>(is.demand)) {
      ++pool.workers;
    }
    if (--job.running > 0 || job.pieces > 0) return;
    job.ended = now;
    for (const std::size_t next : job.next) --jobs_[next].left;
  }

  const TaskSet& set_;
  std::int64_t hyperperiod_ = 0;
  std::set<PoolId> shared_;
  std::vector<Job> jobs_;
  std::map<Name, std::size_t> index_;
  std::map<std::pair<PoolId, std::uint64_t>, std::optional<Name>> last_;
  std::vector<Pool> pools_;
  std::vector<Piece> pieces_;
};

/// Some changed forms of one system's static order.
template <class Change>
void damage_orders(std::uint64_t seed, const Change& change, Damage& damaged) {
  const TaskSet set = ordered_set(seed);
  if (!is_writable(set)) return;
  const Certified made = certified(set, order_options(seed));
  if (made.certificate.text.find("\norder ") == std::string::npos) return;
  const TaskSet& read = *made.proof.task_set;
  Dice dice(seed);
  const auto fault = [&](const std::vector<std::string>& lines) {
    PerNode<Time> worst;
    for (const Dag& dag : read.dags()) worst.emplace_back(dag.nodes().size());
    std::string why = OrderPlayer(read, lines).fault(dice, worst);
    return why.empty() ? Oracle(made, std::move(worst)).fault(lines) : why;
  };
  damage_certificate(seed, made, dice, change, fault, damaged);
}

}  // namespace rta::test
