// Which of some nodes of a DAG come before or after each node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// Node of the class -> a set of the `nodes` that are asked about, by their places among these.
class Relations {
 public:
  Relations() = default;  // none
  [[nodiscard]] static Relations ancestors_or_selves(const Class& c, std::span<const std::uint32_t> nodes);
  [[nodiscard]] static Relations strict_descendants(const Class& c, std::span<const std::uint32_t> nodes);

  [[nodiscard]] bool empty() const { return bits_.empty(); }
  [[nodiscard]] bool has(std::size_t v, std::size_t i) const { return ((bits_[v * words_ + i / 64] >> (i % 64)) & 1U) != 0; }

  /// Calls visit(i) for the places from <= i < to in the set of v, in increasing order.
  template <class Visit>
  void visit(std::size_t v, std::size_t from, std::size_t to, Visit visit) const {
    for (std::size_t word = from / 64; word * 64 < to; ++word) {
      std::uint64_t bits = bits_[v * words_ + word];
      if (word * 64 < from) bits &= ~std::uint64_t{0} << (from % 64);
      if (to - word * 64 < 64) bits &= (std::uint64_t{1} << (to % 64)) - 1;
      for (; bits != 0; bits &= bits - 1) visit(word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)));
    }
  }

 private:
  Relations(std::size_t size, std::size_t nodes) : words_((nodes + 63) / 64), bits_(size * words_, 0) {}
  void add(std::size_t v, std::size_t i) { bits_[v * words_ + i / 64] |= std::uint64_t{1} << (i % 64); }
  void add_all(std::size_t to, std::size_t from) {
    for (std::size_t word = 0; word < words_; ++word) bits_[to * words_ + word] |= bits_[from * words_ + word];
  }

  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace rta::analysis::path
