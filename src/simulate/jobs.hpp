// Jobs in flight, in pools of slots that are used again.
#pragma once

#include <cstdint>
#include <vector>

#include "heap.hpp"
#include "rta/simulate/statistics.hpp"

namespace rta::simulate {

/// One job of one node; one cache line.
struct alignas(64) Job {
  std::int64_t ready = 0;        // when it entered its pool's queue or its stream (sequential: when it was ready)
  std::int64_t key = 0;          // CPU: priority point; GPU and copies: when it was issued, as a sequence number
  std::int64_t work = 0;         // CPU: left to run; else: length of a piece, its overhead left out, when all are equally long
  std::int64_t started = 0;      // first start
  std::uint64_t number = 0;      // of the job
  std::uint32_t unassigned = 0;  // pieces
  std::uint32_t unfinished = 0;  // pieces
  std::uint32_t node = 0;
  std::uint32_t dag_job = 0;
  std::uint32_t next = none;  // in its stream
  bool begun = false;
  bool at_head = false;     // of its stream, and free to enter its pool's queue
  bool for_thread = false;  // of a body's first node, which is none of processors: waits for the thread that issues it
  bool keeps = false;       // its processor when it has ended, for the next node of its body, or while its thread spins
};

/// One job of a DAG.
struct DagJob {
  std::int64_t release = 0;
  std::uint64_t number = 0;
  std::uint32_t dag = 0;
  std::uint32_t unfinished = 0;    // nodes
  std::uint32_t pending = 0;       // where its counts of unfinished predecessors begin
  std::uint32_t gate = 0;          // next gate to open
  std::uint32_t first_node = 0;    // of the DAG
  std::uint32_t next = none;       // of its DAG's slots that are free
  Statistics* nodes = nullptr;     // of its DAG's nodes
  std::int64_t run_key = 0;        // where the last of its nodes on processors under FIFO stood in the queue
  std::uint64_t run_place = 0;     // among equals
  bool begun = false;              // admitted
  std::uint32_t processor = none;  // that its thread keeps while it spins
};

/// Slots of T with stable ids, the last freed used first.
template <class T>
class Slots {
 public:
  [[nodiscard]] T& operator[](std::uint32_t id) { return items_[id]; }
  [[nodiscard]] const T& operator[](std::uint32_t id) const { return items_[id]; }
  /// Has the slot's cache line fetched.
  void expect(std::uint32_t id) const { __builtin_prefetch(&items_[id]); }
  [[nodiscard]] std::uint32_t take() {
    if (free_ == 0) {
      items_.emplace_back();
      freed_.push_back(none);
      return static_cast<std::uint32_t>(items_.size() - 1);
    }
    const std::uint32_t id = freed_[--free_];
    if (free_ >= ahead) expect(freed_[free_ - ahead]);
    return id;
  }
  void give_back(std::uint32_t id) { freed_[free_++] = id; }
  /// All slots, taken or not.
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  /// How many are taken.
  [[nodiscard]] std::size_t in_use() const { return items_.size() - free_; }

 private:
  static constexpr std::size_t ahead = 4;

  std::vector<T> items_;
  std::vector<std::uint32_t> freed_;  // the first `free_` of as many as there are slots
  std::size_t free_ = 0;
};

}  // namespace rta::simulate
