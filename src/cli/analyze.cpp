#include "rta/analysis/analyze.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>

#include "advice.hpp"
#include "analysis_options.hpp"
#include "certificate_check.hpp"
#include "command.hpp"
#include "evidence.hpp"
#include "number.hpp"
#include "on_device.hpp"
#include "output.hpp"
#include "picture.hpp"
#include "progress_line.hpp"
#include "rta/certificate/certificate.hpp"
#include "rta/io/digest.hpp"
#include "rta/io/new_file.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/report/analysis_report.hpp"
#include "rta/report/time_text.hpp"
#include "static_analysis.hpp"
#include "task_set_input.hpp"
#include "time_style.hpp"
#include "variants.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

po::options_description options_of_analyze() {
  po::options_description all;
  add_analysis_options(all);
  all.add_options()(
      "time-limit", po::value<std::string>()->value_name("SECONDS"),
      "end all searches (of release on completion and segments, of what helps, of slack) after that time with the best that is "
      "proven by then (T10 where T10n was not done)");
  add_set_option(all);
  all.add_options()("profile", po::value<std::string>()->value_name("PROFILE"),
                    "what `rta examine` found on the device: its figures replace those of the built-in table, the largest dispatch latency "
                    "is added to every L, and the output says which rules that the bounds rest on were confirmed there, or warns");
  all.add_options()("strict", po::bool_switch(), "with --profile: exit status 1 and no bounds where such a rule was refuted");
  all.add_options()("certificate", po::value<std::string>()->value_name("FILE"),
                    "also write the proof to FILE as a certificate, which `rta-check` verifies; bounds that it does not carry are named");
  all.add_options()("suggest", po::bool_switch(), "list block sizes (same G-threads in all) that would raise a GPU's capacity");
  all.add_options()("explain", po::value<std::vector<std::string>>()->composing()->value_name("NODE"),
                    "show the formula of that bound with its numbers put in; DAG, NODE, DAG/NODE or CHAIN; may be repeated");
  add_advice_options(all);
  all.add_options()("jobs", po::bool_switch(), "list the bound of each job of a hyperperiod, where all DAGs are periodic (T35, T36)");
  all.add_options()("all", po::bool_switch(), "show every DAG, not the ten worst of many");
  all.add_options()("verbose,v", po::bool_switch(), "show every node, and the theorems behind bounds");
  all.add_options()("format", po::value<std::string>()->value_name("NAME"),
                    "text (default), json, csv, html, pdf (the page, printed), md (Markdown) or junit (verdicts as results of tests)");
  all.add_options()(
      "output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
      "write to FILE instead of standard output; the extension (.txt, .json, .csv, .html, .pdf, .md; .xml for JUnit) tells the "
      "format; may be repeated");
  add_digits_option(all);
  add_evidence_option(all);
  all.add_options()("quiet,q", po::bool_switch(), "no warnings, no progress");
  return all;
}

/// The options of the table, and those of this command alone.
analysis::Options options_of(const po::variables_map& given) {
  analysis::Options options = checked_options(given_options(given));
  options.suggest = given["suggest"].as<bool>();
  if (given.count("explain") != 0) options.explain = given["explain"].as<std::vector<std::string>>();
  return options;
}

/// How pages draw DAGs; nothing without Graphviz.
std::function<std::string(const std::string&)> drawing() {
  if (!has_pictures("svg")) return {};
  return [](const std::string& dot) { return picture(dot, "svg"); };
}

std::string bound_in_words(const analysis::Proof& proof, DagId d) {
  const auto& bound = proof.dags[d].bound;
  if (!bound) return "has no bound";
  const bool missed = !proof.dags[d].meets(proof.task_set->dags()[d].deadline());
  return fmt::format("is bounded by {}{}", report::time_text(bound->R), missed ? " (MISSED)" : "");
}

/// What C without `per: block` means for the bounds: of the DAG on which the two readings differ most.
std::string both_readings(const analysis::Proof& as_blocks, const analysis::Proof& as_kernels) {
  std::size_t differ = 0;
  std::optional<DagId> most;
  const auto difference = [&](DagId d) {
    const auto& a = as_blocks.dags[d].bound;
    const auto& b = as_kernels.dags[d].bound;
    if (!a || !b) return std::pair(a.has_value() != b.has_value(), Wide{0});
    return std::pair(false, a->R < b->R ? Wide{b->R.count()} - a->R.count() : Wide{a->R.count()} - b->R.count());
  };
  for (DagId d = 0; d < as_blocks.dags.size(); ++d) {
    if (difference(d) == std::pair(false, Wide{0})) continue;
    ++differ;
    if (!most || difference(d) > difference(*most)) most = d;
  }
  if (!most) return "C of kernels without `per: block`: no bound of a DAG depends on how it is read";
  const std::string others = differ > 1 ? fmt::format(", and {} other DAGs differ", differ - 1) : "";
  return fmt::format("C of kernels without `per: block`: read as one block's work, DAG '{}' {}; read as the kernel's time, it {}{}",
                     as_blocks.task_set->dags()[*most].name(), bound_in_words(as_blocks, *most), bound_in_words(as_kernels, *most), others);
}

