#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "io/fields.hpp"
#include "io/file_kind.hpp"
#include "io/yaml_document.hpp"
#include "properties.hpp"
#include "rta/diff/result.hpp"

namespace rta::diff {
namespace {

using io::Fields;
using io::Value;

constexpr std::array<std::string_view, 3> verdicts{"schedulable", "deadline-missed", "unbounded"};
constexpr auto most_ns = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

bool is_time(std::string_view key) { return key.ends_with("_ns"); }

bool is_number(std::string_view text) {
  double number = 0;
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

class ResultReader {
 public:
  ResultReader(Result& result, io::Diagnostics& out) : result_(result), out_(out) {}

  void read(const Fields& top) {
    if (const auto schema = top.integer("schema", 0, most_ns); schema && *schema != 1)
      top.error(*top.find("schema"), fmt::format("schema: {} is not known here, only 1: a later rta wrote this", *schema));
    result_.kind = top.has("simulation") ? Kind::simulation : Kind::analysis;
    read_whole(top);
    read_made(top);
    if (result_.kind == Kind::analysis) {
      read_dags(top);
      read_list(top, "chains", "name", Subject::chain, analysis_chain);
      read_list(top, "requirements", "requirement", Subject::requirement, analysis_requirement);
      read_list(top, "pools", "name", Subject::pool, analysis_pool);
      read_list(top, "policies", "release", Subject::policy, analysis_policy);
    } else {
      read_list(top, "dags", "dag", Subject::dag, simulated_responses);
      read_list(top, "nodes", "node", Subject::node, simulated_responses);
      read_list(top, "chains", "name", Subject::chain, simulated_chain);
      read_list(top, "operations", "name", Subject::operation, simulated_operation);
    }
    read_warnings(top);
  }

 private:
  /// A scalar as it is written; nothing for null and for what is not there.
  std::optional<std::string> text(const Fields& fields, std::string_view key) const {
    const Value* const value = fields.find(key);
    if (value == nullptr || value->kind == Value::Kind::null || value->kind == Value::Kind::rejected) return std::nullopt;
    if (value->kind == Value::Kind::scalar) return std::string(value->text);
    fields.error(*value, fmt::format("{}: a plain value is expected, not {}", key, io::kind_text(*value)));
    return std::nullopt;
  }

  /// Elements of a list of texts.
  std::vector<std::string> texts(const Fields& fields, std::string_view key) const {
    std::vector<std::string> all;
    const Value* const list = fields.find(key);
    if (list == nullptr || !is_list(fields, key, *list)) return all;
    for (const Value* at = list->first(); at != list->next(); at = at->next()) {
      if (at->kind == Value::Kind::scalar) {
        all.emplace_back(at->text);
      } else {
        fields.error(*at, fmt::format("{}: a list of texts is expected, with {} in it", key, io::kind_text(*at)));
      }
    }
    return all;
  }

  static bool is_list(const Fields& fields, std::string_view key, const Value& value) {
    if (value.kind == Value::Kind::sequence) return true;
    if (value.kind != Value::Kind::rejected) fields.error(value, fmt::format("{}: a list is expected, not {}", key, io::kind_text(value)));
    return false;
  }

  Fact fact(const Fields& fields, const Property& property) const {
    Fact fact{.key = std::string(property.key), .meaning = property.meaning};
    const Value* const value = property.needed ? fields.require(property.key, "a result has it") : fields.find(property.key);
    if (value == nullptr || value->kind == Value::Kind::null) return fact;
    if (is_time(property.key)) {
      // Priority points and instants may be negative; bounds are not.
      if (property.meaning == Meaning::bound) {
        if (const auto ns = fields.integer(property.key, 0, most_ns)) fact.time = Time(static_cast<std::int64_t>(*ns));
        return fact;
      }
      fact.time = signed_time(fields, property.key, *value);
    } else if (property.meaning == Meaning::good || property.meaning == Meaning::bad) {
      if (const auto flag = fields.flag(property.key)) fact.text = *flag ? "true" : "false";
    } else if (value->kind == Value::Kind::sequence) {
      fact.text = fmt::format("{}", fmt::join(texts(fields, property.key), " -> "));
    } else {
      fact.text = text(fields, property.key);
      fact.number = fact.text && value->plain_line && is_number(*fact.text);
    }
    return fact;
  }

  std::optional<Time> signed_time(const Fields& fields, std::string_view key, const Value& value) const {
    const auto written = text(fields, key);
    if (!written) return std::nullopt;
    const bool negative = written->starts_with('-');
    std::int64_t ns = 0;
    const char* const end = written->data() + written->size();
    const auto [stop, error] = std::from_chars(written->data(), end, ns);
    if (error == std::errc() && stop == end && written->size() > static_cast<std::size_t>(negative)) return Time(ns);
    fields.error(value, fmt::format("{}: a whole number of ns is expected, not {}", key, io::quote(*written)));
    return std::nullopt;
  }

  /// False when a part of that name was there before; then that is reported.
  bool is_new(const Fields& fields, std::string_view key, Subject subject, const std::string& dag, const std::string& name) {
    if (names_.emplace(subject, dag, name).second) return true;
    fields.error(*fields.find(key), fmt::format("{} {} is given twice", to_string(subject), io::quote(name)));
    return false;
  }

  /// The part that an element of a list stands for, with what `properties` name; nothing where it is none.
  std::optional<Part> part(const Fields& fields, std::string_view name_key, Subject subject, const std::string& dag,
                           std::span<const Property> properties) {
    if (!fields.usable() || fields.require(name_key, "what this is about") == nullptr) return std::nullopt;
    const auto name = text(fields, name_key);
    if (!name) return std::nullopt;
    Part part{.subject = subject, .dag = dag, .name = *name};
    if (subject == Subject::requirement) {
      if (fields.require("of", "what is required") == nullptr) return std::nullopt;
      part.name += " of " + text(fields, "of").value_or("");
    }
    if (subject == Subject::node && result_.kind == Kind::simulation) part.dag = text(fields, "dag").value_or("");
    if (!is_new(fields, name_key, subject, part.dag, part.name)) return std::nullopt;
    part.facts.reserve(properties.size());
    for (const Property& property : properties) part.facts.push_back(fact(fields, property));
    if (subject == Subject::operation) part.facts.push_back(waits(fields));
    return part;
  }

  /// What an operation waited for, one after the other: `queue (K8) from 0 ns to 400 ns; ...`.
  Fact waits(const Fields& operation) const {
    Fact fact{.key = "waits"};
    const Value* const list = operation.find("waits");
    if (list == nullptr || !is_list(operation, "waits", *list)) return fact;
    std::string all;
    for (const Value* at = list->first(); at != list->next(); at = at->next()) {
      const Fields fields(*at, {}, out_, "waits");
      if (!fields.usable()) continue;
      const auto instant = [&](std::string_view key) {
        const Value* const value = fields.require(key, "when it waited");
        return value != nullptr ? signed_time(fields, key, *value).value_or(Time::zero()).count() : 0;
      };
      const std::int64_t from = instant("from_ns");
      all += fmt::format("{}{} ({}) from {} ns to {} ns", all.empty() ? "" : "; ", text(fields, "cause").value_or(""),
                         fmt::join(texts(fields, "for"), ", "), from, instant("to_ns"));
    }
    fact.text = std::move(all);
    return fact;
  }

  void read_list(const Fields& top, std::string_view key, std::string_view name_key, Subject subject,
                 std::span<const Property> properties) {
    const Value* const list = top.find(key);
    if (list == nullptr || !is_list(top, key, *list)) return;
    for (const Value* at = list->first(); at != list->next(); at = at->next()) {
      const Fields fields(*at, {}, out_, key);
      if (auto one = part(fields, name_key, subject, {}, properties)) result_.parts.push_back(std::move(*one));
    }
  }

  void read_dags(const Fields& top) {
    const Value* const list = top.find("dags");
    if (list == nullptr || !is_list(top, "dags", *list)) return;
    std::vector<Part> nodes;
    for (const Value* at = list->first(); at != list->next(); at = at->next()) {
      const Fields fields(*at, {}, out_, "dags");
      auto dag = part(fields, "name", Subject::dag, {}, analysis_dag);
      if (!dag) continue;
      const Value* const of_dag = fields.require("nodes", "a DAG's nodes with their bounds");
      if (of_dag != nullptr && is_list(fields, "nodes", *of_dag)) {
        for (const Value* node = of_dag->first(); node != of_dag->next(); node = node->next()) {
          const Fields node_fields(*node, {}, out_, "nodes");
          if (auto one = part(node_fields, "name", Subject::node, dag->name, analysis_node)) nodes.push_back(std::move(*one));
        }
      }
      result_.parts.push_back(std::move(*dag));
    }
    std::ranges::move(nodes, std::back_inserter(result_.parts));
  }

  void read_whole(const Fields& top) {
    result_.task_set = text(top, "task_set").value_or("");
    Part whole{.subject = Subject::whole, .dag = {}, .name = {}};
    Fact verdict{.key = "verdict"};
    verdict.text = text(top, "verdict");
    if (result_.kind == Kind::analysis) {
      verdict.meaning = Meaning::verdict;
      static_cast<void>(top.choice("verdict", verdicts));
    }
    result_.verdict = verdict.text.value_or("");
    whole.facts.push_back(std::move(verdict));
    whole.facts.push_back({.key = "task_set", .text = result_.task_set});
    if (const Value* const how = top.find("simulation")) {
      const Fields fields(*how, {}, out_, "simulation");
      for (const Fields::Field& field : fields.all()) {
        if (field.value->kind == Value::Kind::scalar) whole.facts.push_back(fact(fields, {field.key->text}));
      }
    }
    result_.parts.push_back(std::move(whole));
  }

  /// How the result was made; its date is no difference.
  void read_made(const Fields& top) {
    Part made{.subject = Subject::made, .dag = {}, .name = {}};
    const Value* const evidence = top.find("evidence");
    if (evidence != nullptr) {
      const Fields fields(*evidence, {}, out_, "evidence");
      read_inputs(fields, made);
      made.facts.push_back({.key = "options", .text = options_of(texts(fields, "options"))});
      for (const char* key : {"version", "commit"}) made.facts.push_back(fact(fields, {key}));
    }
    result_.parts.push_back(std::move(made));
  }

  void read_inputs(const Fields& evidence, Part& made) {
    const Value* const list = evidence.find("inputs");
    if (list == nullptr || !is_list(evidence, "inputs", *list)) return;
    for (const Value* at = list->first(); at != list->next(); at = at->next()) {
      const Fields fields(*at, {}, out_, "inputs");
      if (!fields.usable()) continue;
      inputs_.insert(text(fields, "file").value_or(""));
      const auto add = [&](std::string_view key) {
        made.facts.push_back({.key = fmt::format("input {} {}", inputs_read_, key), .text = text(fields, key)});
      };
      ++inputs_read_;
      add("file");
      add("sha256");
    }
  }

  /// The words of the command line, without names of inputs and without what says only where and how results are written.
  [[nodiscard]] std::string options_of(const std::vector<std::string>& words) const {
    std::string kept;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "-o" || word == "--output" || word == "--format") {
        ++i;
      } else if (!inputs_.contains(word) && !word.starts_with("-o") && !word.starts_with("--output=") && !word.starts_with("--format=") &&
                 word != "-" && word != "-q" && word != "--quiet" && word != "-v" && word != "--verbose" && word != "--evidence") {
        kept += (kept.empty() ? "" : " ") + word;
      }
    }
    return kept;
  }

