// m identical processors behind one queue, one of them perhaps in a reservation; under the wait-set rule one, and its executor; of an
// executor of several threads one each.
#pragma once

#include <algorithm>
#include <deque>
#include <map>

#include "context.hpp"

namespace rta::simulate {

class Processors {
 public:
  Processors(const PlanCpu& plan, Context& context)
      : context_(&context),
        preemptive_(plan.preemptive),
        wait_set_(plan.wait_set),
        multi_threaded_(plan.multi_threaded),
        busy_(plan.groups + 1),
        runtime_(plan.runtime),
        period_(plan.period),
        number_(plan.number),
        running_(plan.processors, none),
        resumed_(plan.processors),
        ends_(plan.processors),
        last_(plan.processors),
        idle_(plan.processors) {}

  /// When the next job ends.
  [[nodiscard]] std::int64_t next() const { return std::min(ends_.top_key().key, switch_); }

  /// Whether some job runs.
  [[nodiscard]] bool busy() const { return !ends_.empty(); }

  /// Queues a job by (priority point, sequence); of an executor behind the others of its node, until a poll.
  void enqueue(std::uint32_t job, std::int64_t priority_point, std::uint64_t sequence) {
    ++waiting_;
    if (wait_set_ || multi_threaded_) {
      queues_[context_->jobs[job].node].emplace_back(std::int64_t{0}, sequence, job);
      return;
    }
    ready_.push(Entry(priority_point, sequence, job));
  }

  /// Ends all jobs that end at `now`, and tells `done` each.
  template <class Done>
  void complete(std::int64_t now, Done&& done) {
    while (ends_.top_key().key == now) {
      const std::uint32_t p = ends_.top();
      const std::uint32_t job = running_[p];
      ends_.clear(p);
      running_[p] = none;
      if (context_->jobs[job].keeps) {
        const std::uint32_t body = context_->plan.nodes[context_->jobs[job].node].body;
        (body == none ? context_->dag_jobs[context_->jobs[job].dag_job].processor : context_->kept[body]) = p;
      } else {
        idle_.insert(p);
      }
      if (multi_threaded_) busy_[group_of(job)] = false;
      report(job, p, now);
      done(job);
    }
    while (switch_ == now) switch_supply(now);
  }

  /// A thread that has kept processor `p` goes on with the next node of its body.
  void go_on(std::uint32_t job, std::uint32_t p, std::int64_t now) {
    context_->jobs[job].begun = true;
    context_->jobs[job].started = now;
    running_[p] = job;
    resumed_[p] = now;
    ends_.set(p, end_of(job, now));
  }
  /// It has ended its body.
  void let_go(std::uint32_t p) { idle_.insert(p); }

  /// Lets the ready jobs with the earliest priority points run.
  void dispatch(std::int64_t now) {
    if (runtime_ > 0 && !may_dispatch(now)) return;
    if (multi_threaded_) {
      while (!idle_.empty() && pick()) start(idle_.take(), now);
      return;
    }
    if (wait_set_ && ready_.empty() && !idle_.empty()) poll();
    while (!ready_.empty()) {
      if (!idle_.empty()) {
        start(idle_.take(), now);
      } else if (preemptive_ && ready_.top() < last_.top_key()) {
        preempt(last_.top(), now);
      } else {
        return;
      }
    }
  }

 private:
  // A reservation, as a hard constant bandwidth server: so much budget until its deadline, held back within that as long as is drawn. A
  // thread that has used it up waits for the deadline, and then has all of it again, a period longer.

  /// Wakes the thread where there is something to do, or lets it sleep. Whether it has its processor.
  [[nodiscard]] bool may_dispatch(std::int64_t now) {
    const bool idle = running_[0] == none;
    if (idle && waiting_ == 0) {
      if (supply_ == Supply::on) budget_ -= now - since_;
      supply_ = Supply::asleep;
      switch_ = never;
      return false;
    }
    if (supply_ == Supply::asleep) wake(now);
    return supply_ == Supply::on;
  }
  /// Budget and deadline stay where the one may be had by the other at the rate Q/P.
  void wake(std::int64_t now) {
    if (deadline_ <= now || Wide{budget_} * period_ > Wide{deadline_ - now} * runtime_) {
      budget_ = runtime_;
      deadline_ = now + period_;
    }
    if (budget_ == 0) {
      supply_ = Supply::used_up;
      switch_ = deadline_;
    } else {
      hold_back(now);
    }
  }
  void hold_back(std::int64_t now) {
    const std::int64_t most = deadline_ - now - budget_;
    const std::uint64_t random = draw(context_->seed, Draw::supply, number_, held_++);
    const std::int64_t of_four = between(random, 0, 3);
    const std::int64_t by = of_four == 0 ? 0 : of_four < 3 ? most : between(draw_from(random, 1), 0, most);
    supply_ = Supply::held_back;
    switch_ = now + by;
    if (by == 0) switch_supply(now);
  }
  void switch_supply(std::int64_t now) {
    switch (supply_) {
      case Supply::held_back:
        supply_ = Supply::on;
        since_ = now;
        switch_ = now + budget_;
        if (running_[0] != none) {
          resumed_[0] = now;
          ends_.set(0, end_of(running_[0], now));
        }
        return;
      case Supply::on:
        budget_ = 0;
        if (running_[0] != none) {
          context_->jobs[running_[0]].work = ends_.key(0).key - now;
          report(running_[0], 0, now);
          ends_.clear(0);
        }
        supply_ = Supply::used_up;
        switch_ = deadline_;
        return;
      case Supply::used_up:
        budget_ = runtime_;
        deadline_ += period_;
        hold_back(now);
        return;
      case Supply::asleep: switch_ = never; return;
    }
  }

