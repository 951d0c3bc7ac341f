#include "printed_page.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

#include "process/own_folder.hpp"
#include "process/temporary.hpp"
#include "process/tool.hpp"
#include "rta/model/error.hpp"

namespace rta::cli {
namespace {

constexpr const char* html_does_without = ".html does without it, and any browser prints that";

std::optional<std::string> browser() {
  constexpr std::array<const char*, 4> known{"chromium", "google-chrome", "google-chrome-stable", "chromium-browser"};
  for (const char* const name : known) {
    if (process::run_tool({name, "--version"}).status == 0) return name;
  }
  return {};
}

}  // namespace

void require_browser() {
  if (!browser())
    throw UserError(fmt::format("chromium is missing (Debian: chromium), which prints a report as .pdf; {}", html_does_without));
}

std::string printed_page(const std::string& html) {
  require_browser();
  const process::Temporary folder([] { return process::make_folder(std::filesystem::temp_directory_path() / "rta-page."); });
  const process::OwnFolder own(folder.path());
  own.write("page.html", html);
  std::vector<std::string> words{*browser(),
                                 "--headless",
                                 "--disable-gpu",
                                 "--user-data-dir=" + (folder.path() / "profile").string(),
                                 "--host-resolver-rules=MAP * ~NOTFOUND",
                                 "--no-pdf-header-footer",
                                 "--print-to-pdf=page.pdf",
                                 "page.html"};
  // A browser refuses root its sandbox. The page is this program's own, and its policy lets it load nothing.
  if (::geteuid() == 0) words.insert(words.end() - 1, "--no-sandbox");
  const process::ToolOutput tool = process::run_tool(words, own.descriptor());
  std::ifstream in(folder.path() / "page.pdf", std::ios::binary);
  if (tool.status != 0 || !in) {
    constexpr std::size_t shown = 500;
    const std::string last = tool.text.size() > shown ? tool.text.substr(tool.text.size() - shown) : tool.text;
    throw UserError(fmt::format("{} did not print the page ({}): {}", words.front(), html_does_without, last));
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace rta::cli
