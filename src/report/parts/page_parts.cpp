#include "page_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "direction_marks.hpp"
#include "html_text.hpp"
#include "still_chart.hpp"

namespace rta::report {
namespace {

constexpr std::size_t wordy = 36;  // characters; longer cells are broken into lines

bool is_number(std::string_view cell) {
  return !cell.empty() && cell.find_first_of("0123456789") < 2 && cell.find_first_not_of("-+.0123456789e %smnu") == cell.npos;
}

/// Whether there are numbers in column c and nothing else, but for cells that say that there is none.
bool is_numeric(const std::vector<std::vector<std::string>>& rows, std::size_t c) {
  bool any = false;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (c >= rows[r].size() || rows[r][c].empty() || rows[r][c] == "-" || rows[r][c] == "N/A") continue;
    if (!is_number(rows[r][c])) return false;
    any = true;
  }
  return any;
}

const char* class_of(const std::string& cell, bool numeric) {
  if (cell.starts_with("MISSED") || cell.starts_with("ABOVE") || cell.starts_with("REFUTED") || cell == "no bound" ||
      cell.starts_with("late by"))
    return " class=\"bad\"";
  if (numeric) return " class=\"number\"";
  return cell.size() > wordy ? " class=\"words\"" : "";
}

/// What stands before a colon, where there is much behind it. Colons in braces belong to a value.
std::string_view short_title(std::string_view title) {
  const std::size_t colon = std::min(title.find(": "), title.size());
  return title.size() > wordy && title.substr(0, colon).find('{') == std::string_view::npos ? title.substr(0, colon) : title;
}

std::string attribute(std::string_view label) { return label.empty() ? "" : fmt::format(" aria-label=\"{}\"", escaped(label)); }

}  // namespace

// Inside a script element only `</` and `<!--` could end or change it; `<` escapes as \u003c in JSON strings.
std::string script_safe(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

void PartWriter::add_title(std::string_view title) {
  if (title.empty()) return;
  titles_.emplace_back(title);
  out_ += fmt::format("<h2 id=\"s{}\">{}</h2>\n", titles_.size(), escaped(title));
}

void PartWriter::operator()(const Paragraph& paragraph) { out_ += "<p>" + escaped(paragraph.text) + "</p>\n"; }

void PartWriter::operator()(const PageTable& table) {
  add_title(table.title);
  if (table.rows.empty()) return;
  std::vector<bool> numeric;
  for (std::size_t c = 0; c < table.rows.front().size(); ++c) numeric.push_back(is_numeric(table.rows, c));
  const std::size_t shown = std::min(table.rows.size(), most_rows + 1);
  out_ += fmt::format("<div class=\"scroll\" role=\"region\" tabindex=\"0\"{}><table>\n",
                      attribute(table.title.empty() ? std::string_view("table") : std::string_view(table.title)));
  for (std::size_t r = 0; r < shown; ++r) {
    out_ += r == 0 ? "<thead><tr>" : r == 1 ? "<tbody>\n<tr>" : "<tr>";
    for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
      const std::string& cell = table.rows[r][c];
      const bool aligned = c < numeric.size() && numeric[c];
      if (r == 0) {
        out_ += fmt::format("<th scope=\"col\"{}>{}</th>", aligned ? " class=\"number\"" : "", escaped(cell));
      } else {
        out_ += fmt::format("<td{}>{}</td>", class_of(cell, aligned), escaped(cell));
      }
    }
    out_ += r == 0 ? "</tr></thead>\n" : "</tr>\n";
  }
  out_ += shown > 1 ? "</tbody></table></div>\n" : "</table></div>\n";
  if (const std::size_t left = table.rows.size() - shown; left > 0) {
    out_ += fmt::format("<p>{} more row{} not shown; JSON and CSV have all.</p>\n", left, left == 1 ? " is" : "s are");
  }
}

void PartWriter::operator()(const Picture& picture) {
  out_ += fmt::format("<figure><div class=\"scroll picture\" role=\"img\"{}>\n{}</div></figure>\n", attribute(picture.label), picture.svg);
}

