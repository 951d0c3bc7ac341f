// Files that appear whole or not at all, one by one and many in a folder.
#include "rta/io/new_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "support/folder.hpp"
#include "support/skip.hpp"

namespace {

namespace fs = std::filesystem;
using rta::test::content;
using rta::test::TemporaryFolder;

fs::perms permissions(const fs::path& path) { return fs::status(path).permissions(); }

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

// In a container every process has number 1: what a killed one left has the name that its successor would choose.
TEST_CASE("what killed processes of the same number left does not stand in the way") {
  const TemporaryFolder folder;
  for (int i = 0; i < 1000; ++i)
    std::ofstream(folder / ("result." + std::to_string(::getpid()) + "." + std::to_string(i) + ".tmp")) << "half";
  rta::io::write_file(folder / "result", "whole");
  CHECK(content(folder / "result") == "whole");
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1001);
}

TEST_CASE("a name as long as names may be") {
  const TemporaryFolder folder;
  const std::string name(255, 'n');
  rta::io::write_file(folder / name, "content");
  CHECK(content(folder / name) == "content");
}

TEST_CASE("a file keeps its permissions when another takes its place") {
  const TemporaryFolder folder;
  for (const auto mode : {0600U, 0640U, 0444U, 0755U}) {
    rta::io::write_file(folder / "result", "old");
    fs::permissions(folder / "result", fs::perms{mode});
    {
      rta::io::NewFile file(folder / "result");
      file.stream() << "new";
      file.close();
      for (const auto& entry : fs::directory_iterator(folder.path)) CHECK(permissions(entry.path()) == fs::perms{mode});
      file.publish();
    }
    CHECK(content(folder / "result") == "new");
    CHECK(permissions(folder / "result") == fs::perms{mode});
  }
  const mode_t mask = ::umask(027);
  rta::io::write_file(folder / "another", "new");
  ::umask(mask);
  CHECK(permissions(folder / "another") == fs::perms{0640});
}

TEST_CASE("what is written through links is in their target, and the links stay") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "data");
  rta::io::write_file(folder / "data/target", "old");
  fs::create_symlink("data/middle", folder / "link");
  fs::create_symlink(folder / "data/target", folder / "data/middle");
  rta::io::write_file(folder / "link", "new");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(fs::is_symlink(folder / "data/middle"));
  CHECK(content(folder / "data/target") == "new");
  fs::remove(folder / "data/target");  // a link to nothing
  rta::io::write_file(folder / "link", "anew");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(content(folder / "data/target") == "anew");
  CHECK(std::distance(fs::directory_iterator(folder / "data"), fs::directory_iterator()) == 2);
}

TEST_CASE("links that lead nowhere are refused by their name") {
  const TemporaryFolder folder;
  fs::create_symlink("two", folder / "one");
  fs::create_symlink("one", folder / "two");
  fs::create_symlink("none/target", folder / "astray");
  for (const char* name : {"one", "astray"}) {
    CHECK_THROWS_WITH_AS(rta::io::write_file(folder / name, "content"), doctest::Contains((folder / name).c_str()), std::system_error);
  }
}

TEST_CASE("a link that somebody else put into a folder for all is not followed") {
  constexpr ::uid_t nobody = 65534;
  const TemporaryFolder folder;
  std::ofstream(folder / "victim") << "mine";
  fs::create_directory(folder / "for-all");
  fs::permissions(folder / "for-all", fs::perms(01777));
  const fs::path link = folder / "for-all/link";
  fs::create_symlink(folder / "victim", link);
  CHECK(rta::io::written_path(link) == folder / "victim");  // one's own
  if (::lchown(link.c_str(), nobody, nobody) != 0) return rta::test::skip("needs root to make a link somebody else's");
  CHECK_THROWS_AS((void)rta::io::written_path(link), std::system_error);
  CHECK_THROWS_AS(rta::io::write_file(link, "other"), std::system_error);
  CHECK(content(folder / "victim") == "mine");
  fs::permissions(folder / "for-all", fs::perms(0755));
  CHECK(rta::io::written_path(link) == folder / "victim");
}
