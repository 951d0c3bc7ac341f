// What clang prints of one node of its syntax tree, as far as it matters here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rta::lint {

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

[[nodiscard]] NodeKind kind_named(std::string_view kind);

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

}  // namespace rta::lint
