// Sets of a DAG's nodes.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>

namespace rta::analysis::path {

/// Of up to 64 nodes without memory of its own. Those that are put together are of one DAG.
class NodeBits {
 public:
  explicit NodeBits(std::size_t nodes) : words_((nodes + 63) / 64, 0) {}

  void set(std::size_t u) { words_[u / 64] |= std::uint64_t{1} << (u % 64); }
  [[nodiscard]] bool operator[](std::size_t u) const { return ((words_[u / 64] >> (u % 64)) & 1U) != 0; }
  NodeBits& operator|=(const NodeBits& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  NodeBits& operator&=(const NodeBits& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  [[nodiscard]] bool is_subset_of(const NodeBits& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & ~other.words_[i]) != 0) return false;
    }
    return true;
  }

  /// Calls visit(u) for each of them, in increasing order, but for those in `without`.
  template <class Visit>
  void visit_without(const NodeBits& without, Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) visit_word(i, words_[i] & ~without.words_[i], visit);
  }
  template <class Visit>
  void visit(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) visit_word(i, words_[i], visit);
  }
  /// The same, until one returns true: then true.
  template <class Visit>
  [[nodiscard]] bool any_of(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t bits = words_[i]; bits != 0; bits &= bits - 1) {
        if (visit(place(i, bits))) return true;
      }
    }
    return false;
  }

 private:
  [[nodiscard]] static std::size_t place(std::size_t word, std::uint64_t bits) {
    return word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
  }
  template <class Visit>
  static void visit_word(std::size_t word, std::uint64_t bits, Visit visit) {
    for (; bits != 0; bits &= bits - 1) visit(place(word, bits));
  }

  boost::container::small_vector<std::uint64_t, 1> words_;
};

}  // namespace rta::analysis::path
