// What is read without libyaml is what libyaml reads, and where libyaml finds something wrong it always reads itself.
#include "io/plain_yaml.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "io/yaml_piece.hpp"
#include "support/files_below.hpp"
#include "support/large_file.hpp"

namespace {

using namespace rta::io;

std::string seen(const std::vector<Value>& values) {
  std::string result;
  for (const Value& value : values) {
    result += fmt::format("{}:{} {} {} {} {}\n", value.mark.line, value.mark.column, static_cast<int>(value.kind), value.extent,
                          value.plain_line, value.text);
  }
  return result;
}

bool same(const Value& a, const Value& b) {
  return a.text == b.text && a.mark.line == b.mark.line && a.mark.column == b.mark.column && a.kind == b.kind && a.extent == b.extent &&
         a.plain_line == b.plain_line;
}

// Whether the text is read without libyaml; then it is held against what libyaml reads.
bool is_plain(const YamlPart& part, std::size_t depth) {
  const auto plain = read_plain(part, depth);
  if (!plain) return false;
  Diagnostics out("f.yaml");
  const YamlPiece piece = read_by_libyaml(part, depth, out);
  REQUIRE_FALSE(out.failed());
  if (!std::equal(plain->begin(), plain->end(), piece.values.begin(), piece.values.end(), same)) {
    REQUIRE_EQ(seen(*plain), seen(piece.values));
  }
  return true;
}

bool is_plain(const std::string& text) { return is_plain({text, 0}, 0); }

class Texts {
 public:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  template <std::size_t size>
  std::string_view one_of(const std::array<std::string_view, size>& texts) {
    return texts[below(size)];
  }
  /// Now and then one that is not plain everywhere.
  std::string_view word() { return below(40) == 0 ? one_of(odd) : one_of(words); }

  /// A mapping or a list in block style, mostly as the reader knows it.
  void add_block(std::string& text, std::size_t indentation, int depth) {
    const bool list = below(3) == 0;
    for (std::size_t i = 1 + below(3); i > 0; --i) {
      if (below(8) == 0) text += one_of(between);
      text.append(indentation, ' ');
      if (list) {
        text += "- ";
        if (below(2) == 0) {
          add_value(text, depth);
          continue;
        }
        add_pair(text, indentation + 2, depth);
        for (std::size_t more = below(3); more > 0; --more) add_pair(text.append(indentation + 2, ' '), indentation + 2, depth);
      } else {
        add_pair(text, indentation, depth);
      }
    }
  }

  void add_pair(std::string& text, std::size_t indentation, int depth) {
    text.append(word()).append(":");
    if (depth > 0 && below(3) == 0) {
      text += '\n';
      add_block(text, indentation + below(4), depth - 1);
    } else {
      add_value(text.append(" "), depth);
    }
  }

  void add_value(std::string& text, int depth) {
    text.append(below(3) == 0 ? flow(depth) : std::string(word()));
    if (below(40) == 0) text += one_of(endings);
    text += '\n';
  }

  std::string flow(int depth) {
    const bool list = below(2) == 0;
    std::string text(list ? "[" : "{");
    for (std::size_t i = below(4); i > 0; --i) {
      if (!list) text.append(word()).append(": ");
      text += depth > 0 && below(3) == 0 ? flow(depth - 1) : std::string(word());
      if (i > 1) text += below(8) == 0 ? " , " : ", ";
    }
    return text + (list ? "]" : "}");
  }

  void change(std::string& text) { text.replace(below(text.size() + 1), below(2) * below(4), one_of(pieces)); }

 private:
  static constexpr std::array<std::string_view, 12> words{"a",    "name",  "734 ns", "1.5",  "v -> w", "null",
                                                          "x  y", "G-EDF", "x/y",    "30 %", "_",      "Null"};
  static constexpr std::array<std::string_view, 8> odd{"a -> [b, c]", "~", "d[3]", "a,b", "(x=1)", "a]", "-1", "a:b"};
  static constexpr std::array<std::string_view, 6> between{"\n", "# c: {\n", "   \n", "  # \"\n", "      #\n", "\n\n"};
  static constexpr std::array<std::string_view, 5> endings{" ", "   ", " # c", ":", ","};
  static constexpr std::array<std::string_view, 44> pieces{
      "\"",  "'",  "{",         "}",   "[",   "]",    "#",  " # ", "|", ">",  "- ",       "-",    "\n",       "\n  - ", "\n- ",
      "  ",  "\t", "&a ",       "*a",  "!t ", "? ",   ": ", ":",   ",", "\r", "\r\n",     "%",    "---\n",    "...\n",  "\n# c\n",
      "\n ", ".",  "\n  # {\n", "-> ", "~",   "a:\n", "{}", "[]",  "@", "`",  "\xC3\xBC", "<<: ", "\xC2\x85", "null"};

