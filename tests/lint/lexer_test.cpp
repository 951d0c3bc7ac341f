// Tokens of C++ and CUDA: what is code, what is comment, what is text.
#include "lint/lexer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace rta::lint;

namespace {

std::vector<std::string> code(const std::string& text) {
  std::vector<std::string> all;
  const Tokens tokens = tokens_of(text);
  for (const Token& token : tokens.code) all.emplace_back(token.text);
  return all;
}
using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("names, numbers, strings, characters and operators are told apart") {
  CHECK(code("int a1=0x1'F'0u+1e-5f+.5;") == Words{"int", "a1", "=", "0x1'F'0u", "+", "1e-5f", "+", ".5", ";"});
  CHECK(code(R"(f("a\"b", 'c', '\'', u8"x", L'y');)") ==
        Words{"f", "(", R"("a\"b")", ",", "'c'", ",", R"('\'')", ",", "u8\"x\"", ",", "L'y'", ")", ";"});
  CHECK(code("a->b::c&&d...") == Words{"a", "->", "b", "::", "c", "&&", "d", "..."});
}

TEST_CASE("comments are no code, and end where they end") {
  const std::string text = "a // b\nc /* d // */ e /* f\n\"*/ g";
  const Tokens tokens = tokens_of(text);
  CHECK(code(text) == Words{"a", "c", "e", "g"});
  REQUIRE(tokens.comments.size() == 3);
  CHECK(tokens.comments[0].text == "// b");
  CHECK(tokens.comments[1].text == "/* d // */");
  CHECK_FALSE(tokens.comments[0].own_line);
  CHECK(tokens.comments[2].before == 3);  // g
  CHECK(tokens_of("  // alone\nx").comments[0].own_line);
  CHECK(code("// continued \\\n comment\nx") == Words{"x"});
  CHECK(code("/* never closed") == Words{});
}

TEST_CASE("a continued line continues names, operators and numbers, and offsets stay those of the file") {
  const std::string text = "ab\\\ncd <\\\n<< 1\\\r\n2";
  const Tokens tokens = tokens_of(text);
  REQUIRE(tokens.code.size() == 3);
  CHECK(tokens.code[0].text == "abcd");
  CHECK(tokens.code[0].offset == 0);
  CHECK(tokens.code[0].length == 6);
  CHECK(tokens.code[1].text == "<<<");
  CHECK(tokens.code[1].offset == 7);
  CHECK(tokens.code[2].text == "12");
  CHECK(tokens.code[2].offset == 13);
}

TEST_CASE("raw strings hold anything up to their own delimiter") {
  CHECK(code("R\"(a\"b\\)\" x") == Words{"R\"(a\"b\\)\"", "x"});
  CHECK(code("u8R\"d(a)\"b)d\" x") == Words{"u8R\"d(a)\"b)d\"", "x"});
  CHECK(code("R\"(never closed ) \" x") == Words{"R\"(never closed ) \" x"});
  CHECK(code("xR\"(a)\" y") == Words{"xR", "\"(a)\"", "y"});  // a name that ends in R is no prefix
}

TEST_CASE("a quote that is not closed ends with its line") {
  CHECK(code("\"open\nx") == Words{"\"open", "x"});
  CHECK(code("'open\nx") == Words{"'open", "x"});
  CHECK(code("#error don't\nx") == Words{"x"});
}

TEST_CASE("launch brackets are one token; operators of templates are none; closing angles stand alone") {
  CHECK(code("k<<<1>>>(a);") == Words{"k", "<<<", "1", ">", ">", ">", "(", "a", ")", ";"});
  CHECK(code("operator<<<int>") == Words{"operator", "<<", "<", "int", ">"});
  CHECK(code("A<B<C>>=x") == Words{"A", "<", "B", "<", "C", ">", ">", "=", "x"});
}

TEST_CASE("digraphs mean what they stand for, but `<::` opens template arguments") {
  CHECK(code("<% %> <: :>") == Words{"{", "}", "[", "]"});
  CHECK(code("A<::B>") == Words{"A", "<", "::", "B", ">"});
  CHECK(code("%:define X 1\nX") == Words{"X"});
}

TEST_CASE("directives are no code; macros keep their bodies, includes their names") {
  const std::string text = "#include <a/b.h>\n #  include \"c.h\" // x\n#define F(a, b) g(a) \\\n  + b\n#define N 1\n#pragma once\ny";
  const Tokens tokens = tokens_of(text);
  CHECK(code(text) == Words{"y"});
  REQUIRE(tokens.includes.size() == 2);
  CHECK(tokens.includes[0].path == "a/b.h");
  CHECK_FALSE(tokens.includes[0].quoted);
  CHECK(tokens.includes[1].path == "c.h");
  CHECK(tokens.includes[1].quoted);
  REQUIRE(tokens.macros.size() == 2);
  CHECK(tokens.macros[0].has_parameters);
  CHECK(tokens.macros[0].body.size() == 6);  // g ( a ) + b
  CHECK_FALSE(tokens.macros[1].has_parameters);
}

TEST_CASE("what #if 0 leaves out is no code; of other branches each is") {
  CHECK(code("#if 0\na\n#else\nb\n#endif\nc") == Words{"b", "c"});
  CHECK(code("#if 1\na\n#elif X\nb\n#else\nc\n#endif") == Words{"a"});
  CHECK(code("#ifdef X\na\n#else\nb\n#endif") == Words{"a", "b"});
  CHECK(code("#if 0\n#if X\na\n#else\nb\n#endif\n#endif\nc") == Words{"c"});
  CHECK(code("#else\n#endif\na") == Words{"a"});  // of nothing
  const Tokens tokens = tokens_of("#ifdef X\na\n#else\nb\n#endif\n");
  REQUIRE(tokens.branches.size() == 3);
  CHECK(tokens.branches[0].before == 0);
  CHECK(tokens.branches[1].before == 1);
  CHECK(tokens.branches[1].kind == Branch::Kind::next);
  CHECK(tokens.branches[2].kind == Branch::Kind::end);
}

TEST_CASE("any bytes are some tokens") {
  CHECK(code(std::string("\0a\x01\xff", 4)).size() == 4);
  CHECK(code("\\").size() == 1);
  CHECK(code("\\\n").empty());
  CHECK(code("@`\\x").size() == 4);
}
