#include "page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "colours.hpp"
#include "html_text.hpp"
#include "page_parts.hpp"
#include "page_script.hpp"
#include "page_style.hpp"
#include "vega_bundle.hpp"

namespace rta::report {
namespace {

std::string style() {
  std::string colours(light_colours);
  for (std::size_t i = 0; i < palette.size(); ++i) colours += fmt::format(" --c{}: {};", i, palette[i].fill);
  colours += fmt::format(" --met: {}; --missed: {}; --nodeadline: {};", met_colour.fill, missed_colour.fill, no_deadline_colour.fill);
  return fmt::format(
      ":root {{ {} }}\n@media screen and (prefers-color-scheme: dark) {{ :root:not([data-style=light]) {{ {} }} }}\n@media screen {{ "
      ":root[data-style=dark] {{ {} }} }}{}",
      colours, dark_colours, dark_colours, page_style);
}

std::string badge_of(const Badge& badge) {
  const Colour& colour = badge.tone == Badge::Tone::good ? met_colour : badge.tone == Badge::Tone::bad ? missed_colour : no_deadline_colour;
  return fmt::format("<span class=\"badge\" style=\"background:{};color:{}\">{}</span>\n", colour.fill, colour.text, escaped(badge.text));
}

std::string head_of(const Page& page) {
  std::string out = "<header>\n<div class=\"head\"><h1>" + escaped(page.title) + "</h1>\n";
  if (page.badge) out += badge_of(*page.badge);
  out += "<div class=\"actions\">";
  if (page.data) {
    const std::string kind = page.data->file.ends_with(".json") ? "JSON" : "CSV";
    out += "<button type=\"button\" id=\"save\" hidden>Save as " + kind + "</button>";
  }
  out += "<button type=\"button\" id=\"style\" hidden>Dark style</button></div></div>\n";
  if (!page.summary.empty()) out += "<p class=\"summary\">" + escaped(page.summary) + "</p>\n";
  return out + fact_list(page.facts);
}

/// Directly behind the tag stands the text as it is printed elsewhere, so that the evidence finds its place in it.
std::string data_of(const PageData& data) {
  const bool json = data.file.ends_with(".json");
  const std::string text = json ? data.text : nlohmann::json(data.text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return fmt::format("<script type=\"application/json\" id=\"result\" data-file=\"{}\">{}</script>\n", escaped(data.file),
                     script_safe(text));
}

}  // namespace

void embed(std::string file, std::string text, Page& page) {
  if (file.ends_with(".json")) {  // a third of a large result is indentation; no string in JSON holds an end of a line
    std::size_t kept = 0;
    bool leads = false;
    for (const char c : text) {
      if (!leads || c != ' ') text[kept++] = c;
      leads = c == '\n' || (leads && c == ' ');
    }
    text.resize(kept);
  }
  if (text.size() > most_data) {
    page.content.emplace_back(Paragraph{
        fmt::format("The whole result, {} MB, is too large for this page; -o FILE.json (or .csv) writes it.", text.size() / 1'000'000)});
  } else {
    page.data = PageData{std::move(file), std::move(text)};
  }
}

std::string html(const Page& page) {
  PartWriter writer;
  for (const auto& part : page.content) std::visit(writer, part);
  // Nothing is loaded, whatever a name or a result holds; Vega makes functions of its charts' expressions, which are constants of ours.
  const std::string policy = fmt::format(
      "default-src 'none'; script-src 'unsafe-inline'{}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'",
      writer.charts() > 0 ? " 'unsafe-eval'" : "");
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"" + policy +
      "\"><meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>" +
      escaped(page.title) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" + style() + "</style>\n<script>";
  out += early_script;
  out += "</script></head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to the result</a>\n" + head_of(page) + writer.contents() +
         "</header>\n<main id=\"content\" tabindex=\"-1\">\n";
  out += writer.text();
  out += "<footer>Made by rta " RTA_VERSION ".</footer>\n</main>\n<div id=\"vg-tooltip-element\" role=\"tooltip\"></div>\n";
  if (page.data) out += data_of(*page.data);
  out += "<script>";
  out += page_script;
  out += "</script>\n";
  if (writer.charts() > 0) {
    out += "<script>";
    out += vega_bundle();
    out += "</script>\n<script>";
    out += chart_script;
    out += "</script>\n";
  }
  out += "</body></html>\n";
  return out;
}

}  // namespace rta::report