void PartWriter::operator()(const Chart& chart) {
  add_title(chart.title);
  const std::string id = fmt::format("chart{}", ++charts_);
  const std::string label = attribute(chart.title.empty() ? std::string_view("chart") : std::string_view(chart.title));
  out_ += fmt::format("<figure><div class=\"scroll still\" role=\"img\"{0}>\n{1}</div><div class=\"scroll\" id=\"{2}\"{0}></div>", label,
                      still_chart(chart.specification), id);
  if (!chart.caption.empty()) out_ += "<figcaption>" + escaped(chart.caption) + "</figcaption>";
  out_ += "</figure>\n";
  out_ += fmt::format("<script type=\"application/vnd.vega.v5+json\" data-chart=\"{}\">{}</script>\n", id,
                      script_safe(with_visible_marks(chart.specification)));
  if (!chart.other) return;
  out_ += fmt::format("<script type=\"application/json\" data-other=\"{}\" data-show=\"{}\" data-back=\"{}\">{}</script>\n", id,
                      escaped(chart.other->show), escaped(chart.other->back), script_safe(with_visible_marks(chart.other->specification)));
}

void PartWriter::add_waterfall(const Waterfall& waterfall) {
  out_ += "<table class=\"waterfall\">\n";
  const std::string mark = waterfall.mark ? fmt::format("<i style=\"left:{:.3f}%\"></i>", 100 * *waterfall.mark) : "";
  for (const Waterfall::Row& row : waterfall.rows) {
    out_ += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(row.name), escaped(row.length));
    if (row.colour.empty()) continue;
    out_ += fmt::format(
        "<tr aria-hidden=\"true\"><td class=\"bar\" colspan=\"2\"><div><span "
        "style=\"left:{:.3f}%;width:{:.3f}%;background:{}\"></span>{}</div></td></tr>\n",
        100 * row.from, 100 * (row.to - row.from), row.colour, mark);
  }
  out_ += "</table>\n";
}

void PartWriter::operator()(const Portrait& portrait) {
  add_title(portrait.title);
  if (!portrait.caption.empty()) out_ += "<p>" + escaped(portrait.caption) + "</p>\n";
  if (!portrait.legend.empty()) {
    out_ += "<ul class=\"legend\">";
    for (const auto& [fill, name] : portrait.legend)
      out_ += fmt::format("<li><span style=\"background:{}\"></span>{}</li>", fill, escaped(name));
    out_ += "</ul>\n";
  }
  out_ += "<div class=\"beside\">\n";
  if (portrait.picture) (*this)(*portrait.picture);
  if (portrait.waterfall) {
    out_ += "<div>\n";
    add_waterfall(*portrait.waterfall);
    out_ += "</div>\n";
  }
  out_ += "</div>\n";
}

void PartWriter::operator()(const Matrix& matrix) {
  add_title(matrix.title);
  if (!matrix.caption.empty()) out_ += "<p>" + escaped(matrix.caption) + "</p>\n";
  if (!matrix.legend.empty()) {
    out_ += "<ul class=\"legend\">";
    for (const auto& [text, meaning] : matrix.legend) out_ += fmt::format("<li><b>{}</b> {}</li>", escaped(text), escaped(meaning));
    out_ += "</ul>\n";
  }
  out_ += fmt::format("<div class=\"scroll\" role=\"region\" tabindex=\"0\"{}><table class=\"matrix\">\n<thead><tr><td></td>",
                      attribute(matrix.title));
  for (const std::string& name : matrix.names) out_ += fmt::format("<th scope=\"col\"><span>{}</span></th>", escaped(name));
  out_ += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < matrix.names.size(); ++i) {
    out_ += fmt::format("<tr><th scope=\"row\"><span>{}</span></th>", escaped(matrix.names[i]));
    for (std::size_t j = 0; j < matrix.names.size(); ++j) {
      const Matrix::Cell& cell = matrix.cells[i * matrix.names.size() + j];
      out_ += fmt::format("<td{} title=\"{}\">{}</td>", cell.marked ? " class=\"marked\"" : "", escaped(cell.tip), escaped(cell.text));
    }
    out_ += "</tr>\n";
  }
  out_ += "</tbody></table></div>\n";
}

std::string PartWriter::contents() const {
  constexpr std::size_t few = 4;
  if (titles_.size() < few) return "";
  std::string out = "<nav aria-label=\"Contents\"><ol>";
  for (std::size_t i = 0, end = 0; i < titles_.size(); i = end) {  // once for neighbours of a kind
    const std::string_view title = short_title(titles_[i]);
    for (end = i + 1; end < titles_.size() && short_title(titles_[end]) == title;) ++end;
    out += fmt::format("<li><a href=\"#s{}\">{}{}</a></li>", i + 1, escaped(title), end - i > 1 ? fmt::format(" ({})", end - i) : "");
  }
  return out + "</ol></nav>\n";
}

}  // namespace rta::report
