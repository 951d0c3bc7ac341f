#include "yaml.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include "task_set.hpp"

namespace checker {
namespace {

constexpr Int longest_time = std::numeric_limits<std::int64_t>::max();

/// A number with or without a fraction, and what follows it, times `factor`.
Int scaled(const yaml_node_t& at, std::string_view number, Int factor) {
  const auto point = std::min(number.find('.'), number.size());
  Int value = to_int(number.substr(0, point)) * factor;
  Int carry = 0;
  for (std::size_t i = number.size(); i > point + 1; --i) {
    const Int product = Int(number[i - 1] - '0') * factor + carry;
    if (floor_div(product, 10) * 10 != product) fail(at, "'" + std::string(number) + "' is not whole in the smallest unit");
    carry = floor_div(product, 10);
  }
  value += carry;
  return value;
}

struct Unit {
  std::string_view name;
  std::int64_t size;
};
constexpr std::array<Unit, 4> times{{{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}};
constexpr std::array<Unit, 3> sizes{{{"B", 1}, {"KiB", 1024}, {"MiB", 1'048'576}}};

template <std::size_t n>
Int quantity(const yaml_node_t& at, const std::array<Unit, n>& units, std::string_view default_unit) {
  std::string_view text = text_of(at);
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto end = std::min(text.find_first_not_of("0123456789."), text.size());
  std::string_view unit = text.substr(end);
  unit.remove_prefix(std::min(unit.find_first_not_of(" \t"), unit.size()));
  if (unit == "\u00b5s" || unit == "\u03bcs") unit = "us";
  if (unit.empty()) unit = default_unit;
  for (const Unit& known : units) {
    if (known.name != unit) continue;
    try {
      return scaled(at, text.substr(0, end), known.size);
    } catch (const std::exception& error) {
      fail(at, "'" + std::string(text) + "': " + error.what());
    }
  }
  fail(at, "'" + std::string(text) + "' has no unit that is known here");
}

}  // namespace

Document::Document(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  yaml_parser_t parser;
  if (yaml_parser_initialize(&parser) == 0) throw std::bad_alloc();
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  const bool loaded = yaml_parser_load(&parser, &document_) != 0;
  const std::string fault = loaded || parser.problem == nullptr ? "" : place(parser.problem_mark) + "not YAML: " + parser.problem;
  yaml_parser_delete(&parser);
  if (!loaded) throw BadInput(fault.empty() ? "not YAML" : fault);
  if (root() == nullptr) {
    yaml_document_delete(&document_);
    throw BadInput("1:1: the file is empty");
  }
}

void fail(const yaml_node_t& at, const std::string& what) { throw BadInput(Document::place(at.start_mark) + what); }

std::string_view text_of(const yaml_node_t& node) {
  if (node.type != YAML_SCALAR_NODE) fail(node, "a plain value is expected");
  return {reinterpret_cast<const char*>(node.data.scalar.value), node.data.scalar.length};
}

std::vector<const yaml_node_t*> list_of(Document& document, const yaml_node_t& node) {
  if (node.type != YAML_SEQUENCE_NODE) fail(node, "a list is expected");
  std::vector<const yaml_node_t*> all;
  for (const auto* item = node.data.sequence.items.start; item < node.data.sequence.items.top; ++item) all.push_back(document.at(*item));
  return all;
}

Int duration(const yaml_node_t& at, std::string_view default_unit) { return quantity(at, times, default_unit); }

Int time(const yaml_node_t& at, std::string_view default_unit) {
  const Int ns = duration(at, default_unit);
  if (ns > longest_time) fail(at, "the time is too long");
  return ns;
}

Period period(const yaml_node_t& at, std::string_view default_unit) {
  constexpr std::array<Unit, 3> rates{{{"Hz", 1'000'000}, {"kHz", 1'000'000'000}, {"MHz", 1'000'000'000'000}}};  // in millionths of a Hz
  if (!text_of(at).ends_with("Hz")) return {quantity(at, times, default_unit), 1};
  const Int rate = quantity(at, rates, "");
  if (rate <= 0) fail(at, "a rate is above 0");
  constexpr Int second = 1'000'000'000'000'000;  // in millionths of a ns
  const Int common = gcd(second, rate);
  return {floor_div(second, common), floor_div(rate, common)};
}

Int bytes(const yaml_node_t& at) { return quantity(at, sizes, ""); }

Int whole(const yaml_node_t& at) {
  constexpr std::array<Unit, 1> none{{{"", 1}}};
  return quantity(at, none, "");
}

Mapping::Mapping(Document& document, const yaml_node_t& node, std::initializer_list<std::string_view> keys) : node_(node) {
  if (node.type != YAML_MAPPING_NODE) fail(node, "a mapping is expected");
  for (const auto* pair = node.data.mapping.pairs.start; pair < node.data.mapping.pairs.top; ++pair) {
    const yaml_node_t& key = *document.at(pair->key);
    if (keys.size() > 0 && std::find(keys.begin(), keys.end(), text_of(key)) == keys.end()) {
      fail(key, "the key '" + std::string(text_of(key)) + "' is not known here");
    }
    all_.emplace_back(&key, document.at(pair->value));
  }
}

const yaml_node_t* Mapping::find(std::string_view key) const {
  for (const auto& [name, value] : all_) {
    if (text_of(*name) == key) return value;
  }
  return nullptr;
}

const yaml_node_t& Mapping::need(std::string_view key) const {
  const yaml_node_t* const value = find(key);
  if (value == nullptr) fail(node_, "'" + std::string(key) + "' is missing");
  return *value;
}

std::string Mapping::text(std::string_view key, std::string_view otherwise) const {
  const yaml_node_t* const value = find(key);
  return std::string(value == nullptr ? otherwise : text_of(*value));
}

bool Mapping::flag(std::string_view key, bool otherwise) const {
  const std::string value = text(key, otherwise ? "true" : "false");
  if (value != "true" && value != "false") fail(*find(key), "true or false is expected");
  return value == "true";
}

Int Mapping::number(std::string_view key, Int otherwise) const {
  const yaml_node_t* const value = find(key);
  return value == nullptr ? otherwise : whole(*value);
}

}  // namespace checker
