#include "figure.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "process/temporary.hpp"
#include "process/tool.hpp"
#include "rta/io/new_file.hpp"
#include "rta/model/error.hpp"

namespace rta::cli {

namespace fs = std::filesystem;

bool is_converted(std::string_view format) { return format == "pdf" || format == "png"; }

void require_converter() {
  if (!process::run_tool({"rsvg-convert", "--version"}).started) {
    throw UserError("rsvg-convert is missing (Debian: librsvg2-bin), which makes .pdf and .png; .svg and .html do without it");
  }
}

std::string converted(const std::string& svg, std::string_view format) {
  const process::Temporary folder([] { return process::make_folder(fs::temp_directory_path() / "rta-figure."); });
  const fs::path drawn = folder.path() / "figure.svg";
  const fs::path result = folder.path() / "figure";
  io::write_file(drawn, svg);
  std::vector<std::string> words{"rsvg-convert", "--format", std::string(format), "--output", result.string()};
  if (format == "png") words.insert(words.end(), {"--zoom", "2"});
  words.push_back(drawn.string());
  const process::ToolOutput tool = process::run_tool(words);
  std::ifstream in(result, std::ios::binary);
  if (tool.status != 0 || !in) throw UserError(fmt::format("rsvg-convert failed to draw the {}: {}", format, tool.text));
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace rta::cli
