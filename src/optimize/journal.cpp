#include "optimize/journal.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>

#include "rta/model/error.hpp"
#include "rta/model/quantity.hpp"

namespace rta::optimize {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kind = "optimize journal";

/// Texts, because numbers of 128 bits are none of JSON's.
Json json_of(const Score& score) { return {score.unbounded, score.missed, to_string(score.first), to_string(score.second)}; }

Wide wide_of(const std::string& text) {
  const bool negative = text.starts_with('-');
  Wide value = 0;
  for (const char c : text.substr(negative ? 1 : 0)) {
    if (c < '0' || c > '9') throw UserError("no number: '" + text + "'");
    value = checked_add(checked_mul(value, Wide{10}), Wide{c - '0'});
  }
  return negative ? -value : value;
}

std::size_t count_in(const Json& json) {
  if (!json.is_number_unsigned()) throw UserError("no count: " + json.dump());  // a fraction, or more than 64 bits
  return json.get<std::size_t>();
}

Score score_in(const Json& json) {
  return {count_in(json.at(0)), count_in(json.at(1)), 0, wide_of(json.at(2).get<std::string>()), wide_of(json.at(3).get<std::string>())};
}

io::Selection selection_in(const Json& json) {
  if (!json.is_array()) throw UserError("no selection: " + json.dump());
  io::Selection selection;
  for (const Json& one : json) selection.push_back(count_in(one));
  return selection;
}

/// Empty where there is none, or something else.
std::string text_in(const Json& header, const std::string& name) {
  const auto at = header.is_object() ? header.find(name) : header.end();
  return at != header.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::string header_of(const std::vector<Setting>& settings) {
  Json header{{"schema", 1}, {"kind", kind}};
  for (const auto& [name, value] : settings) header[name] = value;
  return header.dump();
}

}  // namespace

Journal::Journal(std::filesystem::path path, const std::vector<Setting>& settings) : path_(std::move(path)) {
  const bool there = std::filesystem::exists(path_) && std::filesystem::file_size(path_) > 0 && read(settings);
  out_.open(path_, std::ios::binary | std::ios::app);
  if (!out_) throw std::system_error(errno, std::generic_category(), path_.string());
  if (!there) append(header_of(settings));
}

bool Journal::read(const std::vector<Setting>& settings) {
  std::ifstream in(path_, std::ios::binary);
  std::string line;
  std::getline(in, line);
  const Json header = Json::parse(line, nullptr, false);
  if (header.is_discarded() || text_in(header, "kind") != kind)
    throw UserError(path_.string() + ": is no journal of rta optimize; name another file, or remove it");
  for (const auto& [name, value] : settings) {
    const std::string there = text_in(header, name);
    if (there == value) continue;
    throw UserError(fmt::format("{}: belongs to another search: {} is '{}' there and '{}' here; name another journal, or remove it",
                                path_.string(), name, there, value));
  }
  std::uintmax_t whole = in.eof() ? 0 : line.size() + 1;  // a first line without an end is written anew
  while (std::getline(in, line) && !in.eof()) {
    try {
      const Json entry = Json::parse(line);
      const io::Selection selection = selection_in(entry.at("selection"));
      const Json& score = entry.at("score");
      const auto judged = score.is_null() ? std::nullopt : std::optional(score_in(score));  // throws before anything is remembered
      scores_[selection] = judged;
    } catch (const std::exception&) {
      break;  // what follows is judged again
    }
    whole += line.size() + 1;
  }
  in.close();
  std::filesystem::resize_file(path_, whole);  // half a line would spoil the next one
  return whole > 0;
}

void Journal::add(const io::Selection& selection, const std::optional<Score>& score) {
  append(Json{{"selection", selection}, {"score", score ? json_of(*score) : Json(nullptr)}}.dump());
}

void Journal::append(const std::string& line) {
  out_ << line << '\n';
  out_.flush();
  if (!out_) throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path_.string());
}

}  // namespace rta::optimize
