#include "convert/names.hpp"

#include <doctest/doctest.h>

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