  std::mt19937_64 random_{1};
};

TEST_CASE("the layout that task sets have is read without libyaml") {
  CHECK(is_plain(rta::test::large_file(5, 7)));
  CHECK(is_plain({"  - name: a\n    T: 1 ms\n  # c\n\n  - {name: b, T: [1, {x: y}]}\n", 12}, 1));
  CHECK(is_plain("a:\n    b: null\n    c: {}\n\n    d:\n      - [ ]\n      - e -> [f, g]\n  # at the end"));
  for (const char* const text : {"",
                                 "\n",
                                 "a",
                                 "{a: b}",
                                 "a: 'b'",
                                 "a: \"b\"",
                                 "a: &b c",
                                 "a: *b",
                                 "a: !b c",
                                 "a: |\n  b",
                                 "a: >\n  b",
                                 "a: b: c",
                                 "a: b:",
                                 "a:\n- b",
                                 "a:",
                                 "a:\nb: c",
                                 "- a\n  b",
                                 "a: b\n  c",
                                 "a: b\n c: d",
                                 "  a: b\nc: d",
                                 "- - a",
                                 "-",
                                 "- ",
                                 "? a",
                                 "a: ? b",
                                 "---\na: b",
                                 "a: b\n---\n",
                                 "a: b\n...\n",
                                 "%YAML 1.1\n---\na: b",
                                 "a: b # c",
                                 "a: {b: c",
                                 "a: {b}",
                                 "a: [b: c]",
                                 "a: {b:c}",
                                 "a: [b,]",
                                 "a: [,b]",
                                 "a: {b: c}}",
                                 "a: {b: c} d",
                                 "a:\tb",
                                 "a: b\r\n",
                                 "a: \xC3\xBC",
                                 "a b\n",
                                 "- a\nb: c",
                                 "a: b\n- c",
                                 "a: @b",
                                 "a: `b",
                                 "{a: b}: c",
                                 "a: [b]: c",
                                 "a : b\n : c"}) {
    CAPTURE(text);
    CHECK_FALSE(is_plain(text));
  }
}

TEST_CASE("lists and mappings nest as deep as libyaml's may") {
  const auto nested = [](std::size_t lists) { return "a:\n  - " + std::string(lists, '[') + std::string(lists, ']') + "\n"; };
  for (const std::size_t depth : {0U, 1U}) {
    for (std::size_t lists = 1; lists < 20; ++lists) {
      const std::string text = nested(lists);
      CHECK_EQ(is_plain({text, 0}, depth), lists + 2 + depth <= deepest_nesting);
    }
  }
}

TEST_CASE("keys are as long as libyaml's may be") {
  for (const std::size_t length : {1U, 500U, 512U, 513U, 1023U, 1024U, 1025U, 3000U}) {
    const std::string key(length, 'k');
    CHECK_EQ(is_plain(key + ": a\n"), length <= 512);
    CHECK_EQ(is_plain("a: {b: c, " + key + ": a}\n"), length <= 512);
    CHECK(is_plain("a: " + key + "\n"));
    CHECK(is_plain("a: {b: " + key + ", " + "c: d}\n"));
    CHECK(is_plain("- {b: " + key + ", " + key.substr(0, 99) + ": d}\n"));
  }
}

TEST_CASE("every file that the program meets") {
  std::size_t plain = 0;
  for (const char* const folder : {"/tasksets", "/tests", "/fuzz/corpus", "/docs", "/schema"}) {
    for (const std::string& text : rta::test::files_below(std::string(RTA_SOURCE_DIR) + folder)) {
      plain += static_cast<std::size_t>(is_plain(text));
      const auto parts = yaml_parts(text, 1);
      if (!parts) continue;
      for (const YamlPart& part : parts->entries) plain += static_cast<std::size_t>(is_plain(part, 1));
      plain += static_cast<std::size_t>(is_plain(parts->head, 0)) + static_cast<std::size_t>(is_plain(parts->rest, 0));
    }
  }
  CHECK_GT(plain, 150);
}

TEST_CASE("random texts, with and without random changes") {
  Texts texts;
  const std::string large = rta::test::large_file(2, 3);
  std::size_t plain = 0, changed_plain = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string text;
    if (i % 10 == 0) {
      text = large;
    } else {
      texts.add_block(text, texts.below(5) == 0 ? texts.below(3) : 0, 3);
    }
    const std::size_t changes = texts.below(4);
    for (std::size_t c = 0; c < changes; ++c) texts.change(text);
    CAPTURE(text);
    if (!is_plain({text, static_cast<std::uint32_t>(texts.below(3))}, texts.below(2))) continue;
    ++plain;
    changed_plain += static_cast<std::size_t>(changes > 0);
  }
  CHECK_GT(plain, 20'000);
  CHECK_GT(changed_plain, 3'000);
}

}  // namespace
