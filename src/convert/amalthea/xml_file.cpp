#include "xml_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "../../io/decimal.hpp"
#include "../names.hpp"

namespace rta::convert::amalthea {
namespace {

struct UnitSize {
  std::string_view name;
  std::int64_t size;
  std::int64_t divisor = 1;
};
constexpr std::array time_units{UnitSize{"s", 1'000'000'000}, UnitSize{"ms", 1'000'000}, UnitSize{"us", 1'000},   UnitSize{"µs", 1'000},
                                UnitSize{"μs", 1'000},        UnitSize{"ns", 1},         UnitSize{"ps", 1, 1'000}};
constexpr std::array frequency_units{UnitSize{"Hz", 1}, UnitSize{"kHz", 1'000}, UnitSize{"MHz", 1'000'000}, UnitSize{"GHz", 1'000'000'000}};
// In eighths of a byte.
constexpr std::array size_units{
    UnitSize{"bit", 1},         UnitSize{"kbit", 1'000},       UnitSize{"Mbit", 1'000'000},      UnitSize{"Gbit", 1'000'000'000},
    UnitSize{"Kibit", 1'024},   UnitSize{"Mibit", 1'048'576},  UnitSize{"Gibit", 1'073'741'824}, UnitSize{"B", 8},
    UnitSize{"kB", 8'000},      UnitSize{"MB", 8'000'000},     UnitSize{"GB", 8'000'000'000},    UnitSize{"KiB", 8'192},
    UnitSize{"MiB", 8'388'608}, UnitSize{"GiB", 8'589'934'592}};

constexpr std::array plain{UnitSize{"", 1}};

}  // namespace

std::string referred(std::string_view reference) {
  if (reference.starts_with("amlt:/#")) reference.remove_prefix(7);
  reference = reference.substr(0, reference.find("?type="));
  std::string name;
  const auto hex = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const char c = reference[i];
    if (c == '%' && i + 2 < reference.size() && std::isxdigit(static_cast<unsigned char>(reference[i + 1])) != 0 &&
        std::isxdigit(static_cast<unsigned char>(reference[i + 2])) != 0) {
      name += static_cast<char>(hex(reference[i + 1]) * 16 + hex(reference[i + 2]));
      i += 2;
    } else {
      name += c == '+' ? ' ' : c;
    }
  }
  return name;
}

std::vector<std::string> all_referred(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (end > 0) names.push_back(referred(list.substr(0, end)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

std::string_view type_of(const Element& element) {
  std::string_view type = element.attribute("xsi:type").value();
  return type.substr(type.find(':') == std::string_view::npos ? 0 : type.find(':') + 1);
}

XmlFile::XmlFile(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  lines_.push_back(0);
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) lines_.push_back(at + 1);
  const auto result = document_.load_buffer(text_.data(), text_.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
  if (!result) {
    const Place at = place_at(result.offset);
    refuse(file_, fmt::format("not XML: {}", result.description()), at.line, at.column);
  }
  for (const Element& child : document_.children()) {
    if (child.type() == pugi::node_doctype) {
      fail(child, "a document type declaration (<!DOCTYPE …>) has no place in a model, and its entities are not expanded");
    }
  }
  root_ = document_.document_element();
  for (const Element& child : document_.children()) {
    if (child.type() == pugi::node_element && child != root_) fail(child, "an element after the end of the model, where none may stand");
  }
  constexpr std::string_view space = "http://app4mc.eclipse.org/amalthea/";
  for (const auto& attribute : root_.attributes()) {
    const std::string_view value = attribute.value();
    if (value.starts_with(space)) version_ = value.substr(space.size());
  }
  if (!std::string_view(root_.name()).ends_with("Amalthea") || version_.empty()) {
    fail(root_, fmt::format("no model of Amalthea: the element 'am:Amalthea' in the namespace {}VERSION is expected, not '{}'", space,
                            one_line(root_.name(), 60)));
  }
}

Place XmlFile::place_at(std::ptrdiff_t offset) const {
  const auto at = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(text_.size())));
  const auto after = std::ranges::upper_bound(lines_, at);
  return {static_cast<std::size_t>(after - lines_.begin()), at - *std::prev(after) + 1};
}

void XmlFile::fail(const Element& element, const std::string& message) const {
  const Place at = place_of(element);
  refuse(file_, message, at.line, at.column);
}

std::string XmlFile::name_in(const Element& element) const {
  std::string name = element.attribute("name").value();
  if (name.empty()) fail(element, fmt::format("'{}' has no name", one_line(element.name(), 40)));
  return name;
}

template <class Units>
Wide XmlFile::quantity(const Element& at, std::string_view number_text, std::string_view unit, const Units& units, bool zero,
                       Rounding rounding) const {
  const auto* const known = std::ranges::find(units, unit, &UnitSize::name);
  if (known == units.end()) fail(at, fmt::format("unit '{}' is not known", one_line(unit, 40)));
  std::string written;
  const auto number = io::parse_scientific(number_text, written);
  const auto scaled = number && number->rest.empty() ? number->scaled(known->size) : std::nullopt;
  constexpr Wide most = Wide{1} << 62U;
  if (!scaled || (number->negative && !number->is_zero()) || scaled->floor > most || (!zero && number->is_zero())) {
    fail(at, fmt::format("'{}' is no number {} 0 that fits", one_line(number_text, 40), zero ? "of at least" : "above"));
  }
  if (rounding == Rounding::down) return scaled->floor / known->divisor;
  return ceil_div(scaled->floor + (scaled->exact ? 0 : 1), known->divisor);
}

Time XmlFile::time_of(const Element& element, Rounding rounding, bool zero) const {
  return to_time(quantity(element, element.attribute("value").value(), element.attribute("unit").value(), time_units, zero, rounding));
}

Wide XmlFile::hertz_of(const Element& element) const {
  const Wide hertz =
      quantity(element, element.attribute("value").value(), element.attribute("unit").value(), frequency_units, false, Rounding::down);
  if (hertz == 0) fail(element, "a frequency below 1 Hz");
  return hertz;
}

Wide XmlFile::bytes_of(const Element& element) const {
  return ceil_div(quantity(element, element.attribute("value").value(), element.attribute("unit").value(), size_units, true, Rounding::up),
                  8);
}

Wide XmlFile::bytes_per_second_of(const Element& element) const {
  std::string_view unit = element.attribute("unit").value();
  constexpr std::string_view per_second = "PerSecond";
  if (!unit.ends_with(per_second)) fail(element, fmt::format("unit '{}' is not known", one_line(unit, 40)));
  unit.remove_suffix(per_second.size());
  const Wide bytes = quantity(element, element.attribute("value").value(), unit, size_units, false, Rounding::down) / 8;
  if (bytes == 0) fail(element, "a rate below one byte per second");
  return bytes;  // a lower rate makes copies longer
}

std::optional<Time> XmlFile::time_in_text(const Element& element, std::string_view text) const {
  const std::size_t end = text.find_first_not_of("0123456789.");
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  std::string_view unit = text.substr(end);
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  if (std::ranges::find(time_units, unit, &UnitSize::name) == time_units.end()) return std::nullopt;
  return to_time(quantity(element, text.substr(0, end), unit, time_units, false, Rounding::up));
}

std::optional<Wide> XmlFile::count_of(const Element& element, const char* attribute) const {
  const auto given = element.attribute(attribute);
  return given ? std::optional(quantity(element, given.value(), "", plain, true, Rounding::up)) : std::nullopt;
}

std::int64_t XmlFile::integer_of(const Element& element, std::string_view text) const {
  const auto number = io::parse_decimal(text);
  const auto value = number && number->rest.empty() && number->is_whole() ? number->scaled(1) : std::nullopt;
  if (!value || value->floor > std::numeric_limits<std::int32_t>::max())
    fail(element, fmt::format("'{}' is no whole number", one_line(text, 40)));
  return static_cast<std::int64_t>(number->negative ? -value->floor : value->floor);
}

std::optional<std::int64_t> XmlFile::priority_in(const Element& property) const {
  const std::string_view key = property.attribute("key").value();
  if (key != "priority" && key != "Priority") return std::nullopt;
  const auto value = property.attribute("value");
  return integer_of(property, value ? value.value() : property.child("value").attribute("value").value());
}

template <class Quantity, class Read>
Deviation<Quantity> XmlFile::deviation(const Element& element, Notes& notes, const Read& read) const {
  using enum Rounding;
  std::string_view type = type_of(element);
  for (const std::string_view kind : {"Time", "DiscreteValue", "ContinuousValue"}) {
    if (type.starts_with(kind)) type.remove_prefix(kind.size());
  }
  const Place at = place_of(element);
  if (!type.empty()) notes.meet(Kind::amalthea, "deviation", type, at.line, at.column);
  for (const auto& attribute : element.attributes()) meet_attribute("deviation", attribute.name(), at, notes);
  Deviation<Quantity> out;
  if (const std::optional<Quantity> constant = read(element, "value", up)) {
    out = {read(element, "value", down), constant, constant};
  } else if (element.child("entries")) {
    for (const Element& entry : element.children("entries")) {
      for (const auto& attribute : entry.attributes()) meet_attribute("deviation", attribute.name(), place_of(entry), notes);
      const std::optional<Quantity> least = read(entry, "lowerBound", down), most = read(entry, "upperBound", up);
      if (!least || !most) fail(entry, "a part of a histogram has a lower and an upper bound");
      out.least = std::min(out.least.value_or(*least), *least);
      out.most = std::max(out.most.value_or(*most), *most);
    }
  } else {
    out.least = read(element, "lowerBound", down);
    out.most = read(element, "upperBound", up);
    out.average = read(element, "average", up);
    if (!out.average) out.average = read(element, "mean", up);
  }
  if (!out.most) fail(element, fmt::format("{} has no upper bound", type.empty() ? "it" : "'" + one_line(type, 40) + "'"));
  if (out.least && *out.least > *out.most) fail(element, "its lower bound is above its upper bound");
  return out;
}

Ticks XmlFile::ticks_of(const Element& element, Notes& notes) const {
  return deviation<Wide>(element, notes, [this](const Element& of, const char* name, Rounding) { return count_of(of, name); });
}

Time XmlFile::signed_time_of(const Element& element, Rounding rounding) const {
  std::string_view number = element.attribute("value").value();
  const bool negative = number.starts_with('-');
  if (negative) {
    number.remove_prefix(1);
    rounding = rounding == Rounding::up ? Rounding::down : Rounding::up;
  }
  const Time size = to_time(quantity(element, number, element.attribute("unit").value(), time_units, true, rounding));
  return negative ? Time(-size.count()) : size;
}

Deviation<Time> XmlFile::times_of(const Element& element, Notes& notes) const {
  return deviation<Time>(element, notes, [this](const Element& of, const char* name, Rounding rounding) {
    const Element bound = of.child(name);
    return bound ? std::optional(signed_time_of(bound, rounding)) : std::nullopt;
  });
}

void XmlFile::require_once(bool fresh, const Element& element, std::string_view what, std::string_view name) const {
  if (!fresh) fail(element, fmt::format("{} '{}' is there twice", what, one_line(name, 60)));
}

void meet_attribute(std::string_view of, std::string_view name, const Place& at, Notes& notes) {
  for (const std::string_view own : {"xmlns:", "xml:", "xmi:", "xsi:"}) {
    if (name.starts_with(own)) return;  // of XML and EMF themselves
  }
  if (name == "xmlns") return;
  notes.meet(Kind::amalthea, "attribute of " + std::string(of), name, at.line, at.column);
}

}  // namespace rta::convert::amalthea
