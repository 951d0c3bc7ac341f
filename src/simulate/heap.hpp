// Priority queues without allocation once they have reached their size.
#pragma once

#include <boost/align/aligned_allocator.hpp>
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
  [[nodiscard]] Wide joined() const { return (static_cast<Wide>(key) << 64) | tag; }
};

/// A 4-ary heap, least first. The top is at place 3, so that the four children of a place, which are compared together, begin a cache line.
template <class T>
class Heap {
 public:
  [[nodiscard]] bool empty() const { return items_.size() == root; }
  [[nodiscard]] std::size_t size() const { return items_.size() - root; }
  [[nodiscard]] const T& top() const { return items_[root]; }

  void push(const T& item) {
    items_.push_back(item);
    rise(items_.size() - 1, item);
  }
  void pop() {
    const T last = items_.back();
    items_.pop_back();
    if (!empty()) sink(last);
  }
  void replace_top(const T& item) { sink(item); }

 private:
  static constexpr std::size_t root = 3;
  static constexpr std::size_t fits_in_cache = 4096;
  static constexpr std::size_t first_child(std::size_t at) { return 4 * (at - 2); }
  static constexpr std::size_t parent_of(std::size_t at) { return at / 4 + 2; }

  // Puts `item` where the top is missing: the gap sinks to a leaf, then `item`, which is mostly late, rises. The comparisons on the way
  // down are independent of each other and feed no branch, because branches on random times are mispredicted.
  void sink(const T item) {
    const std::size_t n = items_.size();
    std::size_t at = root;
    std::size_t first = first_child(root);
    while (first + 3 < n) {
      const T* c = items_.data() + first;
      // In a large heap the next children are far away, and which of the four groups it will be is not known yet.
      if (const std::size_t below = first_child(first); n > fits_in_cache && below < n) {
        for (std::size_t group = 0; group < 16; group += 64 / sizeof(T)) __builtin_prefetch(items_.data() + below + group);
      }
      const std::size_t a = static_cast<std::size_t>(c[1] < c[0]);
      const std::size_t b = 2 + static_cast<std::size_t>(c[3] < c[2]);
      const std::size_t least = a + (b - a) * static_cast<std::size_t>(c[b] < c[a]);
      items_[at] = c[least];
      at = first + least;
      first = first_child(at);
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
    while (at > root) {
      const std::size_t parent = parent_of(at);
      if (!(item < items_[parent])) break;
      items_[at] = items_[parent];
      at = parent;
    }
    items_[at] = item;
  }

  std::vector<T, boost::alignment::aligned_allocator<T, 64>> items_ = decltype(items_)(root);
};

/// Orders of a `WinnerTree`: whether a comes before b, or (`equal`) is equal to it; `last` is what empty slots have.
struct Earlier {
  using Key = Entry;
  static Key last() { return {never, 0, 0}; }
  bool operator()(const Entry& a, const Entry& b, bool equal) const { return a.joined() - equal < b.joined(); }
};
struct Later {
  using Key = Entry;
  static Key last() { return {-never, 0, 0}; }
  bool operator()(const Entry& a, const Entry& b, bool equal) const { return b.joined() < a.joined() + equal; }
};
struct Sooner {
  using Key = std::int64_t;
  static Key last() { return never; }
  bool operator()(std::int64_t a, std::int64_t b, bool equal) const { return a - equal < b; }
};

/// `b` in place of `a` where `take` is set. Of `?:` compilers make a branch, which is mispredicted every other time.
template <class T>
void take_if(bool take, T& a, T b) {
  a ^= (a ^ b) & -static_cast<T>(take);
}
inline void take_if(bool take, Entry& a, const Entry& b) {
  take_if(take, a.key, b.key);
  take_if(take, a.tag, b.tag);
}

/// The first of n slots, each with a key or empty, of equal ones that with the least number: a winner tree, whose updates take log2 n steps
/// without a branch on keys.
template <class Before>
class WinnerTree {
 public:
  using Key = typename Before::Key;

  explicit WinnerTree(std::uint32_t n) {
    while (leaves_ < n) leaves_ *= 2;
    keys_.assign(leaves_, Before::last());
    winner_.resize(std::size_t{2} * leaves_);
    for (std::uint32_t i = 0; i < leaves_; ++i) winner_[leaves_ + i] = i;
    for (std::size_t i = leaves_ - 1; i > 0; --i) winner_[i] = winner_[2 * i];
  }

  [[nodiscard]] bool empty() const { return !Before{}(top_key(), Before::last(), false); }
  [[nodiscard]] std::uint32_t top() const { return winner_[1]; }
  [[nodiscard]] const Key& key(std::uint32_t slot) const { return keys_[slot]; }
  [[nodiscard]] const Key& top_key() const { return keys_[winner_[1]]; }

  /// Requires a key that comes before that of empty slots.
  void set(std::uint32_t slot, const Key& key) {
    keys_[slot] = key;
    // What it meets on its way up does not depend on who wins.
    std::uint32_t first = slot;
    Key first_key = key;
    for (std::size_t i = leaves_ + slot; i > 1; i /= 2) {
      const std::uint32_t other = winner_[i ^ 1];
      const Key other_key = keys_[other];
      const bool other_first = Before{}(other_key, first_key, (i & 1) != 0);
      take_if(other_first, first, other);
      take_if(other_first, first_key, other_key);
      winner_[i / 2] = first;
    }
  }
  void clear(std::uint32_t slot) { set(slot, Before::last()); }

 private:
  std::size_t leaves_ = 1;
  std::vector<Key> keys_;              // by slot
  std::vector<std::uint32_t> winner_;  // 1: of all; node i: of 2 i and 2 i + 1; leaves_ + s: s
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
