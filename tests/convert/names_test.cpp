#include "convert/names.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

using namespace rta::convert;

TEST_CASE("A name is one word of what other tools write") {
  CHECK(one_word("ampere_sgemm_128x64_nn", "x") == "ampere_sgemm_128x64_nn");
  CHECK(one_word("Memcpy HtoD (Pageable -> Device)", "x") == "Memcpy_HtoD_(Pageable_-_Device)");
  CHECK(one_word("  two   words ", "x") == "two_words");
  CHECK(one_word("", "x") == "x");
  CHECK(one_word("\xff\xfe", "x") == "x");
  CHECK(one_word("caf\xC3\xA9", "x") == "caf\xC3\xA9");
  CHECK(one_word("a\xE2\x80\xA8"
                 "b",
                 "x") == "a_b");  // a line break of Unicode
  CHECK(one_word(std::string(300, 'a'), "x").size() == 120);
  CHECK(one_word("\xC3\xA9\xC3\xA9", "x", 3) == "\xC3\xA9");  // never half a character
}

TEST_CASE("A kernel is called by its function") {
  CHECK(function_name("gemm") == "gemm");
  CHECK(function_name("void gemm<float, 4>(float*, int)") == "gemm");
  CHECK(function_name("void at::native::(anonymous namespace)::softmax<float, at::native::(anonymous namespace)::Op>(float*)") ==
        "softmax");
  CHECK(function_name("cask_cudnn::computeOffsetsKernel(cask_cudnn::ComputeOffsetsParams)") == "computeOffsetsKernel");
  CHECK(function_name("fft2d_r2c_32x32<float, false, 5u, true>") == "fft2d_r2c_32x32");
  CHECK(function_name("<<<") == "<<<");
  CHECK(function_name("") == "");
}

TEST_CASE("A comment is one line of UTF-8") {
  CHECK(one_line("a\nb\tc\x01") == "a b c ");
  CHECK(one_line("a\xffz") == "a z");
  CHECK(one_line("a\xC2\x85z") == "a z");
  CHECK(one_line("\xC3\xA9") == "\xC3\xA9");
  CHECK(one_line(std::string(1000, 'a'), 10).size() == 10);
}

TEST_CASE("Names are given once") {
  UniqueNames names;
  CHECK(names.unique("a") == "a");
  CHECK(names.unique("a") == "a-2");
  CHECK(names.unique("a-3") == "a-3");
  CHECK(names.unique("a") == "a-4");
}

// Held against what it says: each name that was given, and how far the numbers behind each name have been tried.
TEST_CASE("Names are given once, whatever stands behind their dashes") {
  std::map<std::string, std::size_t> given;
  const auto expected = [&](const std::string& name) {
    if (given.emplace(name, 1).second) return name;
    for (;;) {
      const std::string numbered = name + "-" + std::to_string(++given[name]);
      if (given.emplace(numbered, 1).second) return numbered;
    }
  };
  UniqueNames names;
  const std::vector<std::string> asked{
      "k",     "k-2",          "k",     "k",   "k-64", "k-65", "k-65", "k-100", "k-02",         "k-0",          "k-",           "-",
      "-1",    "k-2",          "k-2-2", "k-2", "k",    "k--1", "k-1",  "k-1",   "k-9999999999", "k-4294967296", "k-4294967295", "k-70",
      "cpu-1", "k-4294967295", "3",     "3",   "3-3",  "3"};
  for (const std::string& name : asked) CHECK(names.unique(name) == expected(name));
  for (int i = 0; i < 400; ++i) CHECK(names.unique("k") == expected("k"));
  for (const std::string& name : asked) CHECK(names.unique(name) == expected(name));
  for (int i = 500; i > 0; i -= 3) CHECK(names.unique("t-" + std::to_string(i)) == expected("t-" + std::to_string(i)));
  for (int i = 0; i < 600; ++i) CHECK(names.unique("t") == expected("t"));
}
