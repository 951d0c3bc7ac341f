#include "io/shown_text.hpp"

#include <doctest/doctest.h>

#include <ostream>
#include <sstream>
#include <string>

#include "io/diagnostics.hpp"

using namespace rta::io;

TEST_CASE("what a terminal would obey is shown by its number") {
  CHECK(shown("a\x1b[31mb\x07") == "a\\u001b[31mb\\u0007");
  CHECK(shown("line\n\tnext\r") == "line\n\tnext\\u000d");
  CHECK(shown_in_line("line\n\tnext\x1b") == "line\\u000a\\u0009next\\u001b");
  CHECK(shown("\x7f") == "\\u007f");
  CHECK(shown("\xC2\x9B"
              "31m") == "\\u009b31m");  // CSI as one character
  CHECK(shown("\xE2\x80\xAE"
              "x\xE2\x81\xA9\xD8\x9C\xE2\x80\xA8") == "\\u202ex\\u2069\\u061c\\u2028");
  CHECK(shown("é ẞ 😀 µs") == "é ẞ 😀 µs");
}

TEST_CASE("bytes that are no UTF-8 are shown, too: some terminals take them for controls") {
  CHECK(shown("\x9b"
              "31m") == "\\x9b31m");
  CHECK(shown("\xE2\x80") == "\\xe2\\x80");
  CHECK(shown("\xC0\x9B") == "\\xc0\\x9b");
}

TEST_CASE("a stream shows what comes in pieces, and sends what the program itself wants of a terminal") {
  std::ostringstream terminal;
  {
    ShownText buffer(terminal.rdbuf());
    std::ostream out(&buffer);
    out << "a" << '\xE2' << std::flush << "\x80" << std::string("\xAE z ") << Coloured{"red\x1b", "1;31", true} << ' '
        << Coloured{"plain", "1;31", false};
    out << "\xC3\xA9\xF0\x9F";
  }
  CHECK(terminal.str() == "a\\u202e z \x1b[1;31mred\\u001b\x1b[0m plainé\\xf0\\x9f");
  std::ostringstream outer;
  {
    ShownText first(outer.rdbuf());
    ShownText second(&first);
    std::ostream out(&second);
    out << Sent{"\x1b[K"} << "\x1b";
  }
  CHECK(outer.str() == "\x1b[K\\u001b");
}

TEST_CASE("a long text is cut at a character, and bytes that are none have no begin to go back to") {
  const std::string before(59, 'a');
  CHECK(quote(before + "b") == "'" + before + "b'");
  CHECK(quote(before + "bc") == "'" + before + "b…'");
  CHECK(quote(before + "éc") == "'" + before + "…'");
  CHECK(quote(std::string(57, 'a') + "😀c") == "'" + std::string(57, 'a') + "…'");
  CHECK(quote(std::string(80, '\x80')) == "'" + std::string(57, '\x80') + "…'");
}
