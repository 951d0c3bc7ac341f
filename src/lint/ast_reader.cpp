#include "ast_reader.hpp"

#include <algorithm>
#include <array>
#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace rta::lint {
namespace {

using Json = nlohmann::json;

/// A place as clang prints it: only what differs from the place before it.
struct Location {
  bool valid = false;
  std::uint32_t file = 0, offset = 0, line = 0, column = 0, length = 0;
  bool in_macro_body = false;
};

enum class NodeKind : std::uint8_t {
  other,
  function,
  call,
  transparent,
  reference,
  null,
  missing,
  parameter,
  body,
  lambda,
  device,
  global,
  host
};

NodeKind kind_named(std::string_view kind) {
  struct Entry {
    std::string_view name;
    NodeKind kind;
  };
  constexpr std::array entries{
      Entry{"FunctionDecl", NodeKind::function},
      Entry{"CXXMethodDecl", NodeKind::function},
      Entry{"CXXConstructorDecl", NodeKind::function},
      Entry{"CXXDestructorDecl", NodeKind::function},
      Entry{"CXXConversionDecl", NodeKind::function},
      Entry{"CallExpr", NodeKind::call},
      Entry{"CXXMemberCallExpr", NodeKind::call},
      Entry{"ImplicitCastExpr", NodeKind::transparent},
      Entry{"ParenExpr", NodeKind::transparent},
      Entry{"CStyleCastExpr", NodeKind::transparent},
      Entry{"CXXStaticCastExpr", NodeKind::transparent},
      Entry{"CXXReinterpretCastExpr", NodeKind::transparent},
      Entry{"CXXFunctionalCastExpr", NodeKind::transparent},
      Entry{"ExprWithCleanups", NodeKind::transparent},
      Entry{"MaterializeTemporaryExpr", NodeKind::transparent},
      Entry{"ConstantExpr", NodeKind::transparent},
      Entry{"DeclRefExpr", NodeKind::reference},
      Entry{"MemberExpr", NodeKind::reference},
      Entry{"UnresolvedLookupExpr", NodeKind::reference},
      Entry{"UnresolvedMemberExpr", NodeKind::reference},
      Entry{"CXXDependentScopeMemberExpr", NodeKind::reference},
      Entry{"CXXNullPtrLiteralExpr", NodeKind::null},
      Entry{"GNUNullExpr", NodeKind::null},
      Entry{"CXXDefaultArgExpr", NodeKind::missing},
      Entry{"ParmVarDecl", NodeKind::parameter},
      Entry{"CompoundStmt", NodeKind::body},
      Entry{"CXXTryStmt", NodeKind::body},
      Entry{"LambdaExpr", NodeKind::lambda},
      Entry{"CUDADeviceAttr", NodeKind::device},
      Entry{"CUDAGlobalAttr", NodeKind::global},
      Entry{"CUDAHostAttr", NodeKind::host},
  };
  const auto* const at = std::ranges::find(entries, kind, &Entry::name);
  return at == entries.end() ? NodeKind::other : at->kind;
}

/// What an object of the text is.
enum class FrameKind : std::uint8_t { node, location, included_from, referenced, type, other };

struct Frame {
  FrameKind kind = FrameKind::other;
  std::string key;  // of the member that is read
  // A node:
  bool entered = false;
  NodeKind node = NodeKind::other;
  std::string id, name, mangled, cast, value, type;
  std::string referenced_id, referenced_name;
  Location at, begin, end;
  std::size_t children = 0;
  std::int64_t function = -1;  // the function or call that this node itself is
  std::int64_t call = -1;
  std::int64_t of_call = -1;  // of whose callee (child 0) or argument this is the top
  std::size_t child = 0;
  std::size_t parameters = 0;  // of a function
  bool is_virtual = false;
  // A place, or a range of places:
  Location here;
  bool is_argument = false;  // text that a macro was given
  std::optional<Location> spelling, expansion, first, last;
};

class Handler final : public nlohmann::json_sax<Json> {
 public:
  explicit Handler(const std::vector<std::string>& system) : system_(system) {}

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
    if (inner) enter(frames_.back());
    arrays_.push_back({frames_.size(), inner});
    return true;
  }
  bool end_array() override {
    if (!arrays_.empty()) arrays_.pop_back();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

  Ast take();

 private:
  struct Array {
    std::size_t depth;  // frames around it
    bool inner;
  };
  [[nodiscard]] bool in_plain_array() const { return !arrays_.empty() && arrays_.back().depth == frames_.size() && !arrays_.back().inner; }
  [[nodiscard]] bool in_inner_array() const { return !arrays_.empty() && arrays_.back().depth == frames_.size() && arrays_.back().inner; }

  bool number(std::uint64_t value);
  void enter(Frame& node);
  void enter_function(Frame& node);
  void enter_call(Frame& node);
  void take_role(Frame& node);
  void leave(Frame& node);
  [[nodiscard]] Location resolved(const Frame& frame) const;
  [[nodiscard]] bool is_system(std::uint32_t file) const { return file < file_is_system_.size() && file_is_system_[file]; }
  std::uint32_t file_number(const std::string& name);

  const std::vector<std::string>& system_;
  std::vector<Frame> frames_;
  std::vector<Array> arrays_;
  std::vector<std::int64_t> functions_;  // around the node, innermost last
  std::size_t lambdas_ = 0;              // around the node
  std::uint32_t file_ = 0, line_ = 0;    // of the last place
  std::unordered_map<std::string, std::uint32_t> files_;
  std::vector<bool> file_is_system_;
  std::unordered_map<std::string, std::int64_t> by_id_;
  std::vector<std::string> callee_ids_;    // of calls
  std::vector<std::int32_t> null_stream_;  // of functions: the parameter that is a stream and NULL by default
  Ast ast_;
};

std::uint32_t Handler::file_number(const std::string& name) {
  const auto [at, fresh] = files_.try_emplace(name, static_cast<std::uint32_t>(ast_.files.size()));
  if (fresh) {
    ast_.files.push_back(name);
    const bool special = name.starts_with("<");
    file_is_system_.push_back(special || std::ranges::any_of(system_, [&](const std::string& folder) { return name.starts_with(folder); }));
  }
  return at->second;
}

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
      if (frame.key == "file" && frame.here.valid) file_ = file_number(value);
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
      enter(frames_.back());
      frame = std::move(frames_.back());
      frames_.pop_back();
    }
    leave(frame);
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

