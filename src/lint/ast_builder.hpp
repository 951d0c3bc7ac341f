// Functions and calls, from the nodes of clang's syntax tree in the order of its text.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "ast.hpp"
#include "ast_node.hpp"

namespace rta::lint {

class AstBuilder {
 public:
  /// Leaves out what is in files below one of `system`.
  explicit AstBuilder(const std::vector<std::string>& system) : system_(system) {}

  [[nodiscard]] std::uint32_t file_number(const std::string& name);
  /// The last of `frames` is a node of which all is known but its children; the frames before it are around it.
  void enter(std::vector<Frame>& frames);
  void leave(const Frame& node);
  /// What was read; the end of this object's use.
  [[nodiscard]] Ast take();

 private:
  void enter_function(Frame& node);
  void enter_call(Frame& node);
  void take_role(std::vector<Frame>& frames);
  [[nodiscard]] bool is_system(std::uint32_t file) const { return file < file_is_system_.size() && file_is_system_[file]; }

  const std::vector<std::string>& system_;
  std::vector<std::int64_t> functions_;  // around the node, innermost last
  std::size_t lambdas_ = 0;              // around the node
  std::unordered_map<std::string, std::uint32_t> files_;
  std::vector<bool> file_is_system_;
  std::unordered_map<std::string, std::int64_t> by_id_;
  std::vector<std::string> callee_ids_;    // of calls
  std::vector<std::int32_t> null_stream_;  // of functions: the parameter that is a stream and NULL by default
  Ast ast_;
};

}  // namespace rta::lint