std::optional<analysis::JobBounds> jobs_of(analysis::Analysis& analysis) {
  const auto dags = analysis.proof.task_set->dags();
  const auto other = std::ranges::find_if_not(dags, [](const Dag& dag) { return dag.attributes().periodic; });
  if (other != dags.end()) throw UsageError(fmt::format("--jobs is for periodic DAGs (`periodic: true`); '{}' is none", other->name()));
  auto jobs = analysis::job_bounds(analysis.proof);
  if (!jobs) analysis.warnings.emplace_back("--jobs: no job has a bound of its own; all have those of their DAGs");
  return jobs;
}

// A static order that meets everything helps, where it is what the same command with --release static finds.
void add_static_remedy(const po::variables_map& given, const std::shared_ptr<const TaskSet>& task_set, bool kernel_switches,
                       analysis::Analysis& analysis) {
  if (!analysis.remedies || analysis.verdict == analysis::Verdict::schedulable) return;
  if (analysis.policies.back().verdict != analysis::Verdict::schedulable) return;
  if (!given_options(given).empty() || given.count("time-limit") != 0) return;
  for (const char* name : {"explain", "why", "largest-rate"}) {
    if (given.count(name) != 0) return;
  }
  for (const char* flag : {"suggest", "slack", "jobs"}) {
    if (given[flag].as<bool>()) return;
  }
  auto made = analyze_static_order(given, task_set, kernel_switches, 1).analysis;
  ++analysis.remedies->tried;
  if (made.verdict != analysis::Verdict::schedulable) return;
  auto& list = analysis.remedies->list;
  const auto worse = std::ranges::find_if(
      list, [](const auto& one) { return verdict_of(one.proof) != analysis::Verdict::schedulable || missed_chains(one.proof) > 0; });
  list.insert(worse, {analysis::OtherOptions{{{"release", "static"}}}, std::move(made.proof), {}});
}

// With advice, and what a static order would prove where the policy is left open.
analysis::Analysis analyzed(const po::variables_map& given, const std::shared_ptr<const TaskSet>& task_set,
                            const std::optional<Limit>& limit, analysis::Options options) {
  const auto proven = [&] {
    ProgressLine line(shows_progress(given), std::chrono::seconds(1));
    options.progress = [&line](std::string_view what) { line.update([&] { return fmt::format("{}, {:.0f} s", what, line.elapsed()); }); };
    return analysis::analyze(task_set, options);
  };
  analysis::Analysis analysis = proven();
  if (given["jobs"].as<bool>()) analysis.jobs = jobs_of(analysis);
  ProgressLine line(shows_progress(given), std::chrono::seconds(1));
  line.say("trying what helps");
  add_advice(given, task_set, options.kernel_switches, limit, analysis);
  if (!options.release && options.granularity == analysis::Granularity::fine) {
    analysis.policies.push_back(first_static_order(task_set, options.kernel_switches));
    add_static_remedy(given, task_set, options.kernel_switches, analysis);
  }
  return analysis;
}

