// What a terminal gets. All text for people goes through here, for names and messages may come from anywhere.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace rta::io {

/// Whether a terminal would obey the character, or turn the direction of what stands beside it: C0 and C1 controls, DEL, Unicode's breaks
/// of lines and its marks and isolates of direction.
[[nodiscard]] bool commands_a_terminal(char32_t character);

/// The text with such characters by their numbers, as \u001b, but for ends of lines and tabs; bytes that are no UTF-8 as \xff.
[[nodiscard]] std::string shown(std::string_view text);
/// The same with ends of lines and tabs by their numbers, too.
[[nodiscard]] std::string shown_in_line(std::string_view text);

/// A buffer that hands on `shown` text to another.
class ShownText : public std::streambuf {
 public:
  explicit ShownText(std::streambuf* to) : to_(to) {}
  ~ShownText() override;
  ShownText(const ShownText&) = delete;
  ShownText& operator=(const ShownText&) = delete;

  /// As it stands: what the program itself wants of a terminal.
  void send(std::string_view text);

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;

 private:
  bool put(std::string_view text);
  bool hand_on_rest();

  std::streambuf* to_;
  std::string rest_;  // the begin of a character
};

/// To a stream with such a buffer as it stands; to others like any text.
struct Sent {
  std::string_view text;
};
std::ostream& operator<<(std::ostream& out, Sent sent);

/// Text in a colour (the numbers of an SGR sequence) where that is wanted.
struct Coloured {
  std::string_view text;
  std::string_view colour;
  bool wanted;
};
std::ostream& operator<<(std::ostream& out, const Coloured& coloured);

}  // namespace rta::io
