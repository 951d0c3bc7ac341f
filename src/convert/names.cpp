#include "names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "../io/fields.hpp"
#include "../io/utf8.hpp"

namespace rta::convert {
namespace {

// Every character that `keep` refuses, and every byte that is no character, becomes `other`; runs of it become one.
template <class Keep>
std::string filtered(std::string_view text, std::size_t most, char other, Keep keep) {
  std::string out;
  for (std::size_t at = 0; at < text.size() && out.size() < most;) {
    const std::size_t length = io::character_length(text, at);
    const std::string_view character = text.substr(at, std::max<std::size_t>(length, 1));
    if (length > 0 && keep(character)) {
      if (out.size() + length > most) break;
      out += character;
    } else if (out.empty() || out.back() != other) {
      out += other;
    }
    at += character.size();
  }
  return out;
}

}  // namespace

std::string one_word(std::string_view text, std::string_view standard, std::size_t most) {
  std::string word = filtered(text, most, '_', [](std::string_view c) {
    return c != ">" && c != "'" && c != "\"" && c != "\\" && c != "," && c != "{" && c != "}" && !io::name_fault(c);
  });
  while (word.ends_with('_')) word.pop_back();
  word.erase(0, word.find_first_not_of('_'));
  return word.empty() ? std::string(standard) : word;
}

std::string_view function_name(std::string_view demangled) {
  // The name ends where the outermost template arguments or the parameters begin; `(anonymous namespace)` is part of a name.
  static constexpr std::string_view anonymous = "(anonymous namespace)";
  std::size_t begin = 0, end = 0;
  bool ended = false;  // template arguments or parameters follow
  int depth = 0;
  for (std::size_t i = 0; i < demangled.size(); ++i) {
    const char c = demangled[i];
    if (depth == 0 && demangled.substr(i).starts_with(anonymous)) {
      i += anonymous.size() - 1;
      begin = end = i + 1;
      ended = false;
    } else if (c == '<' || c == '(') {
      ended = ended || depth == 0;
      if (c == '(' && depth == 0) break;
      ++depth;
    } else if (c == '>' || c == ')') {
      depth = std::max(depth - 1, 0);
    } else if (depth == 0 && (c == ' ' || c == ':')) {
      begin = end = i + 1;
      ended = false;
    } else if (depth == 0 && !ended) {
      end = i + 1;
    }
  }
  const std::string_view name = end > begin ? demangled.substr(begin, end - begin) : std::string_view();
  return name.empty() ? demangled : name;
}

std::string one_line(std::string_view text, std::size_t most) {
  return filtered(text, most, ' ', [](std::string_view c) {
    return !(c.size() == 1 && (static_cast<unsigned char>(c.front()) < 0x20 || c.front() == 0x7f)) && c != "\xC2\x85" &&
           c != "\xE2\x80\xA8" && c != "\xE2\x80\xA9" && c != "\xEF\xBB\xBF" &&
           !(c.size() == 2 && c.front() == '\xC2' && static_cast<unsigned char>(c[1]) < 0xA0);
  });
}

std::string UniqueNames::unique(const std::string& name) {
  if (take(name)) return name;
  std::size_t& tried = tried_.emplace(name, 1).first->second;
  for (;;) {
    std::string numbered = fmt::format("{}-{}", name, ++tried);
    if (take(numbered)) return numbered;
  }
}

bool UniqueNames::take(std::string_view name) {
  const std::size_t dash = name.rfind('-');
  const std::string_view digits = dash == std::string_view::npos ? std::string_view() : name.substr(dash + 1);
  std::uint32_t number = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool numbered = fault == std::errc() && end == digits.data() + digits.size() && digits.front() != '0';
  const auto found = numbered ? numbers_.find(name.substr(0, dash)) : numbers_.end();
  Numbers* numbers = found == numbers_.end() ? nullptr : &found->second;
  if (numbers != nullptr && number < numbers->taken.size() && numbers->taken[number]) return false;
  if (others_.contains(name)) return false;
  // A bit for each number costs less than a text for each name only where most of them are taken.
  constexpr std::size_t bits_a_name = 64;
  if (numbered && number <= bits_a_name * ((numbers == nullptr ? 0 : numbers->count) + 1)) {
    if (numbers == nullptr) numbers = &numbers_[std::string(name.substr(0, dash))];
    if (number >= numbers->taken.size()) numbers->taken.resize(std::max<std::size_t>(number + 1, numbers->taken.size() * 3 / 2));
    numbers->taken[number] = true;
    ++numbers->count;
  } else {
    others_.emplace(name);
  }
  return true;
}

}  // namespace rta::convert
