#include "certificate.hpp"

#include <algorithm>
#include <limits>

namespace checker {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const auto end = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

}  // namespace

void Statement::fail(const std::string& what) const { throw BadInput(std::to_string(line) + ": " + what); }

std::string_view Statement::word(std::size_t i) const {
  if (i >= words.size()) fail("the statement ends too early");
  return words[i];
}

Int Statement::number(std::size_t i) const {
  try {
    return to_int(word(i));
  } catch (const std::invalid_argument&) {
    fail("word " + std::to_string(i + 1) + " is '" + std::string(words[i]) + "'; a whole number is expected");
  } catch (const OutOfRange&) {
    fail("word " + std::to_string(i + 1) + " is out of range");
  }
}

std::size_t Statement::index(std::size_t i, std::size_t end) const {
  const Int value = number(i);
  if (value < 0 || value >= Int(static_cast<Int::Raw>(end))) fail("word " + std::to_string(i + 1) + " is the number of nothing");
  return static_cast<std::size_t>(value.raw());
}

Certificate::Certificate(std::string_view text, TaskSet& set) : claims(set.dags.size()), segment(set.dags.size()), end(set.dags.size()) {
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    claims[d].resize(set.dags[d].nodes.size());
    segment[d].assign(set.dags[d].nodes.size(), 0);
  }
  std::size_t line = 0;
  while (!text.empty()) {
    const auto end_of_line = text.find('\n');
    if (end_of_line == std::string_view::npos) throw BadInput(std::to_string(line + 1) + ": the last line has no end");
    const std::string_view content = text.substr(0, end_of_line);
    text.remove_prefix(end_of_line + 1);
    ++line;
    if (content.empty() || content.front() == '#') continue;
    statements.push_back({line, content, words_of(content)});
  }
  if (statements.empty() || statements.front().text != "rta-certificate 1") throw BadInput("1: 'rta-certificate 1' is expected");
  if (statements.back().words.front() != "verdict") statements.back().fail("a certificate ends with its verdict");
  for (const Statement& statement : statements) read(statement, set);
  if (sha256.empty() || release.empty()) throw BadInput("1: 'file' or 'release' is missing");
}

void Certificate::read(const Statement& statement, TaskSet& set) {
  const std::string_view kind = statement.word(0);
  const auto once = [&](bool fresh) {
    if (!fresh) statement.fail("this is stated twice");
  };
  if (kind == "file") {
    once(sha256.empty());
    sha256 = statement.word(1);
  } else if (kind == "release") {
    once(release.empty());
    release = statement.word(1);
    if (release != "offsets" && release != "early" && release != "completion" && release != "segments") {
      statement.fail("no such release: offsets, early, completion, segments");
    }
  } else if (kind == "assume") {
    try {
      assume(set, statement.index(1, set.pools.size()), statement.word(2), statement.word(3));
    } catch (const std::invalid_argument& error) {
      statement.fail(error.what());
    }
    assumptions.push_back(statement.text);
  } else if (kind == "segments") {
    read_segments(statement, set);
  } else if (kind == "weights") {
    read_weights(statement, set);
  } else if (kind == "counted") {
    const auto found = weights.find(statement.number(2));
    if (found == weights.end()) statement.fail("no such weights are stated before");
    once(counted.emplace(statement.index(1, set.pools.size()), &found->second).second);
  } else if (kind == "base") {
    once(bases.emplace(statement.number(1), &statement).second);
  } else if (kind == "bound") {
    read_bound(statement, set);
  } else if (kind == "end") {
    auto& of_dag = end[statement.index(1, set.dags.size())];
    once(!of_dag);
    of_dag = statement.number(2);
  } else if (kind != "rta-certificate" && kind != "pool" && kind != "dag" && kind != "node" && kind != "overload" &&
             kind != "uncertified" && kind != "verdict") {
    statement.fail("no statement is called '" + std::string(kind) + "'");
  }
}

void Certificate::read_segments(const Statement& statement, const TaskSet& set) {
  const std::size_t d = statement.index(1, set.dags.size());
  if (statement.words.size() != segment[d].size() + 2) statement.fail("one number for each node is expected");
  for (std::size_t v = 0; v < segment[d].size(); ++v) segment[d][v] = statement.index(v + 2, segment[d].size());
}

void Certificate::read_weights(const Statement& statement, const TaskSet& set) {
  Weights read;
  read.by = &statement;
  read.pool = statement.index(2, set.pools.size());
  const std::string_view level = statement.word(3);
  if (level != "only" && level != "high" && level != "low") statement.fail("only, high or low is expected");
  read.level = level == "only" ? Level::only : level == "high" ? Level::high : Level::low;
  read.unit = statement.number(4);
  for (std::size_t i = 5; i < statement.words.size(); ++i) read.density.push_back(statement.number(i));
  if (!weights.emplace(statement.number(1), std::move(read)).second) statement.fail("weights of this number are stated twice");
}

void Certificate::read_bound(const Statement& statement, const TaskSet& set) {
  const std::size_t d = statement.index(1, set.dags.size());
  Claim& claim = claims[d][statement.index(2, claims[d].size())];
  if (claim.by != nullptr) statement.fail("this node has a bound already");
  claim.by = &statement;
  if (statement.word(3) != "-") claim.offset = statement.number(3);
  claim.R = statement.number(4);
  if (statement.word(5) != "-") claim.Y = statement.number(5);
  claim.rule = statement.word(6);
  // Beyond any time that a file can hold; sums of some of them stay in range.
  const Int most = Int(1) * std::numeric_limits<std::int64_t>::max();
  const auto in_range = [&](Int value) { return value <= most && value >= -most; };
  if (!in_range(claim.R) || claim.R < 0 || !in_range(claim.offset.value_or(0)) || !in_range(claim.Y.value_or(0))) {
    statement.fail("a time is out of range");
  }
}

}  // namespace checker