void Handler::enter(Frame& node) {
  if (node.entered) return;
  node.entered = true;
  take_role(node);
  if (node.node == NodeKind::function) enter_function(node);
  if (node.node == NodeKind::call) enter_call(node);
  if (node.node == NodeKind::lambda) ++lambdas_;
  if (frames_.size() < 2) return;
  // What a function's children say of it.
  Frame& parent = frames_[frames_.size() - 2];
  if (node.node == NodeKind::parameter) node.child = parent.parameters++;
  if (parent.node != NodeKind::function || parent.function < 0) return;
  AstFunction& function = ast_.functions[static_cast<std::size_t>(parent.function)];
  if (node.node == NodeKind::body) function.has_body = !is_system(function.file);
  if (node.node == NodeKind::global || node.node == NodeKind::device) function.on_device = true;
  if (node.node == NodeKind::host) function.on_device = false;
}

void Handler::enter_function(Frame& node) {
  // The body of a lambda is part of the function around it.
  if (lambdas_ > 0) return;
  AstFunction function;
  function.name = node.name;
  function.file = node.at.file;
  function.offset = node.at.offset;
  function.line = node.at.line;
  function.column = node.at.column;
  function.is_virtual = node.is_virtual;
  const bool internal = node.mangled.starts_with("_ZL") || node.mangled.find("_GLOBAL__N_") != std::string::npos;
  const std::string place = "@" + (node.at.file < ast_.files.size() ? ast_.files[node.at.file] : "") + ":" + std::to_string(node.at.offset);
  function.key = node.mangled.empty() ? node.name + place : internal ? node.mangled + place : node.mangled;
  node.function = static_cast<std::int64_t>(ast_.functions.size());
  by_id_.emplace(node.id, node.function);
  functions_.push_back(node.function);
  ast_.functions.push_back(std::move(function));
  null_stream_.push_back(-1);
}

void Handler::enter_call(Frame& node) {
  if (is_system(node.begin.file)) return;
  AstCall call;
  call.caller = functions_.empty() ? -1 : functions_.back();
  call.file = node.begin.file;
  call.begin = node.begin.offset;
  call.end = node.begin.offset + node.begin.length;
  call.line = node.begin.line;
  call.column = node.begin.column;
  call.from_macro = node.begin.in_macro_body;
  node.call = static_cast<std::int64_t>(ast_.calls.size());
  ast_.calls.push_back(std::move(call));
  callee_ids_.emplace_back();
}

