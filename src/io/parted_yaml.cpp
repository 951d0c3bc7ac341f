#include "parted_yaml.hpp"

#include "plain_yaml.hpp"

namespace rta::io {
namespace {

// A part whose entries begin at byte `entries_at`. Nothing where it is wrong, or where other parts might not begin with an entry.
std::optional<YamlPiece> read_entries(const YamlPart& part, std::size_t depth, std::size_t entries_at, std::size_t indentation) {
  if (auto values = read_plain(part, depth)) return YamlPiece{nullptr, std::move(*values)};
  if (!stands_alone(part.text.substr(entries_at), indentation)) return std::nullopt;
  Diagnostics unread("");
  auto piece = read_by_libyaml(part, depth, unread);
  return unread.failed() ? std::nullopt : std::optional(std::move(piece));
}

// A value that is all of its piece, and where it is expected.
bool is_whole(const std::vector<Value>& values, Value::Kind kind, Mark at) {
  return !values.empty() && values.front().extent == values.size() && values.front().kind == kind && values.front().mark.line == at.line &&
         values.front().mark.column == at.column;
}

// The index of the list that is cut, if it is what the head ends with.
std::optional<std::size_t> cut_list(const std::vector<Value>& head, const YamlParts& parts) {
  if (head.size() < 2 || !is_whole(head, Value::Kind::mapping, {head.front().mark.line, 1})) return std::nullopt;
  const Value* key = head.data() + 1;
  while (key->next()->next() != head.data() + head.size()) key += key->extent + key->next()->extent;
  const Value& list = key[key->extent];
  const bool named = key->text == parts.key.text && key->mark.line == parts.key.line + 1 && key->mark.column == 1;
  const bool begins = list.mark.line == parts.key.line + 2 && list.mark.column == parts.indentation + 1;
  if (!named || !begins || list.kind != Value::Kind::sequence) return std::nullopt;
  return static_cast<std::size_t>(&list - head.data());
}

}  // namespace

std::optional<PartedYaml> PartedYaml::read(std::string_view text, std::size_t part) {
  auto parts = yaml_parts(text, part);
  if (!parts) return std::nullopt;
  PartedYaml yaml;
  yaml.parts_ = std::move(*parts);
  const YamlPart& behind = yaml.parts_.rest;
  YamlPiece rest;
  Diagnostics unread("");
  auto head = read_entries(yaml.parts_.head, 0, yaml.parts_.entries_at, yaml.parts_.indentation);
  if (!head) return std::nullopt;
  yaml.piece_ = std::move(*head);
  if (!behind.text.empty()) rest = read_piece(behind, 0, unread);
  std::vector<Value>& values = yaml.piece_.values;
  const auto list = cut_list(values, yaml.parts_);
  if (!list || unread.failed()) return std::nullopt;
  yaml.list_ = *list;
  if (behind.text.empty()) return yaml;
  if (!is_whole(rest.values, Value::Kind::mapping, {behind.line + 1, 1})) return std::nullopt;
  values.insert(values.end(), rest.values.begin() + 1, rest.values.end());
  values.front().extent = static_cast<std::uint32_t>(values.size());
  yaml.rest_ = std::move(rest.texts);
  return yaml;
}

std::optional<YamlPiece> PartedYaml::entries(const YamlPart& part) const {
  auto piece = read_entries(part, 1, 0, parts_.indentation);
  if (piece && !is_whole(piece->values, Value::Kind::sequence, {part.line + 1, parts_.indentation + 1})) return std::nullopt;
  return piece;
}

}  // namespace rta::io
