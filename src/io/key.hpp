// Keys that readers look for. Those that large files are full of have numbers, by which they are found without comparing texts.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace rta::io {

/// Of DAGs, nodes and edges.
inline constexpr std::array<std::string_view, 30> numbered_keys{
    "name",      "copies",     "T",     "T_max", "jitter", "phase", "D",   "priority", "process",       "nodes",
    "edges",     "on",         "C",     "B",     "H",      "L",     "per", "time",     "shared_memory", "registers",
    "direction", "sequential", "group", "path",  "from",   "to",    "cut", "max",      "min",           "mode"};

/// Which of `numbered_keys` a text is, counted from 1; 0: none of them.
class KeyNumbers {
 public:
  constexpr KeyNumbers() {
    for (std::size_t i = 0; i < numbered_keys.size(); ++i) {
      std::uint8_t& number = numbers_[slot_of(numbered_keys[i])];
      distinct_ = distinct_ && number == 0;
      number = static_cast<std::uint8_t>(i + 1);
    }
  }

  [[nodiscard]] constexpr std::uint8_t of(std::string_view text) const {
    if (text.empty()) return 0;
    const std::uint8_t number = numbers_[slot_of(text)];
    return number != 0 && is_same(numbered_keys[number - 1U], text) ? number : std::uint8_t{0};
  }

  /// Whether each key has a slot of its own.
  [[nodiscard]] constexpr bool distinct() const { return distinct_; }

 private:
  static constexpr std::size_t slots = 64;

  // The factors are some that tell the keys apart.
  [[nodiscard]] static constexpr std::size_t slot_of(std::string_view text) {
    const auto byte = [](char c) { return static_cast<std::size_t>(static_cast<unsigned char>(c)); };
    return (2 * byte(text.front()) + 7 * byte(text.back()) + 18 * text.size()) % slots;
  }

  // Most are a byte or two, for which a call of `memcmp` takes longer.
  [[nodiscard]] static constexpr bool is_same(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }

  std::array<std::uint8_t, slots> numbers_{};
  bool distinct_ = true;
};
inline constexpr KeyNumbers key_numbers;
static_assert(key_numbers.distinct());

/// A key with its number, small enough for two registers. A literal's number is known when the program is built.
class Key {
 public:
  template <std::size_t n>
  consteval Key(const char (&literal)[n]) : Key(std::string_view(literal, n - 1)) {}  // NOLINT(google-explicit-constructor)
  constexpr Key(std::string_view text)                                                // NOLINT(google-explicit-constructor)
      : begin_(text.data()), size_(static_cast<std::uint32_t>(text.size())), number_(key_numbers.of(text)) {}

  [[nodiscard]] constexpr std::string_view text() const { return {begin_, size_}; }
  [[nodiscard]] constexpr std::uint8_t number() const { return number_; }

 private:
  const char* begin_;
  std::uint32_t size_;
  std::uint8_t number_;
};

/// Bit i: whether key number i is among some keys; bit 0: whether one without a number is.
using KeyBits = std::uint64_t;
[[nodiscard]] constexpr KeyBits bit_of(std::uint8_t number) { return KeyBits{1} << number; }

/// Keys that a mapping may have.
class KeySet {
 public:
  constexpr KeySet() = default;
  template <class Words>
  requires std::convertible_to<const Words&, std::span<const std::string_view>>
  constexpr KeySet(const Words& words) : words_(words) {  // NOLINT(google-explicit-constructor): wherever words are given
    for (const std::string_view word : words_) {
      if (const std::uint8_t number = key_numbers.of(word); number != 0) numbered_ |= bit_of(number);
    }
  }

  [[nodiscard]] constexpr std::span<const std::string_view> words() const { return words_; }
  /// Those with numbers.
  [[nodiscard]] constexpr KeyBits numbered() const { return numbered_; }

 private:
  std::span<const std::string_view> words_;
  KeyBits numbered_ = 0;
};

}  // namespace rta::io
