// The parts of a page as HTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "page.hpp"

namespace rta::report {

/// JSON that no text in it can end the script element it stands in.
[[nodiscard]] std::string script_safe(std::string_view json);

/// Writes parts one behind the other; a title makes a section that the page's list of contents names.
class PartWriter {
 public:
  void operator()(const Paragraph& paragraph);
  void operator()(const PageTable& table);
  void operator()(const Chart& chart);
  void operator()(const Picture& picture);
  void operator()(const Portrait& portrait);
  void operator()(const Matrix& matrix);

  [[nodiscard]] const std::string& text() const { return out_; }
  [[nodiscard]] std::size_t charts() const { return charts_; }
  /// Links to the titles; nothing where there are few.
  [[nodiscard]] std::string contents() const;

 private:
  void add_title(std::string_view title);
  void add_waterfall(const Waterfall& waterfall);

  std::string out_;
  std::vector<std::string> titles_;
  std::size_t charts_ = 0;
};

}  // namespace rta::report
