#include "certificate.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "kernel_blocks.hpp"
#include "parameters.hpp"

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

/// Within what a file can hold; sums of some of them stay in range.
Int time_at(const Statement& statement, std::size_t i) {
  const Int most = Int(1) * std::numeric_limits<std::int64_t>::max();
  const Int value = statement.number(i);
  if (value > most || value < -most) statement.fail("a time is out of range");
  return value;
}

constexpr std::int64_t most_parts = 1'000'000;  // of a ns

void read_R(const Statement& statement, Claim& claim) {
  const std::string_view word = statement.word(4);
  const auto slash = word.find('/');
  if (slash == std::string_view::npos) {
    claim.R = claim.parts = time_at(statement, 4);
    return;
  }
  try {
    claim.parts = to_int(word.substr(0, slash));
    claim.unit = to_int(word.substr(slash + 1));
  } catch (const std::invalid_argument&) {
    statement.fail("word 5 is '" + std::string(word) + "'; a whole number or a fraction n/d is expected");
  } catch (const OutOfRange&) {
    statement.fail("word 5 is out of range");
  }
  if (claim.unit < 1 || claim.unit > Int(most_parts)) statement.fail("a nanosecond has 1 to " + std::to_string(most_parts) + " parts");
  claim.R = ceil_div(claim.parts, claim.unit);
  if (claim.R > Int(1) * std::numeric_limits<std::int64_t>::max()) statement.fail("a time is out of range");
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

Certificate::Certificate(std::string_view text, TaskSet& set)
    : claims(set.dags.size()),
      segment(set.dags.size()),
      lanes(set.dags.size()),
      families(set.dags.size()),
      windows(set.dags.size()),
      reached(set.dags.size()),
      end(set.dags.size()) {
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    claims[d].resize(set.dags[d].nodes.size());
    segment[d].assign(set.dags[d].nodes.size(), 0);
    lanes[d].resize(set.dags[d].nodes.size());
    windows[d].resize(set.dags[d].nodes.size());
    reached[d].resize(set.dags[d].nodes.size());
    std::iota(lanes[d].begin(), lanes[d].end(), std::size_t{0});
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
  count_blocks(set);
  add_suspensions(set);
  for (auto& of_dag : segment) {
    if (release == "offsets") std::iota(of_dag.begin(), of_dag.end(), std::size_t{0});
  }
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
    if (release != "offsets" && release != "early" && release != "completion" && release != "segments" && release != "static") {
      statement.fail("no such release: offsets, early, completion, segments, static");
    }
  } else if (kind == "assume") {
    if (grouped || !alone.empty()) statement.fail("an assumption stands before 'granularity' and 'company'");
    try {
      assume(set, statement.index(1, set.pools.size()), statement.word(2), statement.word(3));
    } catch (const std::invalid_argument& error) {
      statement.fail(error.what());
    }
    set_fixed_priorities(set);
    assumptions.push_back(statement.text);
  } else if (kind == "company") {
    read_company(statement, set);
  } else if (kind == "inside") {
    const std::size_t d = statement.index(1, set.dags.size());
    once(inside.emplace(std::pair(d, statement.index(2, set.dags[d].nodes.size())), &statement).second);
  } else if (kind == "window") {
    const std::size_t d = statement.index(1, set.dags.size());
    once(window.emplace(std::pair(d, statement.index(2, set.dags[d].nodes.size())), &statement).second);
  } else if (kind == "stay") {
    const std::size_t d = statement.index(1, set.dags.size());
    once(stay.emplace(std::pair(d, statement.index(2, set.dags[d].nodes.size())), &statement).second);
  } else if (kind == "segments") {
    read_segments(statement, set);
  } else if (kind == "lanes") {
    once(has_lanes_.insert(statement.index(1, set.dags.size())).second);
    read_lanes(statement, set);
  } else if (kind == "windows") {
    read_ends(statement, set, windows);
  } else if (kind == "reached") {
    read_ends(statement, set, reached);
  } else if (kind == "point") {
    const std::size_t d = statement.index(1, set.dags.size());
    auto& Y = claims[d][statement.index(2, claims[d].size())].Y;
    once(!Y);
    Y = time_at(statement, 3);
  } else if (kind == "family") {
    read_family(statement, set);
  } else if (kind == "granularity") {
    once(!grouped);
    group(statement, set);
  } else if (kind == "awaited") {
    read_awaited(statement);
  } else if (kind == "latencies") {
    read_latencies(statement, set);
  } else if (kind == "strands") {
    read_strands(statement, set);
  } else if (kind == "weights") {
    read_weights(statement, set);
  } else if (kind == "counted") {
    const auto found = weights.find(statement.number(2));
    if (found == weights.end()) statement.fail("no such weights are stated before");
    once(counted.emplace(statement.index(1, set.pools.size()), &found->second).second);
  } else if (kind == "turn") {
    once(in_turn.insert(statement.index(1, set.pools.size())).second);
  } else if (kind == "follow") {
    once(followed.insert(statement.index(1, set.pools.size())).second);
  } else if (kind == "turns") {
    read_turns(statement, set);
  } else if (kind == "base") {
    once(bases.emplace(statement.number(1), &statement).second);
  } else if (kind == "order") {
    once(order == nullptr);
    order = &statement;
  } else if (kind == "shared") {
    shared.push_back(&statement);
  } else if (kind == "job") {
    jobs.push_back(&statement);
  } else if (kind == "bound") {
    read_bound(statement, set);
  } else if (kind == "end") {
    auto& of_dag = end[statement.index(1, set.dags.size())];
    once(!of_dag);
    of_dag = statement.number(2);
  } else if (kind != "rta-certificate" && kind != "pool" && kind != "dag" && kind != "node" && kind != "chain" && kind != "overload" &&
             kind != "verdict" && kind != "after") {
    statement.fail("no statement is called '" + std::string(kind) + "'");
  }
}

