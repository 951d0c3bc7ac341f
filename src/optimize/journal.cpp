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

Score score_in(const Json& json) {
  return {json.at(0).get<std::size_t>(), json.at(1).get<std::size_t>(), wide_of(json.at(2).get<std::string>()),
          wide_of(json.at(3).get<std::string>())};
}

std::string header_of(const std::vector<Setting>& settings) {
  Json header{{"schema", 1}, {"kind", kind}};
  for (const auto& [name, value] : settings) header[name] = value;
  return header.dump();
}

}  // namespace

Journal::Journal(std::filesystem::path path, const std::vector<Setting>& settings) : path_(std::move(path)) {
  const bool there = std::filesystem::exists(path_) && std::filesystem::file_size(path_) > 0;
  if (there) read(settings);
  out_.open(path_, std::ios::binary | std::ios::app);
  if (!out_) throw std::system_error(errno, std::generic_category(), path_.string());
  if (!there) append(header_of(settings));
}

void Journal::read(const std::vector<Setting>& settings) {
  std::ifstream in(path_, std::ios::binary);
  std::string line;
  std::getline(in, line);
  const Json header = Json::parse(line, nullptr, false);
  if (header.is_discarded() || !header.is_object() || header.value("kind", "") != kind)
    throw UserError(path_.string() + ": is no journal of rta optimize; name another file, or remove it");
  for (const auto& [name, value] : settings) {
    const std::string there = header.value(name, "");
    if (there == value) continue;
    throw UserError(fmt::format("{}: belongs to another search: {} is '{}' there and '{}' here; name another journal, or remove it",
                                path_.string(), name, there, value));
  }
  std::uintmax_t whole = static_cast<std::uintmax_t>(in.tellg());
  while (std::getline(in, line) && !in.eof()) {
    try {
      const Json entry = Json::parse(line);
      const auto selection = entry.at("selection").get<io::Selection>();
      const Json& score = entry.at("score");
      scores_[selection] = score.is_null() ? std::nullopt : std::optional(score_in(score));
    } catch (const std::exception&) {
      break;  // what follows is judged again
    }
    whole = static_cast<std::uintmax_t>(in.tellg());
  }
  in.close();
  std::filesystem::resize_file(path_, whole);  // half a line would spoil the next one
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
