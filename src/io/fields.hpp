// A mapping with known keys, and the scalars in it: every wrong key and every wrong value is reported with its position.
#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics.hpp"
#include "exact_time.hpp"
#include "key.hpp"
#include "name_table.hpp"
#include "rta/model/quantity.hpp"
#include "yaml_tree.hpp"

namespace rta::io {

/// A unit of a quantity and its size in the base unit (ns, bytes).
struct Unit {
  std::string_view name;
  std::int64_t size;
};
inline constexpr std::array<Unit, 4> time_units{{{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}};
inline constexpr std::array<Unit, 3> size_units{{{"B", 1}, {"KiB", 1024}, {"MiB", std::int64_t{1024} * 1024}}};

/// `a, b, c`; of long lists the beginning.
[[nodiscard]] std::string joined(std::span<const std::string_view> words);
/// `; did you mean 'x'?` for the closest of the first few hundred candidates, or nothing when none is close.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

/// Checks a name of a pool, DAG, node or group: one word, without `->`. Returns the reason why it is none, or nothing.
[[nodiscard]] std::optional<std::string> name_fault(std::string_view name);

class Fields {
 public:
  /// Reports a value that is no mapping, keys that are no words and duplicate keys. `mapping` must outlive this.
  /// `key`: where the mapping stands in its subject, e.g. `nodes`.
  Fields(const Value& mapping, Subject subject, Diagnostics& out, std::string_view key = {});

  /// False when the value is no mapping: nothing can be found in it.
  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] Subject subject() const { return subject_; }
  void rename(Subject subject) { subject_ = subject; }

  /// Reports every key that is neither in `allowed` nor in `elsewhere`; returns the keys that are in `elsewhere` only.
  std::vector<const Value*> allow_only(const KeySet& allowed, const KeySet& elsewhere = {}) const;

  struct Field {
    const Value* key;
    const Value* value;
  };
  /// Keys and values in file order, duplicates left out.
  [[nodiscard]] std::span<const Field> all() const { return {fields_.data(), fields_.size()}; }

  [[nodiscard]] bool has(Key key) const { return find(key) != nullptr; }
  /// Of a key in `all()`.
  [[nodiscard]] std::optional<std::size_t> index_of(Key key) const {
    if (key.number() == 0) return index_of_text(key.text());
    return (present_ & bit_of(key.number())) != 0 ? std::optional<std::size_t>(places_[key.number()]) : std::nullopt;
  }
  [[nodiscard]] const Value* find(Key key) const {
    if (key.number() != 0) return (present_ & bit_of(key.number())) != 0 ? fields_[places_[key.number()]].value : nullptr;
    const auto index = index_of_text(key.text());
    return index ? fields_[*index].value : nullptr;
  }
  /// As `find`, but a missing key is an error: `'T' is missing: <hint>`.
  [[nodiscard]] const Value* require(Key key, std::string_view hint) const;

  void error(const Value& at, std::string_view message) const { out_->error(at.mark, subject_, message); }
  void error(Mark at, std::string_view message) const { out_->error(at, subject_, message); }
  void warn(const Value& at, std::string_view message) const { out_->warn(at.mark, subject_, message); }
  [[nodiscard]] const Value& mapping() const { return *mapping_; }
  /// The mapping that is the value of `key`; `value` must be that value.
  [[nodiscard]] Fields within(std::string_view key, const Value& value) const { return {value, subject_, *out_, key}; }

  // Scalars. Each is empty when the key is absent or its value is wrong (then reported).

  /// Word of at most 255 bytes that may name something.
  [[nodiscard]] std::optional<std::string_view> name(Key key) const { return has(key) ? written_name(key) : std::nullopt; }
  /// One of `words`, as its index.
  [[nodiscard]] std::optional<std::size_t> choice(Key key, std::span<const std::string_view> words) const {
    return has(key) ? written_choice(key, words) : std::nullopt;
  }
  [[nodiscard]] std::optional<bool> flag(Key key) const { return has(key) ? written_flag(key) : std::nullopt; }
  [[nodiscard]] std::optional<std::uint64_t> integer(Key key, std::uint64_t least, std::uint64_t most) const {
    return has(key) ? written_integer(key, least, most) : std::nullopt;
  }
  /// Whole ns in [least, most]; `default_unit` is what a number without unit counts (`time_unit`).
  [[nodiscard]] std::optional<Wide> time(Key key, const Unit* default_unit, Wide least,
                                         Wide most = std::numeric_limits<std::int64_t>::max()) const {
    return has(key) ? written_time(key, default_unit, least, most) : std::nullopt;
  }
  /// A time of at least 1 ns, or a rate (`30 Hz`), whose period is rounded down to whole ns: jobs come no closer to each other than that.
  [[nodiscard]] std::optional<Wide> period(Key key, const Unit* default_unit) const;
  /// The same, not rounded.
  [[nodiscard]] std::optional<ExactTime> exact_period(Key key, const Unit* default_unit) const;
  /// Bytes.
  [[nodiscard]] std::optional<std::uint64_t> size(Key key, std::uint64_t least) const;

 private:
  /// The scalar of `key`; other kinds of values are reported as not being `expected` (in one of `units`).
  [[nodiscard]] const Value* scalar(Key key, std::string_view expected, std::span<const Unit> units = {}) const;
  [[nodiscard]] std::optional<Wide> quantity(Key key, std::string_view what, std::string_view base, std::span<const Unit> units,
                                             const Unit* default_unit, Wide least, Wide most) const;

  // Each is called where the key is present, which most are not that are asked for.
  [[nodiscard]] std::optional<std::string_view> written_name(Key key) const;
  [[nodiscard]] std::optional<std::size_t> written_choice(Key key, std::span<const std::string_view> words) const;
  [[nodiscard]] std::optional<bool> written_flag(Key key) const;
  [[nodiscard]] std::optional<std::uint64_t> written_integer(Key key, std::uint64_t least, std::uint64_t most) const;
  [[nodiscard]] std::optional<Wide> written_time(Key key, const Unit* default_unit, Wide least, Wide most) const;

  // Of a key without a number.
  [[nodiscard]] std::optional<std::size_t> index_of_text(std::string_view key) const;
  // One bit of 64 for a key's length and first byte: most that are looked for are not there.
  [[nodiscard]] static std::uint64_t beginning(std::string_view key) {
    return std::uint64_t{1} << ((key.empty() ? 0U : static_cast<unsigned char>(key.front()) + key.size()) % 64U);
  }

  const Value* mapping_;
  Subject subject_;
  Diagnostics* out_;
  boost::container::small_vector<Field, 8> fields_;
  NameTable index_;  // of mappings with many keys
  KeyBits present_ = 0;
  std::array<std::uint32_t, numbered_keys.size() + 1> places_;  // in `fields_`, of the keys with numbers that are present
  std::uint64_t beginnings_ = 0;                                // of the others
  bool usable_ = false;
};

/// The file's `time_unit`, if it has one. A wrong one is reported once, and not again at each number without unit.
[[nodiscard]] const Unit* read_time_unit(const Fields& top);

}  // namespace rta::io
