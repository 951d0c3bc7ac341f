#include "plain_yaml.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "yaml_piece.hpp"

namespace rta::io {
namespace {

// What a byte of a plain scalar may be; what YAML might take for anything else is left out.
constexpr std::uint8_t begins = 1, in_flow = 2, in_block = 4;

constexpr std::array<std::uint8_t, 256> plain_bytes = [] {
  std::array<std::uint8_t, 256> table{};
  const auto allow = [&](std::string_view some, std::uint8_t where) {
    for (const char c : some) table[static_cast<unsigned char>(c)] = where;
  };
  allow("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", begins | in_flow | in_block);
  allow(" .-/+<>=()%;^~", in_flow | in_block);
  allow(",[]{}", in_block);
  return table;
}();

bool is(char c, std::uint8_t where) { return (plain_bytes[static_cast<unsigned char>(c)] & where) != 0; }

// libyaml takes keys of up to 1024 characters.
constexpr std::size_t longest_key = 512;

class PlainReader {
 public:
  PlainReader(const YamlPart& part, std::size_t depth)
      : at_(part.text.data()), end_(at_ + part.text.size()), line_begin_(at_), line_(part.line + 1), depth_(depth) {
    values_.reserve(std::min(part.text.size() / bytes_a_value, most_values));
  }

  [[nodiscard]] std::optional<std::vector<Value>> read() {
    while (at_ != end_) {
      line_begin_ = at_;
      if (!read_line()) return std::nullopt;
      if (at_ != end_) ++at_;  // the line's end
      ++line_;
    }
    if (blocks_.empty() || value_expected_) return std::nullopt;
    while (!blocks_.empty()) close_block();
    if (values_.size() >= most_values) return std::nullopt;
    return std::move(values_);
  }

 private:
  // A list or mapping in block style whose end is not known yet.
  struct Block {
    std::size_t column = 0;
    std::size_t value = 0;
    bool list = false;
  };

  [[nodiscard]] bool at_line_end() const { return at_ == end_ || *at_ == '\n'; }
  [[nodiscard]] std::size_t column() const { return static_cast<std::size_t>(at_ - line_begin_); }
  [[nodiscard]] Mark mark_of(const char* at) const { return {line_, static_cast<std::uint32_t>(at - line_begin_) + 1}; }

  void skip_spaces() {
    while (at_ != end_ && *at_ == ' ') ++at_;
  }

  bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  bool read_line() {
    skip_spaces();
    if (at_line_end()) return true;
    if (*at_ == '#') return skip_comment();
    const bool entry = *at_ == '-' && at_ + 1 != end_ && at_[1] == ' ';
    if (!begin_block(column(), entry)) return false;
    return entry ? read_entry() : read_key_and_value();
  }

  bool skip_comment() {
    while (!at_line_end()) {
      if (*at_ < 0x20 || *at_ > 0x7e) return false;
      ++at_;
    }
    return true;
  }

  // To the list or mapping that a line at this column belongs to, which is new where a value is expected.
  bool begin_block(std::size_t column, bool list) {
    if (value_expected_ || values_.empty()) {
      if (!blocks_.empty() && column <= blocks_.back().column) return false;
      value_expected_ = false;
      return open_block(column, list);
    }
    while (!blocks_.empty() && blocks_.back().column > column) close_block();
    return !blocks_.empty() && blocks_.back().column == column && blocks_.back().list == list;
  }

  bool open_block(std::size_t column, bool list) {
    if (blocks_.size() + depth_ >= deepest_nesting) return false;
    blocks_.push_back({column, values_.size(), list});
    add(at_, list ? Value::Kind::sequence : Value::Kind::mapping, {});
    return true;
  }

  void close_block() {
    close(blocks_.back().value);
    blocks_.pop_back();
  }

  void close(std::size_t value) { values_[value].extent = static_cast<std::uint32_t>(values_.size() - value); }

  void add(const char* at, Value::Kind kind, std::string_view text) {
    values_.push_back({text, mark_of(at), 1, kind, kind == Value::Kind::scalar});
  }

  // `- ` and what follows on the line: a value, or the first key of a mapping.
  bool read_entry() {
    at_ += 2;
    if (at_line_end()) return false;
    if (*at_ == '{' || *at_ == '[') return read_flow(blocks_.size()) && ends_line();
    const char* const begin = at_;
    const std::string_view text = take_plain(in_block);
    if (text.empty()) return false;
    if (at_line_end()) {
      add_scalar(text);
      return true;
    }
    at_ = begin;
    return open_block(column(), false) && read_key_and_value();
  }

  bool read_key_and_value() {
    if (!read_key(in_block)) return false;
    if (at_line_end()) {
      value_expected_ = true;
      return true;
    }
    skip_spaces();
    if (at_line_end()) return false;
    if (*at_ == '{' || *at_ == '[') return read_flow(blocks_.size()) && ends_line();
    const std::string_view text = take_plain(in_block);
    if (text.empty() || !at_line_end()) return false;
    add_scalar(text);
    return true;
  }

  // A key and its colon, which a space or the line's end follows.
  bool read_key(std::uint8_t where) {
    const std::string_view text = take_plain(where);
    if (text.empty() || text.size() > longest_key || !take(':')) return false;
    add_scalar(text);
    return at_line_end() || *at_ == ' ';
  }

  // As far as bytes of that kind go, without spaces at the end; nothing where no plain scalar begins.
  std::string_view take_plain(std::uint8_t where) {
    const char* const begin = at_;
    if (at_ == end_ || !is(*at_, begins)) return {};
    while (at_ != end_ && is(*at_, where)) ++at_;
    const char* last = at_;
    while (last[-1] == ' ') --last;
    return {begin, static_cast<std::size_t>(last - begin)};
  }

  void add_scalar(std::string_view text) {
    const bool null = is_null(text);
    add(text.data(), null ? Value::Kind::null : Value::Kind::scalar, null ? std::string_view{} : text);
  }

  bool ends_line() {
    skip_spaces();
    return at_line_end();
  }

  // `{key: value, …}` or `[value, …]` on one line; `open` lists and mappings are around it.
  bool read_flow(std::size_t open) {
    if (open + depth_ >= deepest_nesting) return false;
    const bool list = *at_ == '[';
    const std::size_t value = values_.size();
    add(at_++, list ? Value::Kind::sequence : Value::Kind::mapping, {});
    skip_spaces();
    if (!take(list ? ']' : '}')) {
      do {
        skip_spaces();
        if (!list && !(read_key(in_flow) && take(' '))) return false;
        skip_spaces();
        if (!read_flow_value(open + 1)) return false;
        skip_spaces();
      } while (take(','));
      if (!take(list ? ']' : '}')) return false;
    }
    close(value);
    return true;
  }

  bool read_flow_value(std::size_t open) {
    if (at_ == end_) return false;
    if (*at_ == '{' || *at_ == '[') return read_flow(open);
    const std::string_view text = take_plain(in_flow);
    if (text.empty()) return false;
    add_scalar(text);
    return true;
  }

  const char* at_;
  const char* const end_;
  const char* line_begin_;
  std::uint32_t line_;  // counts from 1
  std::size_t depth_;
  std::vector<Value> values_;
  std::vector<Block> blocks_;
  bool value_expected_ = false;  // behind `key:` at the end of a line
};

}  // namespace

std::optional<std::vector<Value>> read_plain(const YamlPart& part, std::size_t depth) { return PlainReader(part, depth).read(); }

}  // namespace rta::io
