// A model's XML: elements with their places, references and numbers with units.
#pragma once

#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "../notes.hpp"
#include "model.hpp"

namespace rta::convert::amalthea {

using Element = pugi::xml_node;

/// `name?type=Class`, percent-encoded, as the name.
[[nodiscard]] std::string referred(std::string_view reference);
[[nodiscard]] std::vector<std::string> all_referred(std::string_view list);
/// The value of xsi:type without its prefix: `am:Ticks` as `Ticks`.
[[nodiscard]] std::string_view type_of(const Element& element);

/// A cost counts as no less than it is, a period or a deadline as no more.
enum class Rounding : std::uint8_t { up, down };

/// Tells an attribute that nobody reads.
void meet_attribute(std::string_view of, std::string_view name, const Place& at, Notes& notes);

class XmlFile {
 public:
  /// Throws `io::InputError` for what is no XML, has a document type, or is no model. `text` must outlive this.
  XmlFile(std::string_view text, std::string file);

  [[nodiscard]] Element root() const { return root_; }
  /// Of the Amalthea format.
  [[nodiscard]] const std::string& version() const { return version_; }
  /// Where it begins.
  [[nodiscard]] Place place_of(const Element& element) const { return place_at(element.offset_debug() - 1); }
  [[noreturn]] void fail(const Element& element, const std::string& message) const;
  /// The attribute `name`, which must be there.
  [[nodiscard]] std::string name_in(const Element& element) const;

  /// Throws unless this is the first of its name.
  void require_once(bool fresh, const Element& element, std::string_view what, std::string_view name) const;

  // Numbers; each throws `io::InputError` with the element's place for what is none, negative or too large.

  /// The attributes `value` and `unit` of an element.
  [[nodiscard]] Time time_of(const Element& element, Rounding rounding, bool zero = false) const;
  /// Rounded down: ticks take longer.
  [[nodiscard]] Wide hertz_of(const Element& element) const;
  [[nodiscard]] Wide bytes_of(const Element& element) const;
  [[nodiscard]] Wide bytes_per_second_of(const Element& element) const;
  /// A text such as `7200µs` or `1000 µs`; nothing when it is none.
  [[nodiscard]] std::optional<Time> time_in_text(const Element& element, std::string_view text) const;
  /// A number without unit, if there is such an attribute.
  [[nodiscard]] std::optional<Wide> count_of(const Element& element, const char* attribute) const;
  [[nodiscard]] std::int64_t integer_of(const Element& element, std::string_view text) const;
  /// Of a property with the key `priority`.
  [[nodiscard]] std::optional<std::int64_t> priority_in(const Element& property) const;

  // Deviations: constants, boundaries, histograms, distributions. Each goes through one function that says what bounds it, or refuses.

  [[nodiscard]] Ticks ticks_of(const Element& element, Notes& notes) const;
  /// Offsets from an instant, which may lie before it.
  [[nodiscard]] Deviation<Time> times_of(const Element& element, Notes& notes) const;

 private:
  template <class Quantity, class Read>
  [[nodiscard]] Deviation<Quantity> deviation(const Element& element, Notes& notes, const Read& read) const;
  [[nodiscard]] Time signed_time_of(const Element& element, Rounding rounding) const;
  [[nodiscard]] Place place_at(std::ptrdiff_t offset) const;
  template <class Units>
  [[nodiscard]] Wide quantity(const Element& at, std::string_view number, std::string_view unit, const Units& units, bool zero,
                              Rounding rounding) const;

  std::string_view text_;
  std::string file_;
  std::vector<std::size_t> lines_;  // where each begins
  pugi::xml_document document_;
  Element root_;
  std::string version_;
};

}  // namespace rta::convert::amalthea
