// A large document of which the later entries of one list are read where they are used.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "yaml_parts.hpp"
#include "yaml_piece.hpp"

namespace rta::io {

/// Texts of so many bytes are read in parts of about so many.
inline constexpr std::size_t large_text = 1U << 20U;
inline constexpr std::size_t usual_part = 1U << 16U;

/// libyaml would count the mark as a column, and take no directive behind it.
[[nodiscard]] inline std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

/// All of a document but the entries in `parts()`, which belong behind those in `list()`.
class PartedYaml {
 public:
  /// In parts of about `part` bytes; `text` has to outlive it. Nothing where the document has no such list or is wrong: then whoever reads
  /// the whole finds what.
  [[nodiscard]] static std::optional<PartedYaml> read(std::string_view text, std::size_t part);

  [[nodiscard]] const Value& root() const { return piece_.values.front(); }
  [[nodiscard]] const Value& list() const { return piece_.values[list_]; }
  [[nodiscard]] std::span<const YamlPart> parts() const { return parts_.entries; }
  /// How many values there are without those in parts.
  [[nodiscard]] std::size_t size() const { return piece_.values.size(); }
  /// A sequence of the part's entries; nothing where the part is wrong. From any thread.
  [[nodiscard]] std::optional<YamlPiece> entries(const YamlPart& part) const;
  /// The texts of the values so far, which must live as long as those.
  [[nodiscard]] std::array<YamlTexts, 2> take_texts() { return {std::move(piece_.texts), std::move(rest_)}; }

 private:
  YamlParts parts_;
  YamlPiece piece_;  // what stands before the parts and behind them
  YamlTexts rest_;   // of the latter
  std::size_t list_ = 0;
};

}  // namespace rta::io
