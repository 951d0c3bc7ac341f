// Priority queues and a FIFO without allocation once they have reached their size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta::simulate {

inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// An id ordered by a key (an instant or a priority point), then by a sequence number.
struct Entry {
  static constexpr int id_bits = 24;
  static constexpr std::uint32_t id_mask = (1U << id_bits) - 1;

  std::int64_t key = 0;
  std::uint64_t tag = 0;  // sequence number, id

  Entry() = default;
  Entry(std::int64_t k, std::uint64_t sequence, std::uint32_t id) : key(k), tag(sequence << id_bits | id) {}
  [[nodiscard]] std::uint32_t id() const { return static_cast<std::uint32_t>(tag) & id_mask; }
  friend bool operator<(const Entry& a, const Entry& b) { return a.joined() < b.joined(); }

 private:
  [[nodiscard]] Wide joined() const { return (static_cast<Wide>(key) << 64) | tag; }
};

/// A 4-ary heap, least first.
template <class T>
class Heap {
 public:
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] const T& top() const { return items_.front(); }

  void push(const T& item) {
    items_.push_back(item);
    rise(items_.size() - 1, item);
  }
  void pop() {
    const T last = items_.back();
    items_.pop_back();
    if (!items_.empty()) sink(last);
  }
  void replace_top(const T& item) { sink(item); }

 private:
  // Puts `item` where the top is missing: the gap sinks to a leaf, then `item`, which is mostly late, rises. The comparisons on the way
  // down are independent of each other and feed no branch, because branches on random times are mispredicted.
  void sink(const T item) {
    const std::size_t n = items_.size();
    std::size_t at = 0;
    std::size_t first = 1;
    while (first + 3 < n) {
      const T* c = items_.data() + first;
      const std::size_t a = static_cast<std::size_t>(c[1] < c[0]);
      const std::size_t b = 2 + static_cast<std::size_t>(c[3] < c[2]);
      const std::size_t least = a + (b - a) * static_cast<std::size_t>(c[b] < c[a]);
      items_[at] = c[least];
      at = first + least;
      first = 4 * at + 1;
    }
    if (first < n) {
      std::size_t least = first;
      for (std::size_t child = first + 1; child < n; ++child) least = items_[child] < items_[least] ? child : least;
      items_[at] = items_[least];
      at = least;
    }
    rise(at, item);
  }
  void rise(std::size_t at, const T item) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!(item < items_[parent])) break;
      items_[at] = items_[parent];
      at = parent;
    }
    items_[at] = item;
  }

  std::vector<T> items_;
};

struct Earlier {
  static constexpr std::int64_t last = never;
  bool operator()(const Entry& a, const Entry& b) const { return a < b; }
};
struct Later {
  static constexpr std::int64_t last = -never;
  bool operator()(const Entry& a, const Entry& b) const { return b < a; }
};

/// The first of n slots, each with a key or empty: a winner tree, whose updates take log2 n steps without a branch on keys.
template <class Before>
class WinnerTree {
 public:
  explicit WinnerTree(std::uint32_t n) {
    while (leaves_ < n) leaves_ *= 2;
    keys_.assign(leaves_, Entry(Before::last, 0, 0));
    winner_.resize(std::size_t{2} * leaves_);
    for (std::uint32_t i = 0; i < leaves_; ++i) winner_[leaves_ + i] = i;
    for (std::size_t i = leaves_ - 1; i > 0; --i) winner_[i] = winner_[2 * i];
  }

  [[nodiscard]] bool empty() const { return top_key().key == Before::last; }
  [[nodiscard]] std::uint32_t top() const { return winner_[1]; }
  [[nodiscard]] const Entry& key(std::uint32_t slot) const { return keys_[slot]; }
  [[nodiscard]] const Entry& top_key() const { return keys_[winner_[1]]; }

  /// Requires a key that comes before `Before::last`.
  void set(std::uint32_t slot, const Entry& key) {
    keys_[slot] = key;
    for (std::size_t i = (leaves_ + slot) / 2; i > 0; i /= 2) {
      const std::uint32_t a = winner_[2 * i];
      const std::uint32_t b = winner_[2 * i + 1];
      winner_[i] = Before{}(keys_[b], keys_[a]) ? b : a;
    }
  }
  void clear(std::uint32_t slot) { set(slot, Entry(Before::last, 0, 0)); }

 private:
  std::size_t leaves_ = 1;
  std::vector<Entry> keys_;            // by slot
  std::vector<std::uint32_t> winner_;  // 1: of all; node i: of 2 i and 2 i + 1; leaves_ + s: s
};

/// First in, first out.
class Fifo {
 public:
  [[nodiscard]] bool empty() const { return head_ == tail_; }
  [[nodiscard]] std::uint32_t front() const { return ring_[head_ & mask()]; }
  void push(std::uint32_t id) {
    if (tail_ - head_ == ring_.size()) grow();
    ring_[tail_++ & mask()] = id;
  }
  void pop() { ++head_; }

 private:
  [[nodiscard]] std::size_t mask() const { return ring_.size() - 1; }
  void grow() {
    std::vector<std::uint32_t> larger(2 * ring_.size());
    for (std::size_t i = 0; i < ring_.size(); ++i) larger[i] = ring_[(head_ + i) & mask()];
    tail_ = ring_.size();
    head_ = 0;
    ring_ = std::move(larger);
  }

  std::vector<std::uint32_t> ring_ = std::vector<std::uint32_t>(16);  // a power of two
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

/// A set of small numbers that gives its least member.
class LeastSet {
 public:
  explicit LeastSet(std::uint32_t n) : words_((n + 63) / 64) {
    for (std::uint32_t i = 0; i < n; ++i) insert(i);
  }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  void insert(std::uint32_t i) {
    words_[i / 64] |= std::uint64_t{1} << (i % 64);
    ++size_;
  }
  /// Requires a member.
  std::uint32_t take() {
    std::uint32_t word = 0;
    while (words_[word] == 0) ++word;
    const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(words_[word]));
    words_[word] &= words_[word] - 1;
    --size_;
    return 64 * word + bit;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::uint32_t size_ = 0;
};

}  // namespace rta::simulate
