#include "rta/examine/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <istream>
#include <map>
#include <nlohmann/json.hpp>

#include "rta/io/diagnostic.hpp"

namespace rta::examine {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::variant<double, std::string> value_of(const OrderedJson& value) {
  if (value.is_number()) return value.get<double>();
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// The value that a `part` of sorted values does not exceed.
double quantile(const std::vector<double>& sorted, double part) {
  return sorted[static_cast<std::size_t>(std::ceil(part * static_cast<double>(sorted.size() - 1)))];
}

}  // namespace

const std::variant<double, std::string>* Sample::find(const std::string& name) const {
  const auto at = std::ranges::find(fields, name, [](const auto& field) -> const std::string& { return field.first; });
  return at == fields.end() ? nullptr : &at->second;
}

std::vector<Measurement> read_measurements(std::istream& in, const std::string& name) {
  std::vector<Measurement> all;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty()) continue;
    const OrderedJson json = OrderedJson::parse(line, nullptr, false);
    if (json.is_discarded() && in.eof()) break;
    const auto fail = [&](const char* what) { throw io::InputError({{name, number, 1, what}}); };
    if (json.is_discarded() || !json.is_object()) fail("not a JSON object");
    const auto measure = json.find("measure");
    if (measure == json.end() || !measure->is_string()) fail("'measure' must name the measurement");
    auto at = std::ranges::find(all, measure->get<std::string>(), &Measurement::name);
    if (at == all.end()) at = all.insert(all.end(), {measure->get<std::string>(), {}});
    Sample& sample = at->samples.emplace_back();
    for (const auto& [key, value] : json.items()) {
      if (key != "measure" && key != "sample") sample.fields.emplace_back(key, value_of(value));
    }
  }
  return all;
}

std::vector<SampleGroup> summary(const Measurement& measurement) {
  std::vector<SampleGroup> groups;
  std::vector<std::map<std::string, std::vector<double>>> numbers;
  for (const Sample& sample : measurement.samples) {
    SampleGroup group;
    for (const auto& [field, value] : sample.fields) {
      if (const auto* text = std::get_if<std::string>(&value)) group.texts.emplace_back(field, *text);
    }
    auto at = std::ranges::find(groups, group.texts, &SampleGroup::texts);
    if (at == groups.end()) {
      at = groups.insert(groups.end(), group);
      numbers.emplace_back();
    }
    ++at->samples;
    for (const auto& [field, value] : sample.fields) {
      if (const auto* number = std::get_if<double>(&value))
        numbers[static_cast<std::size_t>(at - groups.begin())][field].push_back(*number);
    }
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (auto& [field, values] : numbers[g]) {
      std::ranges::sort(values);
      groups[g].spreads.push_back({field, values.front(), quantile(values, 0.5), quantile(values, 0.99), values.back()});
    }
  }
  return groups;
}

}  // namespace rta::examine
