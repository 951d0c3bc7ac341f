#include "convert/bytes.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "conversion.hpp"

using namespace rta;

namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<unsigned>(text.size());
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = static_cast<unsigned>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string fault(const std::string& content) {
  convert::Bytes bytes(content, "x.gz");
  try {
    (void)bytes.rest(1U << 30U);
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Plain and packed files read the same, the head of them twice") {
  const std::string text(200'000, 'a');
  for (const std::string& content : {text, gzip(text)}) {
    convert::Bytes bytes(content, "x");
    CHECK(bytes.head(10) == text.substr(0, 10));
    CHECK_FALSE(bytes.ends_with_head());
    CHECK(bytes.head(100'000) == text.substr(0, 100'000));
    CHECK(bytes.rest(1U << 20U) == text);
  }
  convert::Bytes whole(text, "x");
  CHECK(whole.head(300'000) == text);
  CHECK(whole.ends_with_head());
  convert::Bytes none(std::string_view(), "x");
  CHECK(none.rest(10).empty());
}

TEST_CASE("Several gzip members are one file") {
  const std::string both = gzip("first ") + gzip("second");
  convert::Bytes bytes(both, "x");
  CHECK(bytes.rest(100) == "first second");
}

TEST_CASE("Cut and damaged gzip data is refused with its place") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * i);
  const std::string packed = gzip(text);
  CHECK(fault(packed.substr(0, packed.size() / 2)) == "x.gz: the gzip data is cut off at byte " + std::to_string(packed.size() / 2));
  CHECK(fault(packed.substr(0, 5)) == "x.gz: the gzip data is cut off at byte 5");
  std::string damaged = packed;
  for (std::size_t i = packed.size() / 2; i < packed.size() / 2 + 64; ++i) damaged[i] = static_cast<char>(~damaged[i]);
  CHECK(fault(damaged).find("x.gz: the gzip data is damaged at byte ") == 0);
  CHECK(fault(packed + "rubbish").find("x.gz: the gzip data is damaged") == 0);
}

TEST_CASE("What unpacks to hundreds of times its size is taken for an attack") {
  // 256 MiB of zeros in 256 KiB.
  CHECK(fault(gzip(std::string(256U << 20U, '\0'))).find("it is taken for an attack") != std::string::npos);
}

TEST_CASE("A text that is larger than it may be is refused") {
  convert::Bytes bytes(std::string_view("12345678901"), "x");
  CHECK_THROWS_AS((void)bytes.rest(10), io::InputError);
}

TEST_CASE("A file that is not there is refused by its name") {
  CHECK_THROWS_WITH_AS(convert::Bytes(std::filesystem::path("/no/such/file"), {}),
                       "/no/such/file: cannot be opened: No such file or directory", io::InputError);
}
