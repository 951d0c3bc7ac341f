#include "ast_reader.hpp"

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>
#include <utility>

#include "ast_builder.hpp"

namespace rta::lint {
namespace {

using Json = nlohmann::json;

class Handler final : public nlohmann::json_sax<Json> {
 public:
  explicit Handler(const std::vector<std::string>& system) : builder_(system) {}

  bool null() override { return true; }
  bool boolean(bool value) override {
    if (!value || frames_.empty()) return true;
    if (frames_.back().key == "isMacroArgExpansion") frames_.back().is_argument = true;
    if (frames_.back().key == "virtual") frames_.back().is_virtual = true;
    return true;
  }
  bool number_integer(number_integer_t value) override { return number(value < 0 ? 0 : static_cast<std::uint64_t>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(value); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool string(string_t& value) override;
  bool key(string_t& value) override {
    if (!frames_.empty()) frames_.back().key = value;
    return true;
  }
  bool start_object(std::size_t /*size*/) override;
  bool end_object() override;
  bool start_array(std::size_t /*size*/) override {
    const bool inner = !frames_.empty() && frames_.back().kind == FrameKind::node && frames_.back().key == "inner" && !in_plain_array();
    if (inner) enter();
    arrays_.push_back({frames_.size(), inner});
    return true;
  }
  bool end_array() override {
    if (!arrays_.empty()) arrays_.pop_back();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

  [[nodiscard]] Ast take() { return builder_.take(); }

 private:
  struct Array {
    std::size_t depth;  // frames around it
    bool inner;
  };
  [[nodiscard]] bool in_plain_array() const { return !arrays_.empty() && arrays_.back().depth == frames_.size() && !arrays_.back().inner; }
  [[nodiscard]] bool in_inner_array() const { return !arrays_.empty() && arrays_.back().depth == frames_.size() && arrays_.back().inner; }

  bool number(std::uint64_t value);
  void enter() { builder_.enter(frames_); }
  [[nodiscard]] Location resolved(const Frame& frame) const;

  std::vector<Frame> frames_;
  std::vector<Array> arrays_;
  std::uint32_t file_ = 0, line_ = 0;  // of the last place
  AstBuilder builder_;
};

bool Handler::number(std::uint64_t value) {
  if (frames_.empty() || frames_.back().kind == FrameKind::included_from) return true;
  Frame& frame = frames_.back();
  const auto small = static_cast<std::uint32_t>(std::min<std::uint64_t>(value, 0xFFFF'FFFFU));
  if (frame.key == "offset") {
    frame.here.valid = true;
    frame.here.offset = small;
  } else if (frame.here.valid && frame.key == "line") {
    line_ = small;
  } else if (frame.here.valid && frame.key == "col") {
    frame.here.column = small;
  } else if (frame.here.valid && frame.key == "tokLen") {
    frame.here.length = small;
  }
  return true;
}

bool Handler::string(string_t& value) {
  if (frames_.empty()) return true;
  Frame& frame = frames_.back();
  if (in_plain_array()) return true;
  switch (frame.kind) {
    case FrameKind::node:
      if (frame.key == "id")
        frame.id = std::move(value);
      else if (frame.key == "kind")
        frame.node = kind_named(value);
      else if (frame.key == "name")
        frame.name = std::move(value);
      else if (frame.key == "member")
        frame.referenced_name = std::move(value);
      else if (frame.key == "mangledName")
        frame.mangled = std::move(value);
      else if (frame.key == "castKind")
        frame.cast = std::move(value);
      else if (frame.key == "value")
        frame.value = std::move(value);
      else if (frame.key == "referencedMemberDecl")
        frame.referenced_id = std::move(value);
      break;
    case FrameKind::referenced:
      if (frames_.size() >= 2) {
        Frame& outer = frames_[frames_.size() - 2];
        if (frame.key == "id")
          outer.referenced_id = std::move(value);
        else if (frame.key == "name")
          outer.referenced_name = std::move(value);
      }
      break;
    case FrameKind::type:
      if (frame.key == "qualType" && frames_.size() >= 2) frames_[frames_.size() - 2].type = std::move(value);
      break;
    case FrameKind::location:
      if (frame.key == "file" && frame.here.valid) file_ = builder_.file_number(value);
      break;
    case FrameKind::included_from:
    case FrameKind::other: break;
  }
  return true;
}

bool Handler::start_object(std::size_t /*size*/) {
  Frame frame;
  if (frames_.empty() || (frames_.back().kind == FrameKind::node && in_inner_array())) {
    frame.kind = FrameKind::node;
    if (!frames_.empty()) frame.child = frames_.back().children++;
  } else if (!in_plain_array()) {
    const std::string& key = frames_.back().key;
    if (key == "includedFrom") {
      frame.kind = FrameKind::included_from;
    } else if (key == "loc" || key == "range" || key == "begin" || key == "end" || key == "spellingLoc" || key == "expansionLoc") {
      frame.kind = FrameKind::location;
    } else if (key == "referencedDecl") {
      frame.kind = FrameKind::referenced;
    } else if (key == "type") {
      frame.kind = FrameKind::type;
    }
  }
  frames_.push_back(std::move(frame));
  return true;
}

/// Where the text that a macro was given stands, that text; where the macro's body stands, the macro's use.
Location Handler::resolved(const Frame& frame) const {
  if (!frame.expansion) return frame.here;
  if (frame.is_argument && frame.spelling) return *frame.spelling;
  Location place = *frame.expansion;
  place.in_macro_body = true;
  return place;
}

bool Handler::end_object() {
  if (frames_.empty()) return false;
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  if (frame.kind == FrameKind::node) {
    if (!frame.entered) {
      frames_.push_back(std::move(frame));
      enter();
      frame = std::move(frames_.back());
      frames_.pop_back();
    }
    builder_.leave(frame);
  } else if (frame.kind == FrameKind::location && !frames_.empty()) {
    Frame& outer = frames_.back();
    frame.here.file = file_;
    frame.here.line = line_;
    if (outer.kind == FrameKind::location) {
      if (outer.key == "spellingLoc") outer.spelling = frame.here;
      if (outer.key == "expansionLoc") {
        outer.expansion = frame.here;
        outer.is_argument = frame.is_argument;
      }
      if (outer.key == "begin") outer.first = resolved(frame);
      if (outer.key == "end") outer.last = resolved(frame);
    } else if (outer.kind == FrameKind::node) {
      if (outer.key == "loc") outer.at = resolved(frame);
      if (outer.key == "range") {
        if (frame.first) outer.begin = *frame.first;
        if (frame.last) outer.end = *frame.last;
      }
    }
  }
  return true;
}

}  // namespace

AstReading read_ast(std::istream& in, const std::vector<std::string>& system) {
  Handler handler(system);
  AstReading reading;
  reading.whole = Json::sax_parse(in, &handler);
  reading.ast = handler.take();
  return reading;
}

}  // namespace rta::lint
