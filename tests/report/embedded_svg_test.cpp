#include "report/parts/embedded_svg.hpp"

#include <doctest/doctest.h>

#include "rta/model/error.hpp"

using namespace rta::report;

TEST_CASE("a picture of Graphviz loses its head, comments, titles and ids, and keeps its texts") {
  CHECK(embedded_svg("<?xml?>\n<!-- made by --><svg width=\"9pt\">\n<!-- n0 -->\n<g id=\"node1\" class=\"node\"><title>n0</title><text>a "
                     "id=1</text></g>"
                     "<g id=\"edge1\"/></svg>") == "<svg width=\"9pt\">\n\n<g class=\"node\"><text>a id=1</text></g><g/></svg>");
}

TEST_CASE("what has no svg element is no picture") { CHECK_THROWS_AS((void)embedded_svg("<html></html>"), rta::Defect); }
