#include "static_order.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "configurations.hpp"
#include "kernel_blocks.hpp"

namespace checker {

/// What jobs leave to those that follow.
struct StaticOrder::Passing {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> last;  // pool, instance -> the job that had it
  std::vector<Int> left;                                            // T15w: units of each job that nobody has taken yet
  std::map<std::size_t, Int> free;                                  // pool -> units that no job has held
};

Pool as_gpu(const Pool& pool) {
  if (pool.kind != Kind::workers) return pool;
  Pool gpu = pool;
  gpu.kind = Kind::gpu;
  gpu.sm = {Int(1), Int(1), std::nullopt, std::nullopt};
  return gpu;
}

StaticOrder::StaticOrder(const TaskSet& set, const Certificate& certificate) : set_(set), certificate_(certificate) {
  if (certificate.order != nullptr) period_ = certificate.order->number(1);
  Passing passing;
  for (const Statement* statement : certificate.shared) read_shared(*statement);
  for (const auto& [p, shared] : shared_) passing.free[p] = shared.room();
  for (const Statement* statement : certificate.jobs) read_job(*statement, passing);
}

void StaticOrder::read_shared(const Statement& statement) {
  const std::string_view how = statement.word(3);
  if (how != "weights" && how != "streams") statement.fail("weights or streams is expected");
  const SharedGpu read{&statement, statement.number(2), how == "streams", how == "streams" ? Int(1) : statement.number(4)};
  if (!shared_.emplace(statement.index(1, set_.pools.size()), read).second) statement.fail("this is stated twice");
}

/// `job D V FRAME INSTANCE END`, then `weight W`, `after` and jobs, `units` and jobs with numbers.
void StaticOrder::read_job(const Statement& statement, Passing& passing) {
  OrderedJob job;
  job.by = &statement;
  std::tie(job.dag, job.node, job.frame) = name_at(statement, 1);
  const std::size_t instance = statement.index(4, std::size_t{1} << 32U);
  job.end = statement.number(5);
  job.release = set_.dags[job.dag].T * Int(static_cast<Int::Raw>(job.frame));
  std::size_t word = 6;
  const auto next_is = [&](const char* what) { return word < statement.words.size() && statement.words[word] == what; };
  if (next_is("weight")) {
    job.weight = statement.number(word + 1);
    if (job.weight <= 0) statement.fail("a weight is above 0");
    word += 2;
  }
  if (!runs_on(job, instance)) job.fault = "its pool has no such instance, or its kernels do not share";
  wait_for_predecessors(job, instance, passing);
  if (next_is("after")) {
    for (++word; word < statement.words.size() && statement.words[word] != "units"; word += 3) wait_for(job, name_at(statement, word));
  }
  passing.left.push_back(0);
  take_units(job, word, passing);
  if (job.fault == nullptr) job.length = length_of(job);
  if (!job_of_.emplace(Name{job.dag, job.node, job.frame}, jobs_.size()).second) statement.fail("this job stands twice");
  job_by_[&statement] = jobs_.size();
  jobs_.push_back(std::move(job));
}

StaticOrder::Name StaticOrder::name_at(const Statement& statement, std::size_t word) const {
  constexpr std::size_t most_frames = std::size_t{1} << 40U;  // whatever the period: releases stay in range
  const std::size_t d = statement.index(word, set_.dags.size());
  return {d, statement.index(word + 1, set_.dags[d].nodes.size()), statement.index(word + 2, most_frames)};
}

void StaticOrder::wait_for(OrderedJob& job, const Name& name) const {
  const auto found = job_of_.find(name);
  if (found == job_of_.end()) {
    job.fault = "it waits for a job that does not stand before it";
  } else {
    job.before.push_back(found->second);
  }
}

bool StaticOrder::runs_on(const OrderedJob& job, std::size_t instance) const {
  const Node& node = set_.dags[job.dag].nodes[job.node];
  const Pool& pool = set_.pools[node.pool];
  if (job.weight > 0 && shared_by(job) == nullptr) return false;
  switch (pool.kind) {
    case Kind::cpu: return Int(static_cast<Int::Raw>(instance)) < pool.size;
    case Kind::engines: return instance == (pool.size > 1 && node.d2h ? 1U : 0U);
    default: return instance == 0;
  }
}

/// H: the edges of the DAG, the job before of a sequential node, and the one before on the same resource.
void StaticOrder::wait_for_predecessors(OrderedJob& job, std::size_t instance, Passing& passing) const {
  const Node& node = set_.dags[job.dag].nodes[job.node];
  for (const std::size_t u : node.before) wait_for(job, {job.dag, u, job.frame});
  if (node.sequential && job.frame > 0) wait_for(job, {job.dag, job.node, job.frame - 1});
  if (shared_by(job) != nullptr) return;
  const auto [last, first] = passing.last.try_emplace({node.pool, instance}, jobs_.size());
  if (!first) job.before.push_back(std::exchange(last->second, jobs_.size()));
}

const SharedGpu* StaticOrder::shared_by(const OrderedJob& job) const {
  const auto found = shared_.find(set_.dags[job.dag].nodes[job.node].pool);
  return found == shared_.end() ? nullptr : &found->second;
}

/// T15w: a kernel holds w B units of the room, one that runs alone all of them. Each unit goes from job to job, the later one behind the
/// earlier in H. So the kernels of an antichain hold different units: their w B sum up to capacity + least w - 1 at most, which leaves less
/// than the capacity to what is resident when a block of x, of weight w_x or more, finds no room.
void StaticOrder::take_units(OrderedJob& job, std::size_t word, Passing& passing) const {
  const Statement& statement = *job.by;
  const SharedGpu* const shared = shared_by(job);
  const std::size_t pool = set_.dags[job.dag].nodes[job.node].pool;
  Int taken = 0;
  if (word < statement.words.size()) {
    if (statement.words[word] != "units") statement.fail("weight, after or units is expected");
    for (++word; word < statement.words.size(); word += 4) {
      const auto from = job_of_.find(name_at(statement, word));
      const Int units = statement.number(word + 3);
      const bool there = from != job_of_.end() && set_.dags[jobs_[from->second].dag].nodes[jobs_[from->second].node].pool == pool;
      if (!there || units <= 0 || passing.left[from->second] < units) {
        job.fault = "it takes units that are not left";
        return;
      }
      passing.left[from->second] -= units;
      taken += units;
      job.before.push_back(from->second);
    }
  }
  if (shared == nullptr || shared->streams) return;
  const Int units = job.weight > 0 ? job.weight * set_.dags[job.dag].nodes[job.node].B : shared->room();
  Int& free = passing.free[pool];
  if ((job.weight > 0 && job.weight < shared->least) || units > shared->room() || taken > units || units - taken > free) {
    job.fault = "there is no room for the kernel beside those that may run";
    return;
  }
  free -= units - taken;
  passing.left.back() = units;
}

/// C on a resource of its own; L where all blocks start at once, or wait by T15g; ceil(B/(g n)) L for a kernel that runs alone, n blocks of
/// which an SM holds.
Int StaticOrder::length_of(const OrderedJob& job) const {
  const Node& node = set_.dags[job.dag].nodes[job.node];
  const Pool& pool = set_.pools[node.pool];
  if (pool.kind == Kind::cpu || pool.kind == Kind::engines) return node.C;
  if (job.weight > 0) return node.L;
  const Pool gpu = as_gpu(pool);
  const Amounts demand = block_demand(node, gpu);
  std::optional<Int> n;
  for (std::size_t r = 0; r < demand.size(); ++r) {
    if (!gpu.sm[r] || demand[r] == Int(0)) continue;
    const Int most = floor_div(*gpu.sm[r], demand[r]);
    n = std::min(n.value_or(most), most);
  }
  if (n && gpu.sm[registers] && demand[registers] > 0)
    n = std::min(*n, floor_div(warps_with_registers(demand, gpu), floor_div(demand[threads], gpu.warp)));
  if (!n || *n <= 0) job.by->fail("a block fits on no SM");
  return ceil_div(node.B, gpu.size * *n) * node.L;
}

/// The hyperperiod is a multiple of all periods, and every job of it stands in the order. DAGs are released exactly every T.
void StaticOrder::check_order() const {
  need(certificate_.release == "static" && !certificate_.grouped, "an order is for static release");
  need(period_ > 0, "a hyperperiod is above 0");
  for (const Pool& pool : set_.pools)
    need(!pool.pauses && !pool.switches, "a static order counts neither time slices nor switches of kernels");
  Int jobs = 0;
  for (const Dag& dag : set_.dags) {
    const Int frames = floor_div(period_, dag.T);
    need(frames * dag.T == period_, "the hyperperiod is no multiple of a period");
    need(dag.J == Int(0) && dag.T_max.value_or(dag.T) == dag.T, "a DAG is not released exactly every T");
    jobs += frames * Int(static_cast<Int::Raw>(dag.nodes.size()));
  }
  for (const OrderedJob& job : jobs_) need(job.release < period_, "a job is released after the hyperperiod");
  need(jobs == Int(static_cast<Int::Raw>(jobs_.size())), "some job of the hyperperiod does not stand in the order");
}

bool StaticOrder::by_streams() const {
  return std::any_of(shared_.begin(), shared_.end(), [](const auto& shared) { return shared.second.streams; });
}

/// The weights are valid (T6) for the blocks of all kernels that share: no blocking configuration weighs less than capacity/g.
void StaticOrder::check_shared(const Statement& statement) const {
  const std::size_t p = statement.index(1, set_.pools.size());
  const SharedGpu& shared = shared_.at(p);
  const Pool& pool = set_.pools[p];
  need(pool.kind == Kind::workers || pool.kind == Kind::gpu, "nothing can share the pool");
  need(shared.capacity > 0 && shared.least > 0, "a capacity and a least weight are above 0");
  need(shared.streams == by_streams(), "all kernels run by weights, or all by streams");
  const Pool gpu = as_gpu(pool);
  std::vector<Task> tasks;
  std::vector<Int> weight;
  for (const OrderedJob& job : jobs_) {
    const Node& node = set_.dags[job.dag].nodes[job.node];
    if (node.pool != p || job.weight == Int(0)) continue;
    Task& task = tasks.emplace_back();
    task.node = &node;
    weight.push_back(job.weight);
  }
  if (tasks.empty()) return;
  const Classes classes = classes_of(tasks, gpu);
  std::vector<Int> value(classes.demand.size(), 0);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    Int& least = value[classes.of(block_demand(*tasks[i].node, gpu))];
    least = least == Int(0) ? weight[i] : std::min(least, weight[i]);
  }
  const Sm sm = sm_of(tasks, gpu, classes, std::nullopt);
  for (const std::size_t r : binding(sm)) {
    if (sm.enough[r] == Int(0)) continue;
    need(least_cover(sm, value, r) * gpu.size >= shared.capacity, "a blocking configuration weighs less than the capacity's share");
  }
}