  void read_warnings(const Fields& top) {
    for (const std::string& warning : texts(top, "warnings")) {
      if (names_.emplace(Subject::warning, "", warning).second)
        result_.parts.push_back({.subject = Subject::warning, .dag = {}, .name = warning});
    }
  }

  Result& result_;
  io::Diagnostics& out_;
  std::set<std::tuple<Subject, std::string, std::string>> names_;
  std::set<std::string> inputs_;
  std::size_t inputs_read_ = 0;
};

}  // namespace

std::string_view to_string(Kind kind) { return kind == Kind::analysis ? "analysis" : "simulation"; }

std::string_view to_string(Subject subject) {
  constexpr std::array<std::string_view, 10> names{"result",      "evidence", "dag",    "node",      "chain",
                                                   "requirement", "pool",     "policy", "operation", "warning"};
  return names[static_cast<std::size_t>(subject)];
}

Result parse_result(std::string_view text, const std::string& name) {
  io::Diagnostics out(name);
  if (const auto kind = io::file_kind(text); kind && kind->is != io::FileIs::result)
    out.error({1, 1}, mixup(*kind, "no result of rta analyze or rta simulate"));
  out.throw_if_failed();
  const io::YamlDocument document(text, out, "a result in JSON is expected, as rta analyze FILE -o RESULT.json writes it");
  const Fields top(document.root(), {}, out);
  out.throw_if_failed();
  if (!top.has("verdict") || !(top.has("simulation") || (top.has("pools") && top.has("dags"))))
    top.error(top.mapping(), "this is no result: rta diff compares results in JSON, as rta analyze FILE -o RESULT.json writes them");
  out.throw_if_failed();
  Result result;
  result.file = name;
  ResultReader(result, out).read(top);
  out.throw_if_failed();
  return result;
}

}  // namespace rta::diff
