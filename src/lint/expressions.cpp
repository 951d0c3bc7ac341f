#include "expressions.hpp"

#include <algorithm>
#include <array>

namespace rta::lint {
namespace {

constexpr std::array<std::string_view, 10> null_names{"NULL",
                                                      "nullptr",
                                                      "cudaStreamLegacy",
                                                      "CU_STREAM_LEGACY",
                                                      "cudaStreamDefault",
                                                      "CU_STREAM_DEFAULT",
                                                      "__null",
                                                      "cuda_stream_default",
                                                      "cuda_stream_legacy",
                                                      "default_stream_value"};

bool is_zero(std::string_view number) {
  while (!number.empty() && std::string_view("uUlLzZ").find(number.back()) != std::string_view::npos) number.remove_suffix(1);
  if (number.starts_with("0x") || number.starts_with("0X") || number.starts_with("0b")) number.remove_prefix(2);
  return !number.empty() && std::ranges::all_of(number, [](char c) { return c == '0' || c == '\''; });
}

bool is_type(const Code& code, Range range) {
  if (range.empty()) return false;
  bool named = false;
  for (std::uint32_t k = range.begin; k < range.end; ++k) {
    const Token& token = code[k];
    if (token.is_name()) {
      named = true;
    } else if (!token.is("*") && !token.is("&") && !token.is("::") && !token.is("<") && !token.is(">")) {
      return false;
    }
  }
  return named;
}

}  // namespace

Range stripped(const Code& code, Range range) {
  for (;;) {
    if (range.empty()) return range;
    const std::uint32_t b = range.begin;
    if (code.is(b, "(")) {
      const std::uint32_t close = code.match(b);
      if (close + 1 == range.end) {
        range = {b + 1, close};
        continue;
      }
      // `(type)x`: what follows is no operator.
      const Token& next = code[close + 1];
      const bool operand = next.is_name() || next.kind == TokenKind::number || next.kind == TokenKind::string || next.is("(") ||
                           next.is("&") || next.is("{");
      if (close < range.end && operand && is_type(code, {b + 1, close})) {
        range.begin = close + 1;
        continue;
      }
      return range;
    }
    const bool cast = code.is(b, "static_cast") || code.is(b, "reinterpret_cast") || code.is(b, "const_cast");
    if (cast && code.is(b + 1, "<")) {
      const std::uint32_t open = code.after_template(b + 1);
      if (open > b + 1 && code.is(open, "(") && code.match(open) + 1 == range.end) {
        range = {open + 1, range.end - 1};
        continue;
      }
    }
    // `cudaStream_t(0)`, `cudaStream_t{}`.
    const bool stream_type = code.is(b, "cudaStream_t") || code.is(b, "CUstream");
    if (stream_type && (code.is(b + 1, "(") || code.is(b + 1, "{")) && code.match(b + 1) + 1 == range.end) {
      range.begin = b + 1;
      if (code.is(b + 1, "{") || code.match(b + 1) == b + 2) return range;
      continue;
    }
    return range;
  }
}

bool is_null_stream(const Code& code, Range range) {
  range = stripped(code, range);
  if (range.empty()) return false;
  const Token& first = code[range.begin];
  if (first.is("{") || first.is("(")) {  // {}, {0}, cudaStream_t()
    const std::uint32_t close = code.match(range.begin);
    if (close + 1 != range.end) return false;
    return close == range.begin + 1 || is_null_stream(code, {range.begin + 1, close});
  }
  if (range.end == range.begin + 1) {
    if (first.kind == TokenKind::number) return is_zero(first.text);
    return std::ranges::find(null_names, first.text) != null_names.end();
  }
  const bool one_name = std::ranges::all_of(code.tokens().subspan(range.begin, range.end - range.begin), [](const Token& t) {
    return t.is_name() || t.is("::") || t.is("(") || t.is(")") || t.is(".");
  });
  if (!one_name) return false;
  for (std::uint32_t k = range.begin; k < range.end; ++k) {
    if (code.is(k, "getDefaultCUDAStream") || code.is(k, "cuda_stream_default") || code.is(k, "cuda_stream_legacy")) return true;
  }
  return false;
}

bool is_default_flag(const Code& code, Range range) {
  range = stripped(code, range);
  if (range.end != range.begin + 1) return false;
  const Token& token = code[range.begin];
  if (token.kind == TokenKind::number) return is_zero(token.text);
  return token.is("cudaStreamDefault") || token.is("CU_STREAM_DEFAULT");
}

std::string_view variable(const Code& code, Range range) {
  range = stripped(code, range);
  std::string_view name;
  for (std::uint32_t k = range.begin; k < range.end; ++k) {
    const Token& token = code[k];
    if (token.is_name()) {
      name = token.text;
    } else if (token.is("[")) {  // `slots[i].stream`, `streams[i]`
      k = code.match(k);
    } else if (!token.is(".") && !token.is("->") && !token.is("::") && !token.is("*")) {
      return {};
    }
  }
  return name;
}

Pointee pointee(const Code& code, Range range) {
  range = stripped(code, range);
  Pointee found;
  if (range.empty()) return found;
  std::uint32_t k = range.begin;
  if (code[k].kind == TokenKind::string) {
    found.kind = Pointee::Kind::literal;
    return found;
  }
  bool address = code.is(k, "&");
  if (address) ++k;
  std::string_view object, last;
  bool arrow = false;
  bool point = false;
  for (; k < range.end; ++k) {
    const Token& token = code[k];
    if (token.is_name() && code.is(k + 1, "(")) {
      // What `.data()` gives.
      const bool inside = token.is("data") || token.is("get") || token.is("c_str") || token.is("begin");
      if (!inside || last.empty() || !code.is(k + 2, ")")) return {};
      address = false;
      k += 2;
    } else if (token.is_name()) {
      if (object.empty()) object = token.text;
      last = token.text;
    } else if (token.is("->") || token.is(".")) {
      const bool calls = code[k + 1].is_name() && code.is(k + 2, "(");
      arrow = arrow || (token.is("->") && !calls);
      point = point || (token.is(".") && !calls);
    } else if (token.is("[")) {
      k = code.match(k);
      address = false;  // `&v[i]`: what v holds
    } else if (token.is("+") || token.is("-")) {
      break;
    } else if (!token.is("::")) {
      return {};
    }
  }
  if (last.empty()) return {};
  // Of an object on the stack every member is on the stack, too.
  if (address) return {Pointee::Kind::address, arrow ? last : object, arrow};
  return {Pointee::Kind::value, last, arrow || point};
}

std::string_view target(const Code& code, Range range) {
  range = stripped(code, range);
  if (code.is(range.begin, "&")) ++range.begin;
  return variable(code, range);
}

bool mentions(const Code& code, Range range, std::string_view name) {
  for (std::uint32_t k = range.begin; k < range.end; ++k) {
    if (code.is(k, name)) return true;
  }
  return false;
}

}  // namespace rta::lint
