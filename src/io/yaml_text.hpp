// Pieces of the YAML that this module writes.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

#include "rta/model/pool.hpp"
#include "rta/model/quantity.hpp"
#include "rta/model/task_set.hpp"

namespace rta::io {

/// In the largest unit of which it is a whole number.
[[nodiscard]] std::string time_text(Time time);
[[nodiscard]] std::string size_text(std::uint64_t bytes);
/// Whether YAML reads the text back as it stands, without quotes.
[[nodiscard]] bool is_plain(std::string_view text);
[[nodiscard]] std::string double_quoted(std::string_view text);
/// A name, quoted where it needs to be. Throws `UserError` for what is no name.
[[nodiscard]] std::string word(std::string_view name);

/// `{a: 1, b: 2}`, key by key.
class FlowMapping {
 public:
  FlowMapping& add(std::string_view key, std::string_view value) {
    if (text_.size() > 1) text_ += ", ";
    text_.append(key).append(": ").append(value);
    return *this;
  }
  template <class Integer>
  FlowMapping& add_number(std::string_view key, Integer value) {
    const fmt::format_int digits(value);
    return add(key, {digits.data(), digits.size()});
  }
  [[nodiscard]] std::string text() const { return text_ + "}"; }

 private:
  std::string text_ = "{";
};

/// `longest`, or `{max: …, min: …}` where it varies; both are whole numbers of `H` G-thread x ns (`H` = 1: times). `alone`: with that word
/// in place of `max`.
[[nodiscard]] std::string piece_text(const std::string& longest, const std::optional<Variation>& variation, Wide H = 1, bool alone = false);
/// What a pool is: the value of its key in `platform`. `partitions`: into which it is cut.
[[nodiscard]] std::string resource_text(const Pool& pool, std::span<const Pool> partitions = {});
/// B, H, L or C, or `time`, and what else differs from the defaults. Throws `UserError` for what cannot be written.
void add_demand(FlowMapping& out, const GpuDemand& demand, const GpuPool& gpu, std::string_view node,
                const std::optional<Variation>& variation = std::nullopt);

}  // namespace rta::io