/// T15: f_v = max(s_v, max f_u over predecessors u in H) + C_v.
Int StaticOrder::T15(const OrderedJob& job) const {
  Int start = job.release;
  for (const std::size_t u : job.before) start = std::max(start, jobs_[u].end);
  return start + job.length;
}

void StaticOrder::check_job(const Statement& statement) {
  const std::size_t i = job_by_.at(&statement);
  const OrderedJob& job = jobs_[i];
  if (job.fault != nullptr) throw Refused(job.fault);
  if (by_streams() && ends_.empty()) ends_ = T15g(jobs_, shared_, set_);
  const Int least = by_streams() ? ends_[i] : T15(job);
  if (job.end < least) throw Refused("the theorem gives no less than " + to_string(least));
  need(job.end <= period_, "it ends after the hyperperiod, when the next one begins");
}

/// R: of each frame, the end less its release.
void StaticOrder::check_bound(std::size_t d, std::size_t v) const {
  const Claim& claim = certificate_.claims[d][v];
  need(certificate_.order != nullptr, "there is no order");
  const std::string_view rule = by_streams() ? "T15g" : shared_.empty() ? "T15" : "T15w";
  need(claim.rule == rule, "the order is by another theorem");
  for (const OrderedJob& job : jobs_) {
    if (job.dag != d || job.node != v || claim.R >= job.end - job.release) continue;
    throw Refused("the theorem gives no less than " + to_string(job.end - job.release));
  }
}

}  // namespace checker
