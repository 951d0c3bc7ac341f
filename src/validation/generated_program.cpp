#include "rta/validation/generated_program.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "rta/io/task_set_file.hpp"

namespace rta::validation {
namespace {

bool has_content(const std::filesystem::path& path, std::string_view content) {
  std::ifstream file(path, std::ios::binary);
  return file && std::string(std::istreambuf_iterator<char>(file), {}) == content;
}

}  // namespace

void add_runtime(std::string_view folder, bool with_cuda, std::vector<GeneratedFile>& files) {
  for (const RuntimeFile& file : runtime_files()) {
    if (!file.path.starts_with(std::string(folder) + "/") || (!with_cuda && file.path.ends_with(".cuh"))) continue;
    files.push_back({"runtime/" + std::string(file.path), std::string(file.content)});
  }
}

std::string cpp_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte > 0x7e || c == '?') {  // octal, so that no source character set matters; '?': no trigraph
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void write_files(std::span<const GeneratedFile> files, const std::filesystem::path& folder) {
  for (const GeneratedFile& file : files) {
    const std::filesystem::path path = folder / file.path;
    std::filesystem::create_directories(path.parent_path());
    if (!has_content(path, file.content)) io::write_file(path, file.content);
  }
}

}  // namespace rta::validation
