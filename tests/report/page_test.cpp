#include "report/page.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace rta::report;

TEST_CASE("text is escaped and cannot become markup") {
  const std::string out = html({"<b>", "a & b", {{"k\"", "<v>"}}, {Paragraph{"</p><script>"}}});
  CHECK(out.find("<h1>&lt;b&gt;</h1>") != out.npos);
  CHECK(out.find("a &amp; b") != out.npos);
  CHECK(out.find("<dt>k&quot;</dt><dd>&lt;v&gt;</dd>") != out.npos);
  CHECK(out.find("<p>&lt;/p&gt;&lt;script&gt;</p>") != out.npos);
}

TEST_CASE("a chart's specification cannot end its script element, and Vega comes along") {
  const std::string out = html({"t", "", {}, {Chart{"c", "", R"({"title": "</script>"})"}}});
  CHECK(out.find(R"({"title": "\u003c/script>"})") != out.npos);
  CHECK(out.find("var vega = (function ()") != out.npos);
}

TEST_CASE("a page without charts carries no script") {
  const std::string out = html({"t", "", {}, {PageTable{"", {{"name", "bound"}, {"a", "12"}}}}});
  CHECK(out.find("<script") == out.npos);
  CHECK(out.find("<td class=\"number\">12</td>") != out.npos);
}
