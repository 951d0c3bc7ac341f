#include "ast_builder.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace rta::lint {

void AstBuilder::enter(std::vector<Frame>& frames) {
  Frame& node = frames.back();
  if (node.entered) return;
  node.entered = true;
  take_role(frames);
  if (node.node == NodeKind::function) enter_function(node);
  if (node.node == NodeKind::call) enter_call(node);
  if (node.node == NodeKind::lambda) ++lambdas_;
  if (frames.size() < 2) return;
  // What a function's children say of it.
  Frame& parent = frames[frames.size() - 2];
  if (node.node == NodeKind::parameter) node.child = parent.parameters++;
  if (parent.node != NodeKind::function || parent.function < 0) return;
  AstFunction& function = ast_.functions[static_cast<std::size_t>(parent.function)];
  if (node.node == NodeKind::body) function.has_body = !is_system(function.file);
  if (node.node == NodeKind::global || node.node == NodeKind::device) function.on_device = true;
  if (node.node == NodeKind::host) function.on_device = false;
}

void AstBuilder::enter_function(Frame& node) {
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

void AstBuilder::enter_call(Frame& node) {
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
void AstBuilder::take_role(std::vector<Frame>& frames) {
  if (frames.size() < 2) return;
  Frame& node = frames.back();
  const Frame& parent = frames[frames.size() - 2];
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
    if (parent.node == NodeKind::parameter && frames.size() >= 3 && node.cast == "NullToPointer") {
      const Frame& function = frames[frames.size() - 3];
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

void AstBuilder::leave(const Frame& node) {
  if (node.node == NodeKind::lambda && lambdas_ > 0) --lambdas_;
  if (node.node == NodeKind::function && node.function >= 0 && !functions_.empty() && functions_.back() == node.function)
    functions_.pop_back();
}

std::uint32_t AstBuilder::file_number(const std::string& name) {
  const auto [at, fresh] = files_.try_emplace(name, static_cast<std::uint32_t>(ast_.files.size()));
  if (fresh) {
    ast_.files.push_back(name);
    const bool special = name.starts_with("<");
    file_is_system_.push_back(special || std::ranges::any_of(system_, [&](const std::string& folder) { return name.starts_with(folder); }));
  }
  return at->second;
}

Ast AstBuilder::take() {
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

}  // namespace rta::lint
