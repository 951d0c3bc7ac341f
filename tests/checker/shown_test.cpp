#include "checker/shown.hpp"

#include <doctest/doctest.h>

TEST_CASE("what a terminal would obey is shown by its number") {
  CHECK(checker::shown("bound 3 é 😀 'a'") == "bound 3 é 😀 'a'");
  CHECK(checker::shown("\x1b]0;x\x07\n\t\x7f") == "\\u001b]0;x\\u0007\\u000a\\u0009\\u007f");
  CHECK(checker::shown("\xC2\x9B"
                       "1m\xE2\x80\xAE\xE2\x81\xA6\xD8\x9C") == "\\u009b1m\\u202e\\u2066\\u061c");
  CHECK(checker::shown("\x9b\xC0\x9B\xE0\x80\x80\xED\xA0\x80\xF5\xE2\x80") ==
        "\\x9b\\xc0\\x9b\\xe0\\x80\\x80\\xed\\xa0\\x80\\xf5\\xe2\\x80");
}
