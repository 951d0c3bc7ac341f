// A large document in parts that can be parsed each alone, on all cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace rta::io {

/// Whole lines of a file.
struct YamlPart {
  std::string_view text;
  std::uint32_t line = 0;  // how many come before
};

/// A document whose top-level list `dags` or `tasks` is cut between entries.
struct YamlParts {
  YamlPart head;                  // all that comes before, with the list's first entries
  std::size_t entries_at = 0;     // where these begin in it
  std::vector<YamlPart> entries;  // more entries each
  YamlPart rest;                  // the keys after the list; its text is empty where none are
  YamlPart key;                   // the list's
  std::uint32_t indentation = 0;  // of its entries
};

/// Parts of about `size` bytes, cut where a line looks like the beginning of an entry. It is one where each part is either read by
/// `read_plain` or `stands_alone`. Nothing where there is no list to cut.
[[nodiscard]] std::optional<YamlParts> yaml_parts(std::string_view text, std::size_t size);
/// Whether the lines of some entries with that indentation show that each line with that indentation begins an entry for each YAML parser,
/// whatever stands before the list.
[[nodiscard]] bool stands_alone(std::string_view entries, std::size_t indentation);

}  // namespace rta::io
