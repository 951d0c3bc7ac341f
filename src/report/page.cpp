#include "page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "html_text.hpp"
#include "vega_bundle.hpp"

namespace rta::report {
namespace {

constexpr std::string_view style = R"css(
:root { --ink: #1c2733; --soft: #5b6b7a; --line: #d9e0e7; --page: #ffffff; --shade: #f5f7f9; --accent: #14639e; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1160px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 26px; margin: 0 0 4px; }
h2 { font-size: 18px; margin: 36px 0 8px; }
p { max-width: 76ch; }
.summary { color: var(--soft); margin: 0 0 20px; font-size: 17px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 20px; margin: 0; padding: 12px 16px; background: var(--shade); border-radius: 6px; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 14px 4px 0; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
td.number, th.number { text-align: right; }
td.bad { color: #c0392b; font-weight: 600; }
figure { margin: 0; }
figcaption { color: var(--soft); font-size: 14px; max-width: 90ch; margin-bottom: 12px; }
#vg-tooltip-element { position: absolute; visibility: hidden; pointer-events: none; padding: 6px 10px; background: #fff; border: 1px solid var(--line);
  border-radius: 4px; box-shadow: 0 2px 6px rgba(0, 0, 0, .15); font-size: 13px; white-space: pre-line; max-width: 60ch; z-index: 9; }
footer { margin-top: 48px; color: var(--soft); font-size: 13px; }
)css";

constexpr std::string_view script = R"js(
(function () {
  'use strict';
  var tip = document.getElementById('vg-tooltip-element');
  function tooltip(handler, event, item, value) {
    if (value === null || value === undefined || value === '') { tip.style.visibility = 'hidden'; return; }
    tip.textContent = typeof value === 'object' ? Object.keys(value).map(function (k) { return k + ': ' + value[k]; }).join('\n') : String(value);
    var left = event.pageX + 14, room = document.documentElement.clientWidth - tip.offsetWidth - 12;
    tip.style.left = Math.max(0, Math.min(left, room)) + 'px';
    tip.style.top = (event.pageY + 14) + 'px';
    tip.style.visibility = 'visible';
  }
  window.rtaViews = [];
  document.querySelectorAll('script[type="application/vnd.vega.v5+json"]').forEach(function (data) {
    var box = document.getElementById(data.dataset.chart);
    var view = new vega.View(vega.parse(JSON.parse(data.textContent)), {renderer: 'canvas', container: box, hover: true, tooltip: tooltip});
    var fit = function () {
      var width = Math.max(300, box.clientWidth - 110);
      try { view.signal('width', width); } catch (fixed) { return; }
      view.runAsync().then(function () {
        var over = box.scrollWidth - box.clientWidth;  // long labels beside the chart
        if (over > 0) view.signal('width', Math.max(300, width - over)).runAsync();
      });
    };
    window.rtaViews.push(view);
    view.runAsync().then(fit);
    window.addEventListener('resize', fit);
  });
})();
)js";

// Inside a script element only `</` and `<!--` could end or change it; `<` escapes as \u003c in JSON strings.
std::string script_safe(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

bool is_number(std::string_view cell) {
  return !cell.empty() && cell.find_first_of("0123456789") < 2 && cell.find_first_not_of("-+.0123456789e %smnu") == cell.npos;
}

class Writer {
 public:
  void operator()(const Paragraph& paragraph) { out += "<p>" + escaped(paragraph.text) + "</p>\n"; }

  void operator()(const PageTable& table) {
    if (!table.title.empty()) out += "<h2>" + escaped(table.title) + "</h2>\n";
    out += "<div class=\"scroll\"><table>\n";
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const char* tag = r == 0 ? "th" : "td";
      out += "<tr>";
      for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
        const bool bad = table.rows[r][c].starts_with("MISSED") || table.rows[r][c].starts_with("ABOVE");
        const bool number = table.rows.size() > 1 && c < table.rows[1].size() && is_number(table.rows[1][c]);
        out += fmt::format("<{}{}>{}</{}>", tag,
                           bad      ? " class=\"bad\""
                           : number ? " class=\"number\""
                                    : "",
                           escaped(table.rows[r][c]), tag);
      }
      out += "</tr>\n";
    }
    out += "</table></div>\n";
  }

  void operator()(const Chart& chart) {
    const std::string id = fmt::format("chart{}", ++charts);
    if (!chart.title.empty()) out += "<h2>" + escaped(chart.title) + "</h2>\n";
    out += fmt::format("<figure><div class=\"scroll\" id=\"{}\"></div>", id);
    if (!chart.caption.empty()) out += "<figcaption>" + escaped(chart.caption) + "</figcaption>";
    out += "</figure>\n";
    out +=
        fmt::format("<script type=\"application/vnd.vega.v5+json\" data-chart=\"{}\">{}</script>\n", id, script_safe(chart.specification));
  }

  std::string out;
  int charts = 0;
};

}  // namespace

std::string html(const Page& page) {
  Writer writer;
  std::string& out = writer.out;
  out +=
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
      escaped(page.title) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" + std::string(style) +
      "</style></head>\n<body><main>\n<h1>" + escaped(page.title) + "</h1>\n";
  if (!page.summary.empty()) out += "<p class=\"summary\">" + escaped(page.summary) + "</p>\n";
  out += fact_list(page.facts);
  for (const auto& part : page.content) std::visit(writer, part);
  out += "<footer>Made by rta " RTA_VERSION ".</footer>\n</main>\n<div id=\"vg-tooltip-element\"></div>\n";
  if (writer.charts > 0) {
    out += "<script>";
    out += vega_bundle();
    out += "</script>\n<script>" + std::string(script) + "</script>\n";
  }
  out += "</body></html>\n";
  return out;
}

}  // namespace rta::report
