// A FIFO of jobs in front of identical servers: persistent-thread workers, or one copy engine.
#pragma once

#include "context.hpp"

namespace rta::simulate {

class Servers {
 public:
  Servers(const PlanServers& plan, Context& context) : plan_(plan), context_(&context), running_(plan.servers, none), idle_(plan.servers) {}

  [[nodiscard]] std::int64_t next() const { return ends_.empty() ? never : ends_.top().key; }
  [[nodiscard]] bool copies() const { return plan_.copies && !ends_.empty(); }
  void enqueue(std::uint32_t job) { queue_.push(job); }

  /// C1: a copy takes its place in the CE waiting queue when it is issued.
  void wait(std::uint32_t copy) { waiting_.push(copy); }
  /// C2, C5: heads of the CE waiting queue that are heads of their streams enter the CE queue.
  void advance() {
    while (!waiting_.empty() && context_->jobs[waiting_.front()].at_head) {
      queue_.push(waiting_.front());
      waiting_.pop();
    }
  }

  template <class Done>
  void complete(std::int64_t now, Done&& done) {
    while (next() == now) {
      const std::uint32_t server = ends_.top().id();
      ends_.pop();
      idle_.insert(server);
      const std::uint32_t job = running_[server];
      if (--context_->jobs[job].unfinished == 0) done(job);
    }
  }

  void dispatch(std::int64_t now) {
    while (!queue_.empty() && !idle_.empty()) {
      const std::uint32_t id = queue_.front();
      Job& job = context_->jobs[id];
      const PlanNode& node = context_->plan.nodes[job.node];
      const std::uint32_t piece = node.pieces - job.unassigned;
      if (piece == 0) job.started = now;
      if (--job.unassigned == 0) queue_.pop();
      const std::uint32_t server = idle_.take();
      const std::int64_t end = now + context_->execution(node, job, piece);
      running_[server] = id;
      ends_.push(Entry(end, context_->sequence++, server));
      ++context_->blocks;
      if (context_->observes(Detail::block)) {
        if (plan_.copies) {
          context_->observer->copy(context_->name(job), plan_.engine, Time(now), Time(end));
        } else {
          context_->observer->block(context_->name(job), piece, server, Time(now), Time(end));
        }
      }
    }
  }

 private:
  PlanServers plan_;
  Context* context_;
  Fifo waiting_;  // CE waiting queue
  Fifo queue_;
  std::vector<std::uint32_t> running_;  // per server
  LeastSet idle_;
  Heap<Entry> ends_;  // servers by the end of their piece
};

}  // namespace rta::simulate