  /// Takes the oldest job of each node into the set. None of these runs before the set is empty, so it is the oldest when it runs, too.
  void poll() {
    for (auto& [node, queue] : queues_) {
      if (queue.empty()) continue;
      ready_.push(queue.front());
      queue.pop_front();
    }
  }
  /// Of several threads: `ready_` has the one job that an idle thread takes, of all that are the oldest of their nodes and whose groups are
  /// free the first by its place. False where there is none.
  [[nodiscard]] bool pick() {
    const std::deque<Entry>* first = nullptr;
    for (auto& [node, queue] : queues_) {
      const std::uint32_t group = context_->plan.nodes[node].group;
      if (queue.empty() || (group != 0 && busy_[group])) continue;
      if (first == nullptr || queue.front() < first->front()) first = &queue;
    }
    if (first == nullptr) return false;
    const Entry entry = first->front();
    ready_.push(entry);
    queues_[context_->jobs[entry.id()].node].pop_front();
    busy_[group_of(entry.id())] = true;
    return true;
  }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t job) const { return context_->plan.nodes[context_->jobs[job].node].group; }

  void begin(std::uint32_t p, const Entry& entry, std::int64_t now) {
    --waiting_;
    Job& job = context_->jobs[entry.id()];
    if (!job.begun) {
      job.begun = true;
      job.started = now;
    }
    context_->expect_end(job);
    if (!ready_.empty()) context_->jobs.expect(ready_.soon().id());
    running_[p] = entry.id();
    resumed_[p] = now;
  }
  [[nodiscard]] Entry end_of(std::uint32_t job, std::int64_t now) {
    const Job& of = context_->jobs[job];
    return {of.for_thread ? now : now + of.work, context_->sequence++, 0};
  }

  void start(std::uint32_t p, std::int64_t now) {
    const Entry entry = ready_.top();
    ready_.pop();
    begin(p, entry, now);
    ends_.set(p, end_of(entry.id(), now));
    if (preemptive_) last_.set(p, entry);
  }
  void preempt(std::uint32_t p, std::int64_t now) {
    const Entry entry = ready_.top();
    const Entry preempted = last_.key(p);
    Job& job = context_->jobs[preempted.id()];
    job.work = ends_.key(p).key - now;
    report(preempted.id(), p, now);
    ++waiting_;
    ready_.replace_top(preempted);
    begin(p, entry, now);
    ends_.set(p, end_of(entry.id(), now));
    last_.set(p, entry);
    ++context_->preemptions;
  }
  void report(std::uint32_t job, std::uint32_t p, std::int64_t now) {
    if (context_->observes(Detail::block) && resumed_[p] < now) {
      context_->observer->run(context_->name(context_->jobs[job]), p, Time(resumed_[p]), Time(now));
    }
  }

  Context* context_;
  bool preemptive_;
  bool wait_set_;
  enum class Supply : std::uint8_t { asleep, held_back, on, used_up };

  bool multi_threaded_;
  std::vector<bool> busy_;  // of several threads: per group
  std::int64_t runtime_;    // Q; 0: no reservation
  std::int64_t period_;     // P
  std::uint64_t number_;
  Supply supply_ = Supply::asleep;
  std::int64_t budget_ = 0, deadline_ = 0;
  std::int64_t since_ = 0;                             // when it was given its processor last
  std::int64_t switch_ = never;                        // when that changes next
  std::uint64_t held_ = 0;                             // draws
  std::uint64_t waiting_ = 0;                          // jobs that do not run
  std::map<std::uint32_t, std::deque<Entry>> queues_;  // of an executor: node -> jobs that no poll, or no thread, has taken yet
  std::vector<std::uint32_t> running_;                 // per processor
  std::vector<std::int64_t> resumed_;                  // per processor
  WinnerTree<Earlier> ends_;                           // processors by the end of their job
  WinnerTree<Later> last_;  // processors, the one to preempt first; of preemptive pools, and only while none is idle
  LeastSet idle_;
  ReadyQueue ready_;
};

}  // namespace rta::simulate
