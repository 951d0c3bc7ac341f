#include "report/parts/page.hpp"

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

TEST_CASE("a page without charts does not carry Vega") {
  const std::string out = html({"t", "", {}, {PageTable{"", {{"name", "bound"}, {"a", "12"}}}}});
  CHECK(out.find("var vega") == out.npos);
  CHECK(out.find("<td class=\"number\">12</td>") != out.npos);
}

TEST_CASE("a column is one of numbers when nothing else is in it but what says that there is none") {
  const std::string out = html({"t", "", {}, {PageTable{"", {{"some", "none", "mixed"}, {"-", "-", "1 ms"}, {"2 ms", "", "no bound"}}}}});
  CHECK(out.find("<th scope=\"col\" class=\"number\">some</th><th scope=\"col\">none</th><th scope=\"col\">mixed</th>") != out.npos);
  CHECK(out.find("<td class=\"bad\">no bound</td>") != out.npos);
}

TEST_CASE("a table shows its first rows and says how many it leaves out") {
  PageTable table{"", {{"name"}}};
  for (std::size_t i = 0; i < most_rows + 2; ++i) table.rows.push_back({"row" + std::to_string(i)});
  const std::string out = html({"t", "", {}, {table}});
  CHECK(out.find("row" + std::to_string(most_rows - 1) + "<") != out.npos);
  CHECK(out.find("row" + std::to_string(most_rows) + "<") == out.npos);
  CHECK(out.find("2 more rows are not shown; JSON and CSV have all.") != out.npos);
  table.rows.resize(most_rows + 1);
  CHECK(html({"t", "", {}, {table}}).find("not shown") == std::string::npos);
}

TEST_CASE("a matrix has a cell for each two names, with what it means, and marks some") {
  Matrix matrix;
  matrix.title = "m";
  matrix.legend = {{"D", "they <can>"}};
  matrix.names = {"a", "<b>"};
  matrix.cells = {{"e", "never", false}, {"D", "a, <b>", true}, {"D", "<b>, a", true}, {"e", "never", false}};
  const std::string out = html({"t", "", {}, {matrix}});
  CHECK(out.find("<li><b>D</b> they &lt;can&gt;</li>") != out.npos);
  CHECK(out.find("<th scope=\"col\"><span>&lt;b&gt;</span></th></tr></thead>") != out.npos);
  CHECK(out.find("<tr><th scope=\"row\"><span>a</span></th><td title=\"never\">e</td>"
                 "<td class=\"marked\" title=\"a, &lt;b&gt;\">D</td></tr>") != out.npos);
}

TEST_CASE("marks that turn the direction of text are visible") {
  const std::string mark = "\xE2\x80\xAE";
  const std::string out = html({"a" + mark + "b", "", {}, {Chart{"", "", R"({"title": ")" + mark + R"("})"}}});
  CHECK(out.find("<h1>aU+202Eb</h1>") != out.npos);
  CHECK(out.find(mark) == out.npos);
}

TEST_CASE("the data of a page cannot end their script element; JSON stays JSON without its indentation, CSV becomes a string") {
  Page page{.title = "t", .summary = "", .facts = {}, .content = {}};
  embed("a.json", "{\n  \"name\": \"</script>\"\n}\n", page);
  CHECK(html(page).find("id=\"result\" data-file=\"a.json\">{\n\"name\": \"\\u003c/script>\"\n}\n</script>") != std::string::npos);
  embed("a.csv", "a,b\n\"<\",2\n", page);
  CHECK(html(page).find(R"(data-file="a.csv">"a,b\n\"\u003c\",2\n"</script>)") != std::string::npos);
}

TEST_CASE("data that are too large for a page are announced instead") {
  Page page{.title = "t", .summary = "", .facts = {}, .content = {}};
  embed("a.json", std::string(most_data + 1, ' '), page);
  CHECK(!page.data);
  CHECK(html(page).find("The whole result, 1 MB, is too large for this page; -o FILE.json (or .csv) writes it.") != std::string::npos);
}

TEST_CASE("a verdict is a badge in the colour of its tone") {
  Page page{.title = "t", .summary = "", .facts = {}, .content = {}};
  CHECK(html(page).find("class=\"badge\"") == std::string::npos);
  page.badge = Badge{"late", Badge::Tone::bad};
  CHECK(html(page).find("<span class=\"badge\" style=\"background:#d55e00;color:#000000\">late</span>") != std::string::npos);
  page.badge = Badge{"met", Badge::Tone::good};
  CHECK(html(page).find("<span class=\"badge\" style=\"background:#0072b2;color:#ffffff\">met</span>") != std::string::npos);
}

TEST_CASE("bars of a waterfall stand where their rows say, and a row without a colour has none") {
  Waterfall waterfall{.rows = {{.name = "a", .length = "1 ms", .from = 0, .to = 0.25, .colour = "#123456"},
                               {.name = "<b>", .length = "3 ms", .from = 0.25, .to = 1, .colour = "#654321"},
                               {.name = "far", .length = "", .from = 0, .to = 0, .colour = ""}},
                      .mark = 0.5};
  const std::string out = html({"t", "", {}, {Portrait{.title = "D", .caption = "", .legend = {}, .picture = {}, .waterfall = waterfall}}});
  CHECK(out.find("<span style=\"left:0.000%;width:25.000%;background:#123456\"></span><i style=\"left:50.000%\"></i>") != out.npos);
  CHECK(out.find("<span style=\"left:25.000%;width:75.000%;background:#654321\"></span>") != out.npos);
  CHECK(out.find("&lt;b&gt;</th><td>3 ms</td>") != out.npos);
  CHECK(out.find("far</th><td></td></tr>\n</table>") != out.npos);
}

TEST_CASE("contents name the titles where there are four of them, by what stands before the colon of a long one") {
  const auto titled = [](const std::string& title) { return PageTable{title, {{"a"}}}; };
  CHECK(html({"t", "", {}, {titled("a"), titled("b"), titled("c")}}).find("<nav") == std::string::npos);
  const std::string out =
      html({"t", "", {}, {titled("a"), titled("b"), titled("c: d"), titled("why: because of all that stands behind the colon")}});
  CHECK(out.find("<a href=\"#s3\">c: d</a>") != out.npos);
  CHECK(out.find("<a href=\"#s4\">why</a>") != out.npos);
  CHECK(out.find("<h2 id=\"s4\">why: because of all that stands behind the colon</h2>") != out.npos);
}
