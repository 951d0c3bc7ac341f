// The processes that use each GPU: one context each, which is a pool of its own.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform_reader.hpp"

namespace rta::io {

class Contexts {
 public:
  Contexts(const PlatformReader& platform, Diagnostics& out) : platform_(platform), out_(out) {}

  /// Notes a node's pool and process (empty: the one without a name). `at`: where that is said.
  void add(PoolId pool, std::string_view process, Mark at);
  /// Notes what was noted of a later part of the file.
  void add(const Contexts& later);
  /// Reports GPUs that several processes use without `sharing`, and contexts whose names cannot be pools'.
  void check() const;

  /// The platform with a pool per context. Requires that nothing was reported.
  [[nodiscard]] std::vector<Pool> split(std::vector<Pool> pools);
  /// Where a node of that pool and process is after `split`.
  [[nodiscard]] PoolId place(PoolId pool, std::string_view process) const;

 private:
  /// Reports a second process.
  void refuse_two(const std::map<std::string_view, Mark>& processes, std::string_view pool, std::string_view what,
                  std::string_view advice) const;

  const PlatformReader& platform_;
  Diagnostics& out_;
  std::map<PoolId, std::map<std::string_view, Mark>> users_;  // GPU -> process -> where it was first said
  std::vector<std::map<std::string_view, PoolId>> contexts_;  // pool -> process -> its pool; of one that is not shared, without names
};

}  // namespace rta::io
