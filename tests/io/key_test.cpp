// Keys with numbers and without are found alike.
#include "io/key.hpp"

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <string>

#include "io/fields.hpp"
#include "io/yaml_tree.hpp"

namespace {

using namespace rta::io;

TEST_CASE("every key that has a number has one of its own, and nothing else has one") {
  std::set<int> numbers;
  for (const std::string_view key : numbered_keys) numbers.insert(Key(key).number());
  CHECK_EQ(numbers.size(), numbered_keys.size());
  CHECK_FALSE(numbers.contains(0));
  CHECK_EQ(Key("T").number(), Key(std::string_view("T_max").substr(0, 1)).number());
  for (const char* const other : {"", "t", "TT", "T_", "T_min", "nam", "names", "C ", "v0", "platform", "ön"}) {
    CAPTURE(other);
    CHECK_EQ(Key(std::string_view(other)).number(), 0);
  }
}

TEST_CASE("fields are found by their keys, few or many, with numbers or without") {
  std::string text = "{T: a, other: b, C: c, another: d}";
  for (const bool many : {false, true}) {
    CAPTURE(many);
    if (many) {
      text.pop_back();
      for (int i = 0; i < 20; ++i) text += ", v" + std::to_string(i) + ": e";
      text += ", B: f}";
    }
    Diagnostics out("f.yaml");
    const YamlTree tree(text, out);
    const Fields fields(*tree.root(), {}, out);
    REQUIRE_FALSE(out.failed());
    CHECK_EQ(fields.find("T")->text, "a");
    CHECK_EQ(fields.find("other")->text, "b");
    CHECK_EQ(fields.find("C")->text, "c");
    CHECK_EQ(fields.find("another")->text, "d");
    CHECK_EQ(fields.index_of("C"), 2);
    CHECK_EQ(fields.index_of("another"), 3);
    CHECK_EQ(fields.has("v19"), many);
    CHECK_EQ(fields.has("B"), many);
    if (many) CHECK_EQ(fields.index_of("B"), 24);
    for (const char* const absent : {"D", "on", "v20", "oth", ""}) CHECK_FALSE(fields.has(std::string_view(absent)));
  }
}

TEST_CASE("keys that are not allowed are told from those that belong elsewhere") {
  constexpr std::array<std::string_view, 3> allowed{"T", "C", "other"};
  constexpr std::array<std::string_view, 2> elsewhere{"B", "another"};
  const auto misplaced = [&](std::string_view text, Diagnostics& out) {
    const YamlTree tree(text, out);
    return Fields(*tree.root(), {}, out).allow_only(allowed, elsewhere).size();
  };
  Diagnostics good("f.yaml");
  CHECK_EQ(misplaced("{C: 1, T: 2, other: 3}", good), 0);
  CHECK_EQ(misplaced("{C: 1, T: 2}", good), 0);
  CHECK_EQ(misplaced("{B: 1, another: 2, T: 3, other: 4}", good), 2);
  CHECK_FALSE(good.failed());
  Diagnostics wrong("f.yaml");
  CHECK_EQ(misplaced("{D: 1, B: 1, more: 2, T: 3}", wrong), 1);
  CHECK_EQ(wrong.error_count(), 2);
}

}  // namespace
