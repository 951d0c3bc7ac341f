// Files that appear whole or not at all, one by one and many in a folder.
#include "rta/io/new_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>

#include "support/folder.hpp"

namespace {

namespace fs = std::filesystem;
using rta::test::content;
using rta::test::TemporaryFolder;

}  // namespace

TEST_CASE("many files of a folder are whole one by one, and nothing else is left") {
  const TemporaryFolder folder;
  for (int i = 0; i < 3; ++i) rta::io::write_file_unsynced(folder / ("file-" + std::to_string(i)), std::string(100'000, 'a'));
  rta::io::write_file_unsynced(folder / "file-0", "anew");
  rta::io::sync_folder(folder.path);
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 3);
  CHECK(content(folder / "file-0") == "anew");
  CHECK(content(folder / "file-2") == std::string(100'000, 'a'));
}

TEST_CASE("a folder that is none is not synced") {
  const TemporaryFolder folder;
  rta::io::write_file(folder / "file", "content");
  CHECK_THROWS_AS(rta::io::sync_folder(folder / "none"), std::system_error);
  CHECK_THROWS_AS(rta::io::sync_folder(folder / "file"), std::system_error);
}