/// Whether the node is the callee of a call or one of its arguments, through parentheses and casts.
void Handler::take_role(Frame& node) {
  if (frames_.size() < 2) return;
  const Frame& parent = frames_[frames_.size() - 2];
  if (parent.call >= 0) {
    node.of_call = parent.call;
    if (node.child > 0) {
      AstCall& call = ast_.calls[static_cast<std::size_t>(parent.call)];
      call.arguments = static_cast<std::uint32_t>(node.child);
      const bool stream = node.type.ends_with("cudaStream_t") || node.type.ends_with("CUstream") || node.type.ends_with("CUstream_st *");
      if (stream) call.stream = static_cast<std::int32_t>(node.child) - 1;
      if (node.node == NodeKind::missing && stream) call.stream_argument = AstArgument::missing;
    }
  } else if (parent.of_call >= 0 && parent.node == NodeKind::transparent) {
    node.of_call = parent.of_call;
    node.child = parent.child;
  }
  if (node.of_call < 0) {
    // The value of a parameter that is a stream.
    if (parent.node == NodeKind::parameter && frames_.size() >= 3 && node.cast == "NullToPointer") {
      const Frame& function = frames_[frames_.size() - 3];
      if (function.function >= 0) null_stream_[static_cast<std::size_t>(function.function)] = static_cast<std::int32_t>(parent.child);
    }
    return;
  }
  AstCall& call = ast_.calls[static_cast<std::size_t>(node.of_call)];
  if (node.child == 0) {
    if (node.node != NodeKind::reference || !call.name.empty()) return;
    call.name = node.referenced_name.empty() ? node.name : node.referenced_name;
    callee_ids_[static_cast<std::size_t>(node.of_call)] = node.referenced_id;
    if (!call.from_macro && node.begin.valid && node.end.valid) {
      call.begin = std::min(call.begin, node.begin.offset);
      call.end = node.end.offset;
    }
    if (call.name.empty()) call.name = node.name;
    return;
  }
  if (static_cast<std::int32_t>(node.child) - 1 != call.stream || call.stream_argument != AstArgument::other) return;
  // cudaStreamLegacy is a pointer made of 1.
  if (node.node == NodeKind::null || node.cast == "NullToPointer" || node.value == "1") call.stream_argument = AstArgument::null;
}

void Handler::leave(Frame& node) {
  if (node.node == NodeKind::lambda && lambdas_ > 0) --lambdas_;
  if (node.node == NodeKind::function && node.function >= 0 && !functions_.empty() && functions_.back() == node.function)
    functions_.pop_back();
}

Ast Handler::take() {
  // Of a function that is declared several times, the definition stands for all.
  std::unordered_map<std::string_view, std::int64_t> defined;
  for (std::size_t f = 0; f < ast_.functions.size(); ++f) {
    const auto [at, fresh] = defined.try_emplace(ast_.functions[f].key, static_cast<std::int64_t>(f));
    if (!fresh && ast_.functions[f].has_body) at->second = static_cast<std::int64_t>(f);
    // Outside of its class a function does not say again that it is virtual.
    if (ast_.functions[f].is_virtual) ast_.functions[static_cast<std::size_t>(at->second)].is_virtual = true;
    if (!fresh && null_stream_[f] >= 0) null_stream_[static_cast<std::size_t>(at->second)] = null_stream_[f];
  }
  const auto definition = [&](std::int64_t f) { return f < 0 ? f : defined.at(ast_.functions[static_cast<std::size_t>(f)].key); };
  for (std::size_t c = 0; c < ast_.calls.size(); ++c) {
    AstCall& call = ast_.calls[c];
    call.caller = definition(call.caller);
    call.resolved = !callee_ids_[c].empty();
    const auto at = by_id_.find(callee_ids_[c]);
    if (at == by_id_.end()) continue;  // of a header that was not read: CUDA's own streams are NULL by default
    call.callee = definition(at->second);
    // A default that is no NULL stream is a stream like any other.
    const bool null_by_default = null_stream_[static_cast<std::size_t>(at->second)] == call.stream ||
                                 null_stream_[static_cast<std::size_t>(call.callee)] == call.stream;
    if (call.stream_argument == AstArgument::missing && !null_by_default) call.stream_argument = AstArgument::other;
  }
  std::erase_if(ast_.calls, [](const AstCall& call) { return call.name.empty(); });
  return std::move(ast_);
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
