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
    const std::uint64_t head = head_of(name);
    slots_[slot_of(name, head)] = {name, number, head};
    ++size_;
  }

  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
    if (slots_.empty()) return std::nullopt;
    const Slot& slot = slots_[slot_of(name, head_of(name))];
    return slot.number == none ? std::nullopt : std::optional(slot.number);
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t head_size = 8;
  struct Slot {
    std::string_view name;
    std::size_t number = none;
    std::uint64_t head = 0;  // the first bytes of the name, which tell most names apart
  };

  [[nodiscard]] static std::uint64_t head_of(std::string_view name) {
    std::uint64_t head = 0;
    if (name.size() >= head_size) {
      std::memcpy(&head, name.data(), head_size);
      return head;
    }
    for (const char c : name) head = head << 8U | static_cast<unsigned char>(c);
    return head;
  }

  [[nodiscard]] static bool is_same(const Slot& slot, std::string_view name, std::uint64_t head) {
    if (slot.head != head || slot.name.size() != name.size()) return false;
    return name.size() <= head_size || std::memcmp(slot.name.data() + head_size, name.data() + head_size, name.size() - head_size) == 0;
  }

  // Its slot, or the empty one where it belongs; at most half of the slots are taken.
  [[nodiscard]] std::size_t slot_of(std::string_view name, std::uint64_t head) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash(name, head) & mask;
    while (slots_[at].number != none && !is_same(slots_[at], name, head)) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Slot> before(slots_.empty() ? 64 : 2 * slots_.size());
    std::swap(before, slots_);
    for (const Slot& slot : before) {
      if (slot.number != none) slots_[slot_of(slot.name, slot.head)] = slot;
    }
  }

  // Eight bytes at a time: a product of 128 bits, both halves of it.
  [[nodiscard]] static std::size_t hash(std::string_view name, std::uint64_t head) {
    std::uint64_t state = 0x9e37'79b9'7f4a'7c15U ^ name.size();
    const auto mix = [&](std::uint64_t bytes) {
      __extension__ using Product = unsigned __int128;
      const auto product = static_cast<Product>(state) * (bytes ^ 0xe703'7ed1'a0b4'28dbU);
      state = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
    };
    mix(head);
    for (std::size_t at = head_size; at < name.size(); at += head_size) mix(head_of(name.substr(at)));
    return static_cast<std::size_t>(state);
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace rta::io
