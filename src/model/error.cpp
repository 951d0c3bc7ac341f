#include "rta/model/error.hpp"

#include <string_view>

namespace rta {
namespace {

/// The path within the sources, wherever they were compiled.
std::string_view within_sources(std::string_view path) {
  for (const std::string_view folder : {"/src/", "/include/"}) {
    const std::size_t at = path.rfind(folder);
    if (at != std::string_view::npos) return path.substr(at + 1);
  }
  return path;
}

}  // namespace

Defect::Defect(const std::string& invariant, const char* file, int line)
    : std::logic_error(invariant + " (" + std::string(within_sources(file)) + ":" + std::to_string(line) + ")") {}

void throw_defect(const std::string& invariant, const char* file, int line) { throw Defect(invariant, file, line); }

}  // namespace rta
