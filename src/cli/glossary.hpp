// The words of docs/glossary.md and the theorems of docs/theory.md, which `rta help WORD` explains.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace rta::cli {

struct GlossaryEntry {
  std::vector<std::string> words;  // that mean it
  std::string meaning;             // without Markdown's marks
};

[[nodiscard]] std::span<const GlossaryEntry> glossary();

}  // namespace rta::cli
