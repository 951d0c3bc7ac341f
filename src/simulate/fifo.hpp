// Queues that mostly grow at their end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "heap.hpp"

namespace rta::simulate {

/// First in, first out.
template <class T>
class Ring {
 public:
  [[nodiscard]] bool empty() const { return head_ == tail_; }
  [[nodiscard]] const T& front() const { return ring_[head_ & mask()]; }
  [[nodiscard]] const T& back() const { return ring_[(tail_ - 1) & mask()]; }
  /// The one that is `n` behind the front, or the last.
  [[nodiscard]] const T& behind(std::size_t n) const { return ring_[std::min(head_ + n, tail_ - 1) & mask()]; }
  void push(const T& item) {
    if (tail_ - head_ == ring_.size()) grow();
    ring_[tail_++ & mask()] = item;
  }
  void pop() { ++head_; }

 private:
  [[nodiscard]] std::size_t mask() const { return ring_.size() - 1; }
  void grow() {
    std::vector<T> larger(2 * ring_.size());
    for (std::size_t i = 0; i < ring_.size(); ++i) larger[i] = ring_[(head_ + i) & mask()];
    tail_ = ring_.size();
    head_ = 0;
    ring_ = std::move(larger);
  }

  std::vector<T> ring_ = std::vector<T>(16);  // a power of two
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

using Fifo = Ring<std::uint32_t>;

/// Least first. Those that come in order wait in a row, the rest in a heap: all where all come in order, as in a FIFO queue, else of many,
/// as of jobs that become ready one after the other and are equally urgent.
class ReadyQueue {
 public:
  [[nodiscard]] bool empty() const { return row_.empty() && heap_.empty(); }
  [[nodiscard]] const Entry& top() const { return row_first() ? row_.front() : heap_.top(); }
  /// One of those that come soon; requires that some are left.
  [[nodiscard]] const Entry& soon() const { return row_first() ? row_.behind(ahead) : heap_.top(); }

  void push(const Entry& item) {
    if (row_.empty() ? heap_.size() >= for_a_row_ : !(item < row_.back())) {
      row_.push(item);
    } else {
      heap_.push(item);
      for_a_row_ = worth_a_row;
    }
  }
  void pop() {
    if (row_first()) {
      row_.pop();
    } else {
      heap_.pop();
    }
  }
  void replace_top(const Entry& item) {
    if (row_first()) {
      row_.pop();
      push(item);
    } else {
      heap_.replace_top(item);
    }
  }

 private:
  static constexpr std::size_t ahead = 3;
  static constexpr std::size_t worth_a_row = 256;  // fewer are quick in a heap alone, and nobody has to ask which of the two comes first
  [[nodiscard]] bool row_first() const { return heap_.empty() || (!row_.empty() && row_.front() < heap_.top()); }

  Ring<Entry> row_;
  Heap<Entry> heap_;
  std::size_t for_a_row_ = 0;  // how many wait in the heap before a row begins
};

}  // namespace rta::simulate
