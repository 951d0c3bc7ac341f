// What `rta help` says of a topic: a section of a document, which is part of the program.
#pragma once

#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

namespace rta::cli {

struct Topic {
  std::string_view name;
  std::string_view page;     // docs/guide-release.md
  std::string_view section;  // its heading; empty: what stands above the first section
};

[[nodiscard]] std::span<const Topic> topics();

/// The section without Markdown; `wrapped` breaks a paragraph into lines that begin with so many spaces.
void print_topic(const Topic& topic, const std::function<std::string(const std::string&, std::size_t indent)>& wrapped, std::ostream& out);

}  // namespace rta::cli