void Certificate::read_turns(const Statement& statement, const TaskSet& set) {
  const std::size_t d = statement.index(1, set.dags.size());
  for (std::size_t i = 2; i < statement.words.size(); ++i) {
    Claim& claim = claims[d][statement.index(i, claims[d].size())];
    if (claim.in_turn) statement.fail("this is stated twice");
    claim.in_turn = true;
  }
}

void Certificate::read_segments(const Statement& statement, const TaskSet& set) {
  const std::size_t d = statement.index(1, set.dags.size());
  if (statement.words.size() != segment[d].size() + 2) statement.fail("one number for each node is expected");
  for (std::size_t v = 0; v < segment[d].size(); ++v) segment[d][v] = statement.index(v + 2, segment[d].size());
}

void Certificate::read_lanes(const Statement& statement, const TaskSet& set) {
  const std::size_t d = statement.index(1, set.dags.size());
  if (statement.words.size() != lanes[d].size() + 2) statement.fail("one number for each node is expected");
  for (std::size_t v = 0; v < lanes[d].size(); ++v) lanes[d][v] = statement.index(v + 2, lanes[d].size());
}

void Certificate::read_ends(const Statement& statement, const TaskSet& set, std::vector<std::vector<std::vector<Int>>>& of_all) {
  const std::size_t d = statement.index(1, set.dags.size());
  auto& ends = of_all[d][statement.index(2, of_all[d].size())];
  if (!ends.empty()) statement.fail("this is stated twice");
  for (std::size_t i = 3; i < statement.words.size(); ++i) ends.push_back(time_at(statement, i));
  if (ends.empty()) statement.fail("the end of a job is expected");
}

void Certificate::read_family(const Statement& statement, const TaskSet& set) {
  const std::size_t d = statement.index(1, set.dags.size());
  const std::size_t nodes = segment[d].size();
  if (statement.words.size() != nodes + 2) statement.fail("one number for each node is expected");
  auto& family = families[d].emplace_back(nodes);
  for (std::size_t v = 0; v < nodes; ++v) family[v] = statement.index(v + 2, nodes + 1);
}

std::optional<Int> end_of(const Certificate& certificate, std::size_t d, std::size_t v) {
  std::optional<Int> end;
  const auto& reached = certificate.grouped ? std::vector<Int>() : certificate.reached[d][v];
  if (!reached.empty()) end = *std::max_element(reached.begin(), reached.end());
  const Claim& claim = certificate.claims[d][v];
  if (claim.by == nullptr || !claim.offset) return end;
  return std::min(end.value_or(*claim.offset + claim.R), *claim.offset + claim.R);
}

/// From here on nodes are those of the groups.
void Certificate::group(const Statement& statement, TaskSet& set) {
  for (const Dag& dag : set.dags) {
    for (const Node& node : dag.nodes) {
      if (node.alone) statement.fail("company is counted for fine nodes only");
    }
  }
  count_blocks(set);
  try {
    Grouped made = checker::grouped(set, statement.word(1));
    fine = std::exchange(set, std::move(made.set));
    awaited = std::move(made.awaited);
  } catch (const std::invalid_argument& error) {
    statement.fail(error.what());
  }
  grouped = true;
  granularity = statement.text;
  awaited_claims.resize(awaited.size());
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    const std::size_t n = set.dags[d].nodes.size();
    for (const Claim& claim : claims[d]) {
      if (claim.by != nullptr) statement.fail("bounds stand after 'granularity'");
    }
    claims[d].assign(n, {});
    segment[d].assign(n, 0);
  }
}

