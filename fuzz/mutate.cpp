#include "mutate.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace rta::fuzz {
namespace {

// Numbers and signs at which readers stumble.
constexpr std::array<std::string_view, 28> strange{"0",
                                                   "-1",
                                                   "1",
                                                   "2147483648",
                                                   "4294967295",
                                                   "9223372036854775807",
                                                   "-9223372036854775808",
                                                   "18446744073709551616",
                                                   "1e308",
                                                   "-1e-308",
                                                   "1e999",
                                                   "nan",
                                                   "0.1",
                                                   "null",
                                                   "true",
                                                   "[]",
                                                   "{}",
                                                   "\"",
                                                   "\\",
                                                   "'",
                                                   "&a",
                                                   "*a",
                                                   "\xff\xfe",
                                                   "\xc2\x85",
                                                   "\n",
                                                   "<!--",
                                                   "#",
                                                   std::string_view("\0", 1)};
constexpr std::size_t longest = 1U << 16U;

class Mutation {
 public:
  Mutation(std::span<const std::string> inputs, Random& random) : inputs_(inputs), random_(random), text_(any_input()) {}

  std::string make() {
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) change();
    if (text_.size() > longest) text_.resize(longest);
    return std::move(text_);
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }
  const std::string& any_input() { return inputs_[below(inputs_.size())]; }
  // Most pieces are short.
  std::size_t piece(const std::string& of, std::size_t from) {
    return std::min(of.size() - from, below(4) == 0 ? below(of.size() + 1) : below(16));
  }

  void change() {
    const std::size_t at = below(text_.size() + 1);
    switch (below(8)) {
      case 0: text_.erase(at, piece(text_, at)); break;
      case 1: text_.insert(at, text_.substr(at, piece(text_, at))); break;
      case 2: text_.insert(at, strange[below(strange.size())]); break;
      case 3: text_.resize(at); break;
      case 4: {
        const std::string& other = any_input();
        const std::size_t from = below(other.size() + 1);
        text_.replace(at, piece(text_, at), other.substr(from, piece(other, from)));
        break;
      }
      case 5:
        if (at < text_.size()) text_[at] = static_cast<char>(below(256));
        break;
      default: replace_number(at); break;
    }
  }

  // The first number from there on.
  void replace_number(std::size_t from) {
    const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const auto begin = std::find_if(text_.begin() + static_cast<std::ptrdiff_t>(from), text_.end(), is_digit);
    const auto end = std::find_if_not(begin, text_.end(), is_digit);
    const std::string_view with = strange[below(strange.size())];
    text_.replace(begin, end, with.begin(), with.end());
  }

  std::span<const std::string> inputs_;
  Random& random_;
  std::string text_;
};

}  // namespace

std::string mutated(std::span<const std::string> inputs, Random& random) { return Mutation(inputs, random).make(); }

}  // namespace rta::fuzz
