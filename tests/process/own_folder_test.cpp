#include "process/own_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "rta/model/error.hpp"
#include "support/folder.hpp"

namespace fs = std::filesystem;
using rta::UserError;
using rta::process::OwnFolder;
using rta::test::content;
using rta::test::TemporaryFolder;

TEST_CASE("what is written goes into the folder that was looked at, whatever has its name by then") {
  const TemporaryFolder folder;
  const OwnFolder own(folder / "own");
  const OwnFolder below = own.below("a/b");
  fs::create_directories(folder / "victim/a/b");
  fs::rename(folder / "own", folder / "moved");
  fs::create_directory_symlink(folder / "victim", folder / "own");
  own.write("one", "1");
  below.write("two", "2");
  own.remove("none");
  CHECK(content(folder / "moved/one") == "1");
  CHECK(content(folder / "moved/a/b/two") == "2");
  CHECK(!fs::exists(folder / "victim/one"));
  CHECK(fs::is_empty(folder / "victim/a/b"));
  CHECK(own.content("one") == "1");
}

TEST_CASE("no link in a folder of one's own is followed") {
  const TemporaryFolder folder;
  std::ofstream(folder / "victim") << "mine";
  fs::create_directory(folder / "elsewhere");
  const OwnFolder own(folder / "own");
  fs::create_symlink(folder / "victim", folder / "own/file");
  fs::create_directory_symlink(folder / "elsewhere", folder / "own/below");
  CHECK(!own.content("file"));
  CHECK_THROWS_AS(own.write("file", "other"), UserError);
  CHECK_THROWS_AS((void)own.below("below"), UserError);
  CHECK_THROWS_AS((void)own.below("below/further"), UserError);
  own.remove("file");
  CHECK(content(folder / "victim") == "mine");
  CHECK(fs::is_empty(folder / "elsewhere"));
  for (const auto& entry : own.entries()) CHECK(entry.name == "below");
}

TEST_CASE("a file that others may change has no content to be kept, and is written anew") {
  const TemporaryFolder folder;
  const OwnFolder own(folder / "own");
  own.write("file", "text");
  fs::permissions(folder / "own/file", fs::perms(0666));
  CHECK(!own.content("file"));
  own.write("file", "text");
  CHECK(own.content("file") == "text");
  CHECK(own.entries().size() == 1);
  fs::permissions(folder / "own/file", fs::perms(0600));
  own.write("file", "other");
  CHECK(own.content("file") == "other");
  CHECK(fs::status(folder / "own/file").permissions() == fs::perms(0600));
}

TEST_CASE("no folder above may let others put another one in the place of this one") {
  const TemporaryFolder folder;
  const OwnFolder own(folder / "above/own");
  own.require_own_way();
  fs::permissions(folder / "above", fs::perms(01777));  // there everybody renames what is his
  own.require_own_way();
  fs::permissions(folder / "above", fs::perms(0777));
  CHECK_THROWS_AS(own.require_own_way(), UserError);
  CHECK_THROWS_AS(own.below("further").require_own_way(), UserError);
}
