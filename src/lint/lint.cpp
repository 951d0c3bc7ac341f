#include "rta/lint/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "clang.hpp"
#include "files.hpp"
#include "judge.hpp"
#include "places.hpp"
#include "program.hpp"
#include "reach.hpp"
#include "rta/model/error.hpp"
#include "start_up.hpp"

namespace rta::lint {
namespace {

/// Of hostile sources there may be any number.
constexpr std::size_t most_findings = 10'000;

bool is_named(const Function& function, std::string_view name) {
  return function.qualified == name || function.qualified.ends_with("::" + std::string(name));
}

/// Functions that options name become regions. Throws UserError for a name that none has.
void add_named(std::span<const std::unique_ptr<Unit>> units, const std::vector<std::string>& names, Region::Kind kind,
               std::vector<Marks>& marks) {
  for (const std::string& name : names) {
    bool found = false;
    for (std::size_t u = 0; u < units.size(); ++u) {
      for (const Function& function : units[u]->functions()) {
        if (!function.is_code || !is_named(function, name)) continue;
        found = true;
        marks[u].regions.push_back({kind, kind == Region::Kind::job ? function.qualified : std::string(), function.body});
      }
    }
    if (!found)
      throw UserError(fmt::format("--{} '{}': no file defines such a function", kind == Region::Kind::job ? "job" : "start-up", name));
  }
  for (Marks& one : marks) std::ranges::stable_sort(one.regions, {}, [](const Region& r) { return r.tokens.begin; });
}

class Linter {
 public:
  Linter(std::span<const SourceText> files, const Options& options) : options_(options), loaded_(load(files, options)) {
    report_.remarks = loaded_.remarks;
    report_.files = static_cast<std::size_t>(std::ranges::count_if(loaded_.units, [](const auto& unit) { return unit->reported(); }));
    report_.included = loaded_.units.size() - report_.files;
    read_marks();
  }

  Report run() {
    const std::vector<Ast> asts = ask_clang();
    Evidence evidence(loaded_.units);
    if (default_stream_is_per_thread(options_.flags)) evidence.set_default_per_thread();
    const Judge judge(evidence, options_.profile);
    const Program program(loaded_.units, asts, judge);
    start_up_ = only_at_start_up(loaded_.units, places_);
    used_.resize(loaded_.units.size());
    for (std::size_t u = 0; u < loaded_.units.size(); ++u) used_[u].resize(places_[u].marks().allowances.size());
    direct(program);
    for (const Rule& one : rules()) chains(program, one.id);
    marks_themselves(program);
    report_.acquitted = judge.acquitted();
    finish();
    return std::move(report_);
  }

 private:
  void read_marks() {
    std::vector<Marks> marks;
    for (const auto& unit : loaded_.units) marks.push_back(marks_of(*unit, options_.job_ranges));
    add_named(loaded_.units, options_.jobs, Region::Kind::job, marks);
    add_named(loaded_.units, options_.start_ups, Region::Kind::start_up, marks);
    for (const Marks& one : marks) {
      for (const Region& region : one.regions) report_.jobs_marked = report_.jobs_marked || region.kind == Region::Kind::job;
    }
    Unmarked unmarked = options_.unmarked;
    if (unmarked == Unmarked::automatic) unmarked = report_.jobs_marked ? Unmarked::other : Unmarked::job;
    for (std::size_t u = 0; u < loaded_.units.size(); ++u) places_.emplace_back(std::move(marks[u]), unmarked);
  }

  std::vector<Ast> ask_clang() {
    std::vector<Ast> asts;
    if (options_.clang.empty()) return asts;
    Clang clang(options_.clang, options_.flags);
    for (const std::size_t root : loaded_.roots) {
      const std::string& name = loaded_.units[root]->file().name();
      std::error_code unknown;
      if (!std::filesystem::is_regular_file(name, unknown)) continue;  // standard input
      ClangAnswer answer = clang.ask(name);
      if (!answer.remark.empty()) report_.remarks.push_back(name + ": " + answer.remark);
      asts.push_back(std::move(answer.ast));
    }
    return asts;
  }

