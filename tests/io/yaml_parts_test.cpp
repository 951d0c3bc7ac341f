// A document read in parts is the one that is read in one pass, and wrong ones get the same messages.
#include "io/yaml_parts.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "io/parted_yaml.hpp"
#include "io/yaml_tree.hpp"
#include "support/files_below.hpp"
#include "support/large_file.hpp"

namespace {

using namespace rta::io;

// All that readers see of a tree, and what was reported.
std::string seen(const Value* root, Diagnostics& out) {
  std::string result;
  if (root != nullptr) {
    for (const Value* value = root; value != root->next(); ++value) {
      result += fmt::format("{}:{} {} {} {} {}\n", value->mark.line, value->mark.column, static_cast<int>(value->kind), value->extent,
                            value->plain_line, value->text);
    }
  }
  try {
    out.throw_if_failed();
  } catch (const InputError& error) {
    result += error.what();
  }
  return result;
}

std::string seen(const std::string& text, std::size_t least, std::size_t part) {
  Diagnostics out("f.yaml");
  const YamlTree tree(text, out, least, part);
  return seen(tree.root(), out);
}

// As libyaml reads it.
std::string in_one(const std::string& text) {
  Diagnostics out("f.yaml");
  const YamlPiece piece = read_by_libyaml({without_byte_order_mark(text), 0}, 0, out);
  std::string result = seen(piece.values.empty() ? nullptr : piece.values.data(), out);
  REQUIRE_EQ(seen(text, std::numeric_limits<std::size_t>::max(), 1), result);
  return result;
}

bool is_cut(const std::string& text, std::size_t part) {
  const auto yaml = PartedYaml::read(text, part);
  return yaml && std::ranges::all_of(yaml->parts(), [&](const YamlPart& entries) { return yaml->entries(entries).has_value(); });
}

// With what YAML has at borders: comments, several lines in one value, keys behind the list.
const std::string various = R"(# What comes before
platform:
  cpu: {processors: 4,
        scheduler: G-EDF}
description: "said
  in two lines"
dags:
  - name: a
    T: 10 ms
    nodes:
      v: {on: cpu, C: 1 ms}
      w: {on: [cpu, {x: y}], C: 1 ms}
    edges:
      - v -> [w, x]
      - {path: v -> w, cut: true}

  # Between "entries" {
  - name: b
    D:
    nodes: {}
  -
    - - plain
      - text in
        two lines
  - {name: c, T: 1 ms}
# And at their end
chains:
  - name: ü
    stages: [a, b]
)";

TEST_CASE("a list is cut between entries, and the document stays the same") {
  const std::string large = rta::test::large_file(40, 10);
  for (const std::string& text : {various, large, large + "tasks:\n  - {name: t}\n", large.substr(0, large.size() - 1)}) {
    for (const std::size_t part : {1U, 7U, 100U, 1000U}) {
      CHECK(is_cut(text, std::min<std::size_t>(part, 100)));
      CHECK_EQ(seen(text, 0, part), in_one(text));
    }
  }
}

TEST_CASE("where a construct could span a cut, nothing is cut") {
  const std::string before = "dags: \ndags:\n  - a: 1\n";
  const std::string after = "\n  - b: 2\n";
  CHECK(is_cut(before + "  - x: y" + after, 1));
  for (const char* const entry :
       {"  - x: {y: z", "  - [",          "  - x: }{", "  - \"x", "  - 'x",       "  - &x y", "  - *x", "  - !x y", "  - |", "  - >",
        "  - x # {",    "  - {a: b, # }", "  - \tx",   "  - x\r", "  - \xC2\x85", "  - ? x",  " - x",   "- x",      "---",   "...",
        "% x"}) {
    CAPTURE(entry);
    std::string text = before;
    text.append(entry).append(after);
    CHECK_FALSE(is_cut(text, 1));
    CHECK_EQ(seen(text, 0, 1), in_one(text));
  }
}

TEST_CASE("what stands before and behind the list is seen by whoever reads a part") {
  const std::string list = "dags:\n  - a: 1\n  - b: 2\n  - c: 3\n";
  for (const char* const before :
       {"{\n",         "[\n",   "\"\n",    "'\n",          "x: {\n",    "x: \"\n", "x: |\n",   "--- |\n", "--- >\n",
        "? |\n",       "x\n",   "- x\n",   "x:\n  y: |\n", "a: &b c\n", "dags:\n", "--- {}\n", "--- \n",  "%YAML 1.1\n---\n",
        "x: >\n  y\n", "? x\n", "  x: y\n"}) {
    CAPTURE(before);
    CHECK_EQ(seen(before + list, 0, 1), in_one(before + list));
  }
  for (const char* const behind :
       {"x", "x:", "x: {", "x: \"", "x: *y\n", "x: &y z\n", "x\n---\n", "x: y\n---\n", "x: y\n...\n", "x: y\n...\nz\n", "x: y\n  - z\n",
        "dags:\n  - d\n", "x: |\n y\n", "tasks:\n  - e\n", "x: y\n- z\n", "x: ü\n", "x y\n z: a\n"}) {
    CAPTURE(behind);
    CHECK_EQ(seen(list + behind, 0, 1), in_one(list + behind));
  }
}

TEST_CASE("every file that the program meets reads the same in parts") {
  std::size_t cut = 0;
  for (const char* const folder : {"/tasksets", "/tests/cli/broken", "/fuzz/corpus"}) {
    for (const std::string& text : rta::test::files_below(std::string(RTA_SOURCE_DIR) + folder)) {
      for (const std::size_t part : {1U, 100U}) CHECK_EQ(seen(text, 0, part), in_one(text));
      cut += static_cast<std::size_t>(is_cut(text, 1));
    }
  }
  CHECK_GT(cut, 20);
}

TEST_CASE("texts with random changes read the same in parts") {
  constexpr std::array<std::string_view, 44> pieces{
      "\"",  "'",  "{",       "}",        "[",        "]",        "#",     " # ",      "|",       ">",      "- ",
      "-",   "\n", "\n  - ",  "\n- ",     "  ",       "\t",       "&a ",   "*a",       "!t ",     "? ",     ": ",
      ":",   ",",  "\r",      "\r\n",     "\xC2\x85", "---\n",    "...\n", "\n# c\n",  "%",       "\n    ", "\n  # {\n",
      "-> ", "~",  "dags:\n", "tasks:\n", "\n",       "\nx: y\n", " ",     "\xC3\xBC", "\n---\n", "{}",     "|\n"};
  std::vector<std::string> texts = rta::test::files_below(std::string(RTA_SOURCE_DIR) + "/fuzz/corpus/task-set");
  texts.push_back(various);
  texts.push_back(rta::test::large_file(4, 3));
  std::mt19937_64 random(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::size_t cut = 0;
  for (int i = 0; i < 6000; ++i) {
    std::string text = texts[i % 2 == 0 ? texts.size() - 1 - below(2) : below(texts.size())];
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      text.replace(below(text.size() + 1), below(2) * below(6), pieces[below(pieces.size())]);
    }
    CAPTURE(text);
    REQUIRE_EQ(seen(text, 0, 1 + below(60)), in_one(text));
    cut += static_cast<std::size_t>(is_cut(text, 1));
  }
  CHECK_GT(cut, 400);
}

}  // namespace
