#include "yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace rta::io {
namespace {

// A task set nests five deep; a bound keeps hostile files from growing stacks.
constexpr std::size_t deepest = 16;
// Room for a million nodes.
constexpr std::size_t most_values = 16'000'000;
// A guess; memory is taken only once it is written.
constexpr std::size_t bytes_a_value = 6;

Mark to_mark(const yaml_mark_t& mark) { return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)}; }

// libyaml knows only the byte at which its reader failed.
Mark mark_of_byte(std::string_view text, std::size_t offset) {
  Mark mark{1, 1};
  for (const char c : text.substr(0, offset)) {
    if (c == '\n') {
      mark = {mark.line + 1, 1};
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++mark.column;
    }
  }
  return mark;
}

bool is_null(std::string_view text) { return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL"; }

class Parser {
 public:
  explicit Parser(std::string_view text) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    if (text.empty()) text = "";  // libyaml ends the program at a null pointer
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~Parser() { yaml_parser_delete(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  [[nodiscard]] bool next(yaml_event_t& event) { return yaml_parser_parse(&parser_, &event) != 0; }

  void report(std::string_view text, Diagnostics& out) const {
    switch (parser_.error) {
      case YAML_MEMORY_ERROR: throw std::bad_alloc();
      case YAML_READER_ERROR:
        out.error(mark_of_byte(text, parser_.problem_offset), fmt::format("not a text in UTF-8: {}", parser_.problem));
        break;
      default:
        out.error(to_mark(parser_.problem_mark), parser_.context != nullptr
                                                     ? fmt::format("not YAML: {} ({})", parser_.problem, parser_.context)
                                                     : fmt::format("not YAML: {}", parser_.problem));
    }
  }

 private:
  yaml_parser_t parser_{};
};

struct Event {
  yaml_event_t raw{};
  Event() = default;
  ~Event() { yaml_event_delete(&raw); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
};

}  // namespace

void Value::advance(Mark& at, std::size_t from, std::size_t to) const {
  if (!plain_line) return;
  for (const char c : text.substr(from, to - from))
    at.column += static_cast<std::uint32_t>((static_cast<unsigned char>(c) & 0xC0U) != 0x80U);
}

std::string_view kind_text(const Value& value) {
  switch (value.kind) {
    case Value::Kind::scalar: return "a plain value";
    case Value::Kind::null: return "nothing";
    case Value::Kind::sequence: return "a list";
    case Value::Kind::mapping: return "a mapping";
    case Value::Kind::rejected: break;
  }
  return "";
}

class YamlTree::Builder {
 public:
  Builder(std::string_view file, YamlTree& tree, Diagnostics& out) : file_(file), tree_(tree), out_(out) {}

  /// False: stop reading.
  [[nodiscard]] bool take(const yaml_event_t& event) {
    const Mark at = to_mark(event.start_mark);
    if (tree_.values_.size() == most_values) {
      out_.error(at, fmt::format("the file holds more than {} values", most_values));
      return false;
    }
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT:
        if (++documents_ == 1) return true;
        out_.error(at, "a second YAML document starts here; a file holds one task set");
        return false;
      case YAML_ALIAS_EVENT:
        out_.error(at, "aliases (*name) are not supported; write the value out, or use `copies`");
        add(at, Value::Kind::rejected);
        return true;
      case YAML_SCALAR_EVENT: add_scalar(event); return true;
      case YAML_SEQUENCE_START_EVENT:
        refuse_properties(at, event.data.sequence_start.anchor, event.data.sequence_start.tag);
        return open(at, Value::Kind::sequence);
      case YAML_MAPPING_START_EVENT:
        refuse_properties(at, event.data.mapping_start.anchor, event.data.mapping_start.tag);
        return open(at, Value::Kind::mapping);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: {
        const std::size_t opened = open_.back();
        open_.pop_back();
        tree_.values_[opened].extent = static_cast<std::uint32_t>(tree_.values_.size() - opened);
        return true;
      }
      default: return true;
    }
  }

 private:
  void add(Mark at, Value::Kind kind, std::string_view text = {}, bool plain_line = false) {
    tree_.values_.push_back({text, at, 1, kind, plain_line});
  }

  void add_scalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    const Mark at = to_mark(event.start_mark);
    refuse_properties(at, scalar.anchor, scalar.tag);
    const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
    const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
    if (plain && is_null(text)) {
      add(at, Value::Kind::null);
      return;
    }
    add(at, Value::Kind::scalar, kept(text, event.start_mark.index), plain && event.start_mark.line == event.end_mark.line);
  }

  // The same text at `place` of the file, where it stands unless characters before it have more than one byte; else a copy.
  std::string_view kept(std::string_view text, std::size_t place) {
    if (place < file_.size() && file_.substr(place, text.size()) == text) return file_.substr(place, text.size());
    auto* copy = static_cast<char*>(tree_.texts_.allocate(text.size() + 1, 1));
    std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
  }

  void refuse_properties(Mark at, const yaml_char_t* anchor, const yaml_char_t* tag) {
    if (anchor != nullptr) out_.error(at, "anchors (&name) are not supported; write the value out, or use `copies`");
    if (tag != nullptr) out_.error(at, "tags (!name) are not supported");
  }

  bool open(Mark at, Value::Kind kind) {
    if (open_.size() == deepest) {
      out_.error(at, fmt::format("lists and mappings nest more than {} deep", deepest));
      return false;
    }
    open_.push_back(tree_.values_.size());
    add(at, kind);
    return true;
  }

  std::string_view file_;
  YamlTree& tree_;
  Diagnostics& out_;
  std::vector<std::size_t> open_;
  int documents_ = 0;
};

YamlTree::YamlTree(std::string_view text, Diagnostics& out) {
  // libyaml would count a byte order mark as a column, and take no directive behind it.
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  values_.reserve(std::min(text.size() / bytes_a_value, most_values));
  Builder builder(text, *this, out);
  Parser parser(text);
  for (;;) {
    Event event;
    if (!parser.next(event.raw)) {
      parser.report(text, out);
      break;
    }
    if (event.raw.type == YAML_STREAM_END_EVENT) return;
    if (!builder.take(event.raw)) break;
  }
  values_.clear();  // half a document is not worth further errors
}

}  // namespace rta::io
