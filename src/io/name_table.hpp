// Which number a name has: a hash table without memory of its own for each name.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace rta::io {

/// `a == b`, quickly where names differ in length or in the first byte.
[[nodiscard]] inline bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  return a.empty() || (a.front() == b.front() && std::memcmp(a.data(), b.data(), a.size()) == 0);
}

/// The names must outlive it.
class NameTable {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Requires that the name is not there yet.
  void add(std::string_view name, std::size_t number) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    slots_[slot_of(name)] = {name, number};
    ++size_;
  }

  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
    if (slots_.empty()) return std::nullopt;
    const Slot& slot = slots_[slot_of(name)];
    return slot.number == none ? std::nullopt : std::optional(slot.number);
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  struct Slot {
    std::string_view name;
    std::size_t number = none;
  };

  // Its slot, or the empty one where it belongs; at most half of the slots are taken.
  [[nodiscard]] std::size_t slot_of(std::string_view name) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash(name) & mask;
    while (slots_[at].number != none && !same_name(slots_[at].name, name)) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Slot> before(slots_.empty() ? 64 : 2 * slots_.size());
    std::swap(before, slots_);
    for (const Slot& slot : before) {
      if (slot.number != none) slots_[slot_of(slot.name)] = slot;
    }
  }

  // Eight bytes at a time: a product of 128 bits, both halves of it.
  [[nodiscard]] static std::size_t hash(std::string_view name) {
    std::uint64_t state = 0x9e37'79b9'7f4a'7c15U ^ name.size();
    const auto mix = [&](std::uint64_t bytes) {
      __extension__ using Product = unsigned __int128;
      const auto product = static_cast<Product>(state) * (bytes ^ 0xe703'7ed1'a0b4'28dbU);
      state = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
    };
    for (; name.size() >= 8; name.remove_prefix(8)) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, name.data(), 8);
      mix(bytes);
    }
    std::uint64_t rest = 0;
    for (const char c : name) rest = rest << 8U | static_cast<unsigned char>(c);
    mix(rest);
    return static_cast<std::size_t>(state);
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace rta::io
