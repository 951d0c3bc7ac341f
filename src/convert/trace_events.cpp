#include "trace_events.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <istream>
#include <limits>
#include <nlohmann/json.hpp>

#include "../io/decimal.hpp"
#include "notes.hpp"

namespace rta::convert {

std::optional<std::int64_t> Scalar::as_integer() const {
  if (kind == Kind::integer) return integer;
  if (kind != Kind::text) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> Scalar::as_time(std::int64_t unit, bool up) const {
  // A quarter of the range, so that sums and differences of a few stay in it.
  constexpr Wide most = std::numeric_limits<std::int64_t>::max() / 4;
  const auto within = [](Wide value) {
    return value <= most && value >= -most ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
  };
  if (kind == Kind::integer) return within(static_cast<Wide>(integer) * unit);
  if (kind != Kind::number) return std::nullopt;
  const auto decimal = io::parse_decimal(text);
  if (decimal && decimal->rest.empty()) {
    const auto scaled = decimal->scaled(unit);
    if (!scaled) return std::nullopt;
    const Wide size = scaled->floor + (up && !scaled->exact && !decimal->negative ? 1 : 0);
    return within(decimal->negative ? -size : size);
  }
  // With an exponent.
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || !(std::abs(value) < 1e18)) return std::nullopt;
  const double product = value * static_cast<double>(unit);
  return within(static_cast<Wide>(up ? std::ceil(product) : product));
}

const Scalar* Record::find(std::string_view key, std::size_t index) const {
  for (std::size_t i = 0; i < count_; ++i) {
    if (entries_[i].key == key && index-- == 0) return &entries_[i].value;
  }
  return nullptr;
}

std::string_view Record::text(std::string_view key) const {
  const Scalar* const value = find(key);
  return value == nullptr ? std::string_view() : value->as_text();
}

std::optional<std::int64_t> Record::integer(std::string_view key, std::size_t index) const {
  const Scalar* const value = find(key, index);
  return value == nullptr ? std::nullopt : value->as_integer();
}

class TraceSax : public nlohmann::json_sax<nlohmann::json> {
 public:
  TraceSax(JsonStream& in, const TraceHandlers& handlers) : in_(in), handlers_(handlers) {}

  bool null() override { return add({}); }
  bool boolean(bool value) override { return add({Scalar::Kind::boolean, value ? 1 : 0, {}}); }
  bool number_integer(number_integer_t value) override { return add({Scalar::Kind::integer, value, {}}); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return add({Scalar::Kind::number, 0, std::to_string(value)});
    return add({Scalar::Kind::integer, static_cast<std::int64_t>(value), {}});
  }
  bool number_float(number_float_t /*value*/, const string_t& text) override { return add({Scalar::Kind::number, 0, text}); }
  bool string(string_t& text) override { return add({Scalar::Kind::text, 0, std::move(text)}); }
  bool binary(binary_t& /*value*/) override { return true; }

  bool start_object(std::size_t /*elements*/) override {
    if (!open(false)) return false;
    if (depth_ == record_depth_) {
      record_.count_ = 0;
      record_.place_ = in_.place();
      if (record_.place_.column > 1) --record_.place_.column;
    }
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ == 1) {
      top_key_ = name;
      if (handlers_.key) handlers_.key(top_key_);
    }
    if (depth_ == record_depth_) record_key_ = name;
    if (depth_ == record_depth_ + 1) inner_key_ = name;
    return true;
  }
  bool end_object() override {
    if (depth_ == record_depth_ && lists_[record_depth_ - 2]) {
      if (top_key_ == "traceEvents") {
        if (handlers_.event) handlers_.event(record_);
      } else if (handlers_.other) {
        handlers_.other(top_key_, record_);
      }
    }
    --depth_;
    return !(handlers_.enough && handlers_.enough());
  }
  bool start_array(std::size_t /*elements*/) override { return open(true); }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*last*/, const nlohmann::json::exception& error) override {
    const std::string_view what = error.what();
    const std::size_t reason = what.find("syntax error");
    JsonStream::Place at = in_.place();
    if (at.column > 1) --at.column;
    refuse(in_.name(), fmt::format("not JSON: {}", one(reason == std::string_view::npos ? what : what.substr(reason))), at.line, at.column);
  }

 private:
  static constexpr std::size_t deepest = 64;

  static std::string one(std::string_view what) {
    std::string text(what.substr(0, 200));
    for (char& c : text) {
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = ' ';
    }
    return text;
  }

  // Between the records of the file, where nothing but objects may stand: a value there is no record that could be read.
  void refuse_between_records() const {
    const bool between = handlers_.records_alone && depth_ > 0 && depth_ + 1 == record_depth_ && lists_[depth_ - 1] &&
                         (depth_ == 1 || top_key_ == "traceEvents");
    if (!between) return;
    const auto at = in_.place();
    refuse(in_.name(), fmt::format("an object is expected in the list{}", depth_ == 1 ? "" : " 'traceEvents'"), at.line, at.column);
  }

  bool open(bool list) {
    if (list) refuse_between_records();
    if (++depth_ >= deepest) {
      const auto at = in_.place();
      refuse(in_.name(), fmt::format("lists and objects nest more than {} deep", deepest), at.line, at.column);
    }
    lists_[depth_ - 1] = list;
    of_list_ = 0;
    if (depth_ == 1 && list) record_depth_ = 2;
    return true;
  }

  bool add(Scalar&& value) {
    refuse_between_records();
    if (depth_ == 1 && !lists_[0] && handlers_.top) handlers_.top(top_key_, value);
    if (depth_ < record_depth_ || !lists_[record_depth_ - 2] || lists_[record_depth_ - 1]) return true;
    // Deeper than an object or a list within the record there is nothing of use.
    if (depth_ > record_depth_ + 2 || (depth_ == record_depth_ + 2 && !lists_[record_depth_ + 1])) return true;
    // Of a list the first are of use; what comes after a long one is.
    if (depth_ > record_depth_ && lists_[depth_ - 1]) {
      if (of_list_ == most_of_list) return true;
      ++of_list_;
    }
    if (record_.count_ == most_entries) {
      const auto at = in_.place();
      refuse(in_.name(), fmt::format("an object has more than {} fields", most_entries), at.line, at.column);
    }
    if (record_.count_ == record_.entries_.size()) record_.entries_.emplace_back();
    Record::Entry& entry = record_.entries_[record_.count_++];
    entry.key.assign(record_key_);
    if (depth_ > record_depth_ && !lists_[record_depth_]) entry.key.append(".").append(inner_key_);
    entry.value = std::move(value);
    return true;
  }

  static constexpr std::size_t most_entries = 256, most_of_list = 8;

  JsonStream& in_;
  const TraceHandlers& handlers_;
  std::size_t depth_ = 0;
  std::size_t record_depth_ = 3;  // of the objects of a list in the file's object; 2: the file is a list
  std::array<bool, deepest> lists_{};
  std::size_t of_list_ = 0;  // entries of the record that the list at hand has given
  std::string top_key_, record_key_, inner_key_;
  Record record_;
};

void read_trace_events(JsonStream& in, const TraceHandlers& handlers) {
  std::istream stream(&in);
  stream.exceptions(std::ios::badbit);  // what reading throws is passed on
  TraceSax sax(in, handlers);
  (void)nlohmann::json::sax_parse(stream, &sax);
}

}  // namespace rta::convert
