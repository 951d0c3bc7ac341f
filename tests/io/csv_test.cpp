#include "rta/io/csv.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace rta::io;

TEST_CASE("a text that a spreadsheet would run gets an apostrophe; a number and every other text stay as they are") {
  CHECK(csv_field("=1+1") == "'=1+1");
  CHECK(csv_field("+a") == "'+a");
  CHECK(csv_field("-a") == "'-a");
  CHECK(csv_field("@SUM(A1)") == "'@SUM(A1)");
  CHECK(csv_field("\t=1") == "'\t=1");
  CHECK(csv_field("=cmd|'/C x'!A0,b") == "\"'=cmd|'/C x'!A0,b\"");
  CHECK(csv_field("'=1") == "''=1");
  CHECK(csv_field("-12.5e3") == "-12.5e3");
  CHECK(csv_field("+7") == "+7");
  CHECK(csv_field("-inf") == "'-inf");
  CHECK(csv_field("-1-1") == "'-1-1");
  CHECK(csv_field("a=1") == "a=1");
  CHECK(csv_field("it's") == "it's");
  CHECK(csv_field("'a'") == "'a'");
  CHECK(csv_quoted("=1") == "=1");
}

TEST_CASE("what csv_field wrote is read as it was") {
  for (const std::string text :
       {"", "a", "=1", "'=1", "''+x", "'", "''", "'a", "-5", "+5", "-5 us", "\t", "\n=", "a,b", "\"=\"", "'\"", "@", "'@'"}) {
    CAPTURE(text);
    const auto rows = parse_csv(csv_field(text) + "," + csv_field(text) + "\n");
    REQUIRE(rows.has_value());
    CHECK(*rows == CsvRows{{text, text}});
  }
}