ExitStatus analyze_one(const po::variables_map& given, const Variant& variant) {
  const bool static_order = asks_for_static_order(given);
  analysis::Options options = static_order ? analysis::Options{} : options_of(given);
  std::optional<Limit> limit;
  if (given.count("time-limit") != 0) limit = Limit().within(seconds_option(given, "time-limit"));
  options.stop = stop_at(limit);
  std::optional<std::string> format;
  if (given.count("format") != 0) format = given["format"].as<std::string>();
  std::vector<std::string> outputs;
  if (given.count("output") != 0) outputs = given["output"].as<std::vector<std::string>>();
  const auto all_targets = targets<report::AnalysisReport>(format, outputs);
  require_converters(all_targets, drawn_as<report::AnalysisReport>());
  const auto profile = profile_of(given);
  const bool strict = given["strict"].as<bool>();

  std::optional<std::filesystem::path> certificate;
  if (given.count("certificate") != 0) certificate = given["certificate"].as<std::string>();
  if (certificate && !variant.settings.empty()) {
    throw UsageError("--certificate and --set do not go together: a certificate is of a file; write the values into it");
  }
  if (certificate) require_writable(*certificate);

  const std::string name = shown_name(variant.file);
  const auto content = io::read_shared_task_set_text(variant.file);
  const std::string& text = *content;
  const report::ShownTimes shown_times(time_style(given, text));
  const Settings settings = settings_on(profile, text, name, variant.settings);
  if (certificate && !settings.warnings.empty()) {
    const auto is_company = [](const io::Setting& one) { return one.place.ends_with(".interference"); };
    throw UsageError(
        std::any_of(settings.all.begin(), settings.all.end(), is_company)
            ? "--certificate: a certificate is of a file, and what company does is not in this one; write `interference` into it"
            : "--certificate: a certificate is of a file, and launches cost other times than this one says; write them into it");
  }
  auto read = io::parse_task_set(text, name, io::BareC::block, settings.all);
  const bool bare_C = read.bare_C;
  const std::optional<TaskSet> as_read = certificate ? std::optional(read.task_set) : std::nullopt;
  std::vector<std::string> warnings;
  for (const io::Setting& one : variant.settings) warnings.push_back(one.place + " is " + one.value + " here, whatever the file says");
  warnings.insert(warnings.end(), settings.warnings.begin(), settings.warnings.end());
  for (const io::Diagnostic& warning : read.warnings) warnings.push_back(warning.text());
  OnDevice device = on_device(profile, strict, std::move(read.task_set));
  if (device.refused) return ExitStatus::no;
  options.kernel_switches = device.kernel_switches;
  const bool quiet = given["quiet"].as<bool>();
  const auto task_set = std::make_shared<const TaskSet>(std::move(device.task_set));
  std::optional<static_order::ScheduledHyperepoch> order;
  const auto by_order = [&]() -> analysis::Analysis {
    auto made = analyze_static_order(given, task_set, device.kernel_switches, bare_C ? 2 : 1);
    order = std::move(made.order);
    return std::move(made.analysis);
  };
  analysis::Analysis analysis = static_order ? by_order() : analyzed(given, task_set, limit, options);
  analysis.rules = std::move(device.rules);
  if (bare_C) {
    OnDevice otherwise = on_device(profile, strict, io::parse_task_set(text, name, io::BareC::kernel, settings.all).task_set);
    const auto kernels = std::make_shared<const TaskSet>(std::move(otherwise.task_set));
    const analysis::Analysis as_kernels =
        static_order ? analyze_static_order(given, kernels, device.kernel_switches, 2).analysis : analysis::analyze(kernels, options);
    warnings.push_back(both_readings(analysis.proof, as_kernels.proof));
  }
  for (const auto* more : {&device.warnings, &analysis.warnings}) warnings.insert(warnings.end(), more->begin(), more->end());
  std::optional<report::Certification> certified;
  if (certificate) {
    const std::string sha256 = io::sha256(text);
    auto made = order ? certificate::certificate_of(analysis.proof, *order, *as_read, sha256)
                      : certificate::certificate_of(analysis.proof, *as_read, sha256);
    io::write_file(*certificate, made.text);
    add_refused(text, made);
    certified = report::Certification{certificate->string(), std::move(made.uncertified)};
  }
  analysis.warnings = warnings;
  if (!quiet) {
    for (const std::string& warning : warnings) std::cerr << "warning: " << warning << '\n';
  }

  for (const Target& target : all_targets) {
    const report::TextStyle style{given["verbose"].as<bool>(), given["all"].as<bool>(), !target.path && colour_on_standard_output()};
    write_report<report::AnalysisReport>(target, {analysis, style, certified, drawing()});
  }
  const bool holds = analysis.verdict == analysis::Verdict::schedulable && report::requirements_hold(analysis);
  return holds ? ExitStatus::yes : ExitStatus::no;
}

ExitStatus run_analyze(const po::variables_map& given, const std::vector<std::string>& arguments) {
  const std::vector<Variant> variants = variants_of(given, arguments);
  return variants.size() == 1 ? analyze_one(given, variants.front()) : analyze_variants(given, variants, options_of(given));
}

}  // namespace

const Command& analyze_command() {
  static const Command command{
      "analyze",
      "FILE [FILE ...]",
      "Prove a response-time bound for every node and DAG of a task set",
      "Reads the task set in FILE (- is standard input) and prints the verdict, then for every pool its utilization, the capacity up to "
      "which "
      "bounds are proven, and why; then every DAG's end-to-end bound beside its deadline. Every bound comes from a theorem, is rounded up "
      "to whole nanoseconds and names its theorem.\n\n"
      "Several files, a folder of them (its .yaml files) or --set with several values give a table with a line for each.\n\n"
      "The exit status is 0 when every response time is bounded, every deadline is met and every chain is within its limits, 1 when not "
      "(or refused with "
      "--strict), 2 for bad input or usage, 3 for an internal error.",
      options_of_analyze,
      1,
      run_analyze,
      most_files,
      {{"rta analyze tasksets/examples/pedestrian.yaml", "the verdict, and a bound for each DAG"},
       {"rta analyze tasksets/examples/cameras.yaml --explain logger", "the numbers behind one bound"},
       {"rta analyze tasksets/examples/pedestrian.yaml --set gpu.sms=8,16,32", "what if the GPU were smaller, or larger"}}};
  return command;
}

}  // namespace rta::cli
