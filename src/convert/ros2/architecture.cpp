#include "architecture.hpp"

#include <fmt/format.h>

#include "../../io/fields.hpp"
#include "../../io/file_kind.hpp"
#include "../../io/yaml_document.hpp"
#include "../bytes.hpp"

namespace rta::convert {
namespace {

// What CARET writes where a node has no topic there.
constexpr std::string_view no_topic = "UNDEFINED";
constexpr std::size_t looked_at = 1U << 16U;

std::string scalar_of(const io::Fields& fields, std::string_view key, io::Diagnostics& out) {
  const io::Value* const value = fields.require(key, "a name of ROS 2");
  if (value == nullptr) return {};
  if (value->kind != io::Value::Kind::scalar) {
    out.error(value->mark, fmt::format("{}: a name is expected, not {}", key, io::kind_text(*value)));
    return {};
  }
  return value->text == no_topic ? std::string() : std::string(value->text);
}

// Calls `take` with each mapping of a list.
template <class Take>
void each_mapping(const io::Value* list, std::string_view key, io::Diagnostics& out, const Take& take) {
  if (list == nullptr || list->kind == io::Value::Kind::null) return;
  if (list->kind != io::Value::Kind::sequence) {
    out.error(list->mark, fmt::format("{}: a list is expected, not {}", key, io::kind_text(*list)));
    return;
  }
  for (const io::Value* at = list->first(); at != list->next(); at = at->next()) {
    const io::Fields fields(*at, {}, out, key);
    if (fields.usable()) take(fields, *at);
  }
}

}  // namespace

std::vector<Ros2Path> read_architecture(const std::filesystem::path& file, Notes& notes) {
  Bytes bytes(file, {});
  const std::string name = bytes.name();
  if (const auto kind = io::file_kind(bytes.head(looked_at), name)) refuse(name, io::mixup(*kind, "no architecture of CARET"), 1, 1);
  const std::string text = bytes.rest(io::largest_file());
  io::Diagnostics out(name);
  const io::YamlDocument document(text, out, "an architecture of CARET has `named_paths`");
  const io::Fields top(document.root(), {}, out);
  out.throw_if_failed();
  const io::Value* const named = top.find("named_paths");
  if (named == nullptr) out.error(document.root().mark, "'named_paths' is missing: an architecture of CARET has the list of paths there");
  std::vector<Ros2Path> paths;
  each_mapping(named, "named_paths", out, [&](const io::Fields& fields, const io::Value& at) {
    Ros2Path& path = paths.emplace_back();
    path.name = scalar_of(fields, "path_name", out);
    each_mapping(fields.require("node_chain", "the nodes of the path, one after another"), "node_chain", out,
                 [&](const io::Fields& hop, const io::Value&) {
                   path.hops.push_back({scalar_of(hop, "node_name", out), scalar_of(hop, "subscribe_topic_name", out),
                                        scalar_of(hop, "publish_topic_name", out)});
                 });
    if (path.hops.empty()) out.error(at.mark, "node_chain: a path has one node at least");
  });
  out.throw_if_failed();
  if (paths.empty()) notes.assume(fmt::format("{} names no paths: no chain is made of it", one_line(name, 100)));
  notes.assume(
      fmt::format("of {} the paths alone are read: nodes, callbacks, groups and executors are those of the trace", one_line(name, 100)));
  return paths;
}

}  // namespace rta::convert
