// Stream queues: rules G1, G2, G4 for operations that share a stream, N1 and N2 for the NULL stream, and what calls keep from starting.
#pragma once

#include <algorithm>

#include "calls.hpp"
#include "context.hpp"

namespace rta::simulate {

/// Operations of one stream run one after the other. N1 and N2 are stated for kernels; here they hold for copies too, as CUDA's legacy
/// default stream has it.
class StreamQueues {
 public:
  StreamQueues(Context& context, const Calls& calls) : context_(&context), calls_(&calls), null_(context.plan.null_stream) {
    for (std::uint32_t s = 0; s < context.plan.streams; ++s) (void)streams_.take();
  }

  /// Whether operations without a named stream need one of their own: only rules N1 and N2 can tell.
  [[nodiscard]] bool every_operation() const { return null_.has_value(); }

  /// G1: appends an operation to its stream; `enter` is told the operations that may now enter their pool's queue.
  template <class Enter>
  void issue(std::uint32_t id, std::uint32_t stream, Enter&& enter) {
    if (stream == stream_per_job) stream = streams_.take();
    Job& job = context_->jobs[id];
    job.next = none;
    stream_of(id) = stream;
    Queue& q = streams_[stream];
    if (q.head == none) {
      q.head = id;
    } else {
      context_->jobs[q.tail].next = id;
    }
    q.tail = id;
    if (q.head == id) look(stream, enter);
  }

  /// G4, C6: the head of a stream has ended.
  template <class Enter>
  void end(std::uint32_t id, Enter&& enter) {
    const std::uint32_t stream = stream_of(id);
    Queue& q = streams_[stream];
    q.head = context_->jobs[id].next;
    const bool own = context_->plan.nodes[context_->jobs[id].node].stream == stream_per_job;
    if (own && q.head == none) streams_.give_back(stream);
    if (null_) {
      look_at_all(enter);
    } else if (q.head != none) {
      look(stream, enter);
    }
  }

  /// Calls keep less from starting than before.
  template <class Enter>
  void calls_let_go(Enter&& enter) {
    look_at_all(enter);
  }

 private:
  struct Queue {
    std::uint32_t head = none;
    std::uint32_t tail = none;
  };

  std::uint32_t& stream_of(std::uint32_t id) {
    if (id >= stream_of_.size()) stream_of_.resize(id + 1, none);
    return stream_of_[id];
  }
  [[nodiscard]] std::int64_t issued(std::uint32_t id) const { return context_->jobs[id].key; }

  [[nodiscard]] bool is_non_blocking(std::uint32_t stream) const {
    return stream < context_->plan.non_blocking.size() && context_->plan.non_blocking[stream];
  }
  [[nodiscard]] bool may_enter(std::uint32_t stream) const {
    const std::uint32_t id = streams_[stream].head;
    if (calls_->any() && !calls_->may_start(issued(id), stream)) return false;
    if (!null_ || is_non_blocking(stream)) return true;
    if (stream != *null_) {  // N2
      const std::uint32_t null_head = streams_[*null_].head;
      return null_head == none || issued(null_head) > issued(id);
    }
    for (std::uint32_t s = 0; s < streams_.size(); ++s) {  // N1
      const std::uint32_t head = streams_[s].head;
      if (s != stream && head != none && !is_non_blocking(s) && issued(head) < issued(id)) return false;
    }
    return true;
  }
  template <class Enter>
  void look(std::uint32_t stream, Enter&& enter) {
    const std::uint32_t id = streams_[stream].head;
    if (context_->jobs[id].at_head || !may_enter(stream)) return;
    context_->jobs[id].at_head = true;
    enter(id);
  }
  // In the order of their issue, so that the EE queue is in that order too.
  template <class Enter>
  void look_at_all(Enter&& enter) {
    heads_.clear();
    for (std::uint32_t s = 0; s < streams_.size(); ++s) {
      if (streams_[s].head != none) heads_.push_back(s);
    }
    std::sort(heads_.begin(), heads_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return issued(streams_[a].head) < issued(streams_[b].head); });
    for (const std::uint32_t s : heads_) look(s, enter);
  }

  Context* context_;
  const Calls* calls_;
  std::optional<std::uint32_t> null_;
  Slots<Queue> streams_;
  std::vector<std::uint32_t> stream_of_;  // per job in a stream
  std::vector<std::uint32_t> heads_;      // scratch
};

}  // namespace rta::simulate