  [[nodiscard]] Where where(const Site& site) const {
    if (site.unit == no_index || site.token == no_index) return {};
    const Where place = places_[site.unit].at(site.token);
    if (place.marked || site.node == no_index) return place;
    const std::uint32_t f = loaded_.units[site.unit]->function_at(site.token);
    const bool early = loaded_.units[site.unit]->functions()[f].is_early || start_up_[site.unit][f];
    return early ? Where{Where::Kind::start_up, false, nullptr} : place;
  }

  /// Whether some mark allows the rule at the site. That mark is of use, then.
  bool allow(const Site& site, RuleId rule, std::string* reason) {
    if (site.unit == no_index) return false;
    const Places& places = places_[site.unit];
    const std::uint32_t number = site.token == no_index ? places.allowance_on_line(rule, loaded_.units[site.unit]->file().line(site.offset))
                                                        : places.allowance(rule, site.token);
    if (number == no_index) return false;
    used_[site.unit][number].insert(rule);
    if (reason != nullptr) *reason = places.marks().allowances[number].reason;
    return true;
  }

  [[nodiscard]] bool is_reported(const Site& site) const { return site.unit != no_index && loaded_.units[site.unit]->reported(); }

  void add(const Program& program, const Site& site, const Hit& hit, std::string message, std::vector<Step> chain, const Where& place) {
    if (report_.findings.size() >= most_findings) {
      ++report_.left_out;
      return;
    }
    Finding finding;
    finding.rule = hit.rule;
    finding.level = hit.level;
    finding.place = program.place(site);
    const std::string& text = loaded_.units[site.unit]->file().text();
    const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U && c != '\n'; };
    const std::uint32_t end = std::min<std::uint32_t>(site.offset + site.length, static_cast<std::uint32_t>(text.size()));
    finding.length = static_cast<std::uint32_t>(
        std::max<std::ptrdiff_t>(1, std::count_if(text.begin() + std::min(site.offset, end), text.begin() + end, begins_character)));
    finding.message = std::move(message);
    if (place.kind == Where::Kind::job && place.job != nullptr) finding.job = *place.job;
    finding.chain = std::move(chain);
    std::string reason;
    if (allow(site, hit.rule, &reason)) finding.allowed = reason;
    report_.findings.push_back(std::move(finding));
  }

  /// Calls that break rules themselves.
  void direct(const Program& program) {
    for (const Site& site : program.sites()) {
      const bool in_macro = site.unit != no_index && site.token == no_index;
      if (!is_reported(site) || in_macro) continue;
      const Where place = where(site);
      for (const Hit& hit : site.hits) {
        if (hit.everywhere || place.kind == Where::Kind::job) add(program, site, hit, hit.message, {}, place);
      }
    }
  }

  /// Calls in jobs that lead to what breaks the rule.
  void chains(const Program& program, RuleId rule) {
    const auto counts = [&](std::uint32_t number, const Hit&) {
      const Site& site = program.sites()[number];
      const bool in_macro = site.token == no_index;
      const Where place = in_macro ? Where{} : where(site);
      if (place.kind == Where::Kind::start_up) return false;
      // In a job that is reported, it is found itself.
      if (place.kind == Where::Kind::job && is_reported(site)) return false;
      return !allow(site, rule, nullptr);
    };
    const std::vector<Way> by = reach(program, rule, counts);
    for (const Site& site : program.sites()) {
      const bool in_macro = site.unit != no_index && site.token == no_index;
      if (site.callees.empty() || !is_reported(site) || in_macro) continue;
      const std::uint32_t callee = leading(site, by);
      const bool itself = std::ranges::any_of(site.hits, [&](const Hit& hit) { return hit.rule == rule; });
      if (callee == no_index || itself) continue;
      const Where place = where(site);
      if (place.kind != Where::Kind::job) continue;
      const Site& end = program.sites()[by[callee].end];
      const auto hit = std::ranges::find_if(end.hits, [&](const Hit& h) { return h.rule == rule && !h.everywhere; });
      add(program, site, *hit, fmt::format("{} leads to a call that breaks the rule: {}", site.name, hit->message),
          steps(program, by, site), place);
    }
  }

