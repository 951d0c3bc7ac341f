// What comments and NVTX ranges say of code.
#include "lint/marks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lint/places.hpp"

using namespace rta::lint;

namespace {

/// `job camera: a b; start-up: c`: regions by the tokens that they hold.
std::string regions(const std::string& text, const std::vector<std::string>& job_ranges = {}) {
  const Unit unit("t.cu", text, true);
  std::string out;
  for (const Region& region : marks_of(unit, job_ranges).regions) {
    out += (out.empty() ? "" : "; ") + std::string(region.kind == Region::Kind::job ? "job" : "start-up");
    if (!region.name.empty()) out += " " + region.name;
    out += ":";
    for (std::uint32_t k = region.tokens.begin; k < region.tokens.end; ++k) out += " " + std::string(unit.code()[k].text);
  }
  return out;
}

std::vector<std::string> faults(const std::string& text) {
  const Unit unit("t.cu", text, true);
  std::vector<std::string> all;
  for (const BadMark& bad : marks_of(unit, {}).bad) all.push_back(bad.message);
  return all;
}

}  // namespace

TEST_CASE("begin and end mark what is between them") {
  CHECK(regions("a // rta: job begin cam 1\nb\n// rta: job end\nc") == "job cam 1: b");
  CHECK(regions("/* rta: start-up begin */ a /* rta: start-up end */ b") == "start-up: a");
  CHECK(regions("// rta: job begin a\nx\n/// rta: job begin b\ny\n// rta: job end b\nz\n// rta: job end a\n") == "job a: x y z; job b: y");
}

TEST_CASE("a mark before a function or a statement is for its body") {
  CHECK(regions("// rta: job cam\nvoid f(int a) { x; }\ny;") == "job cam: { x ; }");
  CHECK(regions("template <class T>\n// rta: start-up\nvoid f() { x; }") == "start-up: { x ; }");
  CHECK(regions("void f() {\n// rta: job\nwhile (a) { x; }\ny; }") == "job: while ( a ) { x ; }");
  CHECK(regions("void f() {\n// rta: job\nauto l = [&] { x; };\ny; }") == "job: auto l = [ & ] { x ; } ;");
  CHECK(regions("void f() {\n// rta: job\n{ x; }\ny; }") == "job: { x ; }");
}

TEST_CASE("NVTX ranges of such names are marks; with options, others too") {
  const std::string text = "void f() { nvtxRangePushA(\"frame 1\"); x; nvtxRangePop(); y; }";
  CHECK(regions(text).empty());
  CHECK(regions(text, {"frame"}) == "job frame 1: nvtxRangePushA ( \"frame 1\" ) ; x ;");
  CHECK(regions("void f() { nvtxRangePushA(\"rta: start-up\"); x; }") == "start-up: nvtxRangePushA ( \"rta: start-up\" ) ; x ; }");
  CHECK(meaning_of_range("rta: job cam #3", {}).name == "cam #3");
  CHECK_FALSE(meaning_of_range("rta: node a/b", {}).is_mark);
  CHECK_FALSE(meaning_of_range("", {""}).is_mark);
}

TEST_CASE("what is no mark is said to be none, and why") {
  using Faults = std::vector<std::string>;
  CHECK(faults("// rta: jop\nx;") == Faults{"'jop' is no mark (there are: job, start-up, allow)"});
  CHECK(faults("// rta:\nx;") == Faults{"'' is no mark (there are: job, start-up, allow)"});
  CHECK(faults("// rta: start-up camera\nx;") == Faults{"'start-up camera': only `begin` or `end` may follow `start-up`"});
  CHECK(faults("// rta: start-up begin now\nx;") == Faults{"'now' follows: start-up has no name"});
  CHECK(faults("// rta: job end\nx;") == Faults{"no such `begin` precedes this `end`"});
  CHECK(faults("// rta: job begin a\nx;") == Faults{"no `end` follows this `begin`"});
  CHECK(faults("// rta: job begin a\nx;\n// rta: job end b\n") == Faults{"ends 'b', but 'a' was begun last"});
  CHECK(faults("// rta: start-up begin\nx;\n// rta: job end\n// rta: start-up end\n") == Faults{"no such `begin` precedes this `end`"});
  CHECK(faults("// rta: job\n") == Faults{"no function and no statement follows"});
  CHECK(faults("// rta: allow\nx;") == Faults{"`allow` needs the name of a rule, and a reason"});
  CHECK(faults("// rta: allow free\nx;") == Faults{"`allow free` needs a reason"});
  CHECK(faults("// rta: allow free,freeze why\nx;") == Faults{"no rule is called 'freeze' (`rta lint --rules` lists them)"});
  CHECK(faults("// the rta: job begin of something else\nx; // artarta: job\n").empty());
}

TEST_CASE("of nested regions the innermost counts; an allowance covers its line, or the statement after it") {
  const Unit unit(
      "t.cu", "// rta: job begin a\nx;\n// rta: start-up begin\ny;\n// rta: start-up end\nz; // rta: allow free why\n// rta: job end\nw;",
      true);
  const Places places(marks_of(unit, {}), Unmarked::other);
  CHECK(places.at(0).kind == Where::Kind::job);       // x
  CHECK(places.at(2).kind == Where::Kind::start_up);  // y
  CHECK(places.at(4).kind == Where::Kind::job);       // z
  CHECK(places.at(6).kind == Where::Kind::other);     // w
  CHECK(places.allowance(RuleId::free, 4) == 0);
  CHECK(places.allowance(RuleId::free, 6) == no_index);
  CHECK(places.allowance(RuleId::allocation, 4) == no_index);
  CHECK(Places(marks_of(unit, {}), Unmarked::job).at(6).kind == Where::Kind::job);
}