void Certificate::read_awaited(const Statement& statement) {
  const std::size_t d = statement.index(1, fine.dags.size());
  const std::size_t v = statement.index(2, fine.dags[d].nodes.size());
  const auto is_it = [&](const Awaited& node) { return node.dag == d && node.node == v; };
  const auto at = std::find_if(awaited.begin(), awaited.end(), is_it);
  if (at == awaited.end()) statement.fail("no group awaits this node");
  Claim& claim = awaited_claims[static_cast<std::size_t>(at - awaited.begin())];
  if (claim.by != nullptr) statement.fail("this node has a bound already");
  claim.by = &statement;
  claim.R = time_at(statement, 3);
  if (claim.R < 0) statement.fail("a time is out of range");
  claim.rule = statement.word(4);
}

/// Suspension-oblivious analysis: a group's job executes or awaits one node at every instant.
void Certificate::add_suspensions(TaskSet& set) const {
  for (std::size_t i = 0; i < awaited.size(); ++i) {
    Node& group = set.dags[awaited[i].dag].nodes[awaited[i].group];
    group.C += awaited_claims[i].R;
    group.L = group.C;
  }
}

void Certificate::read_company(const Statement& statement, TaskSet& set) {
  const std::size_t d = statement.index(1, set.dags.size());
  const std::size_t v = statement.index(2, set.dags[d].nodes.size());
  Node& node = set.dags[d].nodes[v];
  if (!node.alone) statement.fail("the file does not say that this was measured alone");
  if (!alone.emplace(std::pair(d, v), InCompany{node.L, node.C, node.time}).second) statement.fail("this is stated twice");
  node.L = time_at(statement, 3);
  node.C = statement.number(4);
  if (node.time.has_value() == (statement.word(5) == "-")) statement.fail("a time of the whole kernel is stated where there is one");
  if (node.time) node.time = time_at(statement, 5);
}

void Certificate::read_latencies(const Statement& statement, const TaskSet& set) {
  std::array<Int, 4> read;
  for (std::size_t i = 0; i < read.size(); ++i) read.at(i) = statement.number(i + 2);
  if (!latencies.emplace(statement.index(1, set.chains.size()), read).second) statement.fail("this is stated twice");
}

void Certificate::read_strands(const Statement& statement, const TaskSet& set) {
  constexpr std::size_t words = 5;  // of each share
  const auto segment_of = [&](std::size_t d, std::size_t i) { return statement.index(i, set.dags[d].nodes.size()); };
  GivenStrands read;
  read.by = &statement;
  read.dag = statement.index(1, set.dags.size());
  read.segment = segment_of(read.dag, 2);
  for (std::size_t i = 3; i < statement.words.size(); i += words) {
    const std::size_t d = statement.index(i, set.dags.size());
    read.shares.push_back({d, segment_of(d, i + 1), statement.number(i + 2), statement.number(i + 3), statement.number(i + 4)});
  }
  strands.push_back(std::move(read));
}

Level read_level(const Statement& statement, std::size_t word) {
  const std::string_view level = statement.word(word);
  if (level == "only") return std::nullopt;
  if (level == "low") return Int(0);
  if (level == "high") return Int(1);
  const Int priority = statement.number(word);
  if (priority <= 1) statement.fail("only, low, high or a priority above 1 is expected");
  return priority;
}

void Certificate::read_weights(const Statement& statement, const TaskSet& set) {
  Weights read;
  read.by = &statement;
  read.pool = statement.index(2, set.pools.size());
  read.level = read_level(statement, 3);
  read.unit = statement.number(4);
  for (std::size_t i = 5; i < statement.words.size(); ++i) read.density.push_back(statement.number(i));
  if (!weights.emplace(statement.number(1), std::move(read)).second) statement.fail("weights of this number are stated twice");
}

void Certificate::read_bound(const Statement& statement, const TaskSet& set) {
  const std::size_t d = statement.index(1, set.dags.size());
  Claim& claim = claims[d][statement.index(2, claims[d].size())];
  if (claim.by != nullptr) statement.fail("this node has a bound already");
  claim.by = &statement;
  if (statement.word(3) != "-") claim.offset = time_at(statement, 3);
  read_R(statement, claim);
  if (statement.word(5) != "-") claim.Y = time_at(statement, 5);
  claim.rule = statement.word(6);
  if (claim.R < 0) statement.fail("a time is out of range");
}

}  // namespace checker