  [[nodiscard]] static std::vector<Step> steps(const Program& program, const std::vector<Way>& by, const Site& first) {
    constexpr std::size_t longest = 20;
    std::uint32_t node = leading(first, by);
    std::vector<Step> chain{{program.place(first), fmt::format("calls {}", program.nodes()[node].name)}};
    const auto add_step = [&](std::uint32_t site) {
      const Node& from = program.nodes()[program.sites()[site].node];
      const char* const does = from.is_macro ? "stands for" : "calls";
      chain.push_back({program.place(program.sites()[site]), fmt::format("{} {} {}", from.name, does, program.sites()[site].name)});
    };
    const std::uint32_t end = by[node].end;
    for (; by[node].site != end && chain.size() < longest; node = by[node].next) add_step(by[node].site);
    add_step(end);
    return chain;
  }

  void marks_themselves(const Program& program) {
    const auto add_mark = [&](const Unit& unit, RuleId id, std::uint32_t offset, std::uint32_t length, std::string message) {
      const Place place = unit.file().place(offset);
      const std::string_view text = std::string_view(unit.file().text()).substr(offset, length);
      Finding finding{id, rule(id).level, place, 1, std::move(message), {}, {}, {}};
      finding.length = static_cast<std::uint32_t>(std::max<std::size_t>(1, std::min(text.find('\n'), text.size())));
      report_.findings.push_back(std::move(finding));
    };
    for (std::size_t u = 0; u < loaded_.units.size(); ++u) {
      const Unit& unit = *loaded_.units[u];
      if (!unit.reported()) continue;
      for (const BadMark& mark : places_[u].marks().bad) add_mark(unit, RuleId::bad_mark, mark.offset, mark.length, mark.message);
      const auto& allowances = places_[u].marks().allowances;
      for (std::size_t a = 0; a < allowances.size(); ++a) {
        if (!knows_all(program, static_cast<std::uint32_t>(u), allowances[a])) continue;
        for (const RuleId id : allowances[a].rules) {
          if (used_[u][a].contains(id)) continue;
          add_mark(unit, RuleId::unused_allow, allowances[a].offset, allowances[a].length,
                   fmt::format("nothing here breaks the rule '{}'", rule(id).name));
        }
      }
    }
  }

  /// Whether all calls that the mark covers are known: of others, only clang may see what they do.
  [[nodiscard]] bool knows_all(const Program& program, std::uint32_t u, const Allowance& allowance) const {
    if (!options_.clang.empty()) return true;
    const auto calls = loaded_.units[u]->calls();
    std::size_t left = 1000;
    for (auto at = std::ranges::lower_bound(calls, allowance.tokens.begin, {}, &Call::token);
         at != calls.end() && at->token < allowance.tokens.end; ++at) {
      if ((at->kind == Call::Kind::call && !program.understands(u, *at)) || --left == 0) return false;
    }
    return true;
  }

  void finish() {
    if (report_.left_out > 0) report_.remarks.push_back(fmt::format("{} more findings are left out", report_.left_out));
    const auto key = [](const Finding& f) { return std::tuple(f.place, f.rule, f.chain.size(), f.message); };
    std::ranges::sort(report_.findings, [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
    const auto same = [](const Finding& a, const Finding& b) { return a.place == b.place && a.rule == b.rule; };
    report_.findings.erase(std::unique(report_.findings.begin(), report_.findings.end(), same), report_.findings.end());
  }

  const Options& options_;
  LoadedFiles loaded_;
  std::vector<Places> places_;
  std::vector<std::vector<bool>> start_up_;
  std::vector<std::vector<std::set<RuleId>>> used_;  // by unit and allowance
  Report report_;
};

}  // namespace

std::size_t Report::count(Level least) const {
  return static_cast<std::size_t>(std::ranges::count_if(findings, [&](const Finding& f) { return !f.allowed && f.level >= least; }));
}

Report lint_sources(std::span<const SourceText> files, const Options& options) { return Linter(files, options).run(); }

}  // namespace rta::lint
