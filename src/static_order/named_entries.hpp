// Lists of names with keys below them, as graph files are made of.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../io/fields.hpp"
#include "../io/yaml_tree.hpp"

namespace rta::static_order {

/// `- name: {key: value}`, or `- name:` with the keys beside it.
struct NamedEntry {
  std::string_view name;
  io::Mark mark;
  const io::Value* value;  // what stands behind the name; the whole entry where the keys are beside it
  bool beside = false;
};

/// Reads such lists; holds what stands for values that are not written.
class NamedEntries {
 public:
  explicit NamedEntries(io::Diagnostics& out) : out_(out) {}

  /// The entries of a list; `what`: of what kind they are, for messages. Entries that are none are reported.
  [[nodiscard]] std::vector<NamedEntry> read(const io::Value& list, std::string_view what, std::span<const std::string_view> keys);
  /// The keys of an entry. Others than `keys` are reported.
  [[nodiscard]] io::Fields fields(const NamedEntry& entry, io::Subject subject, std::span<const std::string_view> keys);

 private:
  [[nodiscard]] bool add(const io::Value& item, std::span<const std::string_view> keys, std::vector<NamedEntry>& entries);

  io::Diagnostics& out_;
  std::deque<io::Value> empty_;
};

/// The values of a list of plain values; a key without value, or without list, has none. Others are reported.
[[nodiscard]] std::vector<const io::Value*> plain_list(const io::Fields& fields, std::string_view key, std::string_view what);

/// Reports a name that is none: more than one word, too long, or, where it must not be `dotted`, one with a full stop.
[[nodiscard]] bool check_name(std::string_view name, io::Mark at, bool dotted, io::Diagnostics& out);

}  // namespace rta::static_order
