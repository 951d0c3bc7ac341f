#include "yaml_tree.hpp"

#include <tbb/parallel_for.h>

#include <atomic>
#include <utility>

#include "parted_yaml.hpp"

namespace rta::io {

YamlTree::YamlTree(std::string_view text, Diagnostics& out) : YamlTree(text, out, large_text, usual_part) {}

YamlTree::YamlTree(std::string_view text, Diagnostics& out, std::size_t least, std::size_t part) {
  text = without_byte_order_mark(text);
  if (text.size() >= least && read_in_parts(text, part)) return;
  YamlPiece piece = read_piece({text, 0}, 0, out);
  values_ = std::move(piece.values);
  texts_.push_back(std::move(piece.texts));
}

bool YamlTree::read_in_parts(std::string_view text, std::size_t part) {
  auto parted = PartedYaml::read(text, part);
  if (!parted) return false;
  std::vector<std::optional<YamlPiece>> pieces(parted->parts().size());
  std::atomic<bool> sound = true;
  tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t i) {
    if (sound) pieces[i] = parted->entries(parted->parts()[i]);
    if (!pieces[i]) sound = false;
  });
  if (!sound) return false;
  std::size_t count = parted->size();
  for (const auto& piece : pieces) count += piece->values.size();
  if (count >= most_values) return false;

  values_.reserve(count);
  values_.assign(&parted->root(), parted->list().next());
  const auto list = static_cast<std::size_t>(&parted->list() - &parted->root());
  for (auto& piece : pieces) {
    values_.insert(values_.end(), piece->values.begin() + 1, piece->values.end());
    texts_.push_back(std::move(piece->texts));
    piece.reset();
  }
  values_[list].extent = static_cast<std::uint32_t>(values_.size() - list);
  values_.insert(values_.end(), parted->list().next(), parted->root().next());
  values_.front().extent = static_cast<std::uint32_t>(values_.size());
  for (auto& texts : parted->take_texts()) texts_.push_back(std::move(texts));
  return true;
}

}  // namespace rta::io
