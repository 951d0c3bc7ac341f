#include "variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "advice.hpp"
#include "command.hpp"
#include "mixup.hpp"
#include "number.hpp"
#include "on_device.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/report/analysis_report.hpp"
#include "rta/report/variants_report.hpp"
#include "static_analysis.hpp"
#include "task_set_input.hpp"
#include "time_style.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr std::size_t most_variants = 10'000;

std::vector<std::string> files_of(const std::string& argument) {
  std::error_code unknown;
  if (argument == "-" || !fs::is_directory(argument, unknown)) return {argument};
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(argument)) {
    const std::string extension = entry.path().extension().string();
    if ((extension == ".yaml" || extension == ".yml") && entry.is_regular_file()) files.push_back(entry.path().string());
  }
  if (files.empty()) throw UsageError(fmt::format("'{}' has no file that ends in .yaml", argument));
  std::ranges::sort(files);
  return files;
}

/// With these values of one place as well.
std::vector<Variant> with_values(const std::vector<Variant>& variants, const std::vector<io::Setting>& values) {
  if (variants.size() > most_variants / values.size()) throw UsageError(fmt::format("more than {} task sets", most_variants));
  std::vector<Variant> all;
  all.reserve(variants.size() * values.size());
  for (const Variant& variant : variants) {
    for (const io::Setting& value : values) {
      all.push_back(variant);
      all.back().settings.push_back(value);
    }
  }
  return all;
}

void refuse_what_is_of_one_set(const po::variables_map& given) {
  for (const char* const option : {"certificate", "explain", "why"}) {
    if (given.count(option) != 0) throw UsageError(fmt::format("--{} is of one task set, and these are several", option));
  }
  for (const char* const option : {"suggest", "slack", "jobs", "verbose"}) {
    if (given[option].as<bool>()) throw UsageError(fmt::format("--{} is of one task set, and these are several", option));
  }
}

/// Files as they are needed, the one before kept: standard input can be read once.
class Texts {
 public:
  const std::string& of(const std::string& file) {
    if (!text_ || file != file_) text_ = io::read_shared_task_set_text(file);
    file_ = file;
    return *text_;
  }

 private:
  std::string file_;
  std::shared_ptr<const std::string> text_;
};

analysis::Analysis analyzed(const po::variables_map& given, const std::optional<io::ProfileFile>& profile, const Variant& variant,
                            const std::string& text, std::size_t count, const analysis::Options& options,
                            std::vector<std::string>& warnings) {
  const Settings settings = settings_on(profile, text, shown_name(variant.file), variant.settings);
  warnings.insert(warnings.end(), settings.warnings.begin(), settings.warnings.end());
  auto read = io::parse_task_set(text, shown_name(variant.file), io::BareC::block, settings.all);
  for (const io::Diagnostic& warning : read.warnings) warnings.push_back(warning.text());
  if (read.bare_C) warnings.push_back(shown_name(variant.file) + ": C of kernels without `per: block` is read as one block's work");
  OnDevice device = on_device(profile, given["strict"].as<bool>(), std::move(read.task_set));
  warnings.insert(warnings.end(), device.warnings.begin(), device.warnings.end());
  if (device.refused) throw UserError("refused on that device");
  const auto task_set = std::make_shared<const TaskSet>(std::move(device.task_set));
  if (asks_for_static_order(given)) {
    return analyze_static_order(given, task_set, device.kernel_switches, static_cast<int>(count)).analysis;
  }
  analysis::Options its = options;
  its.kernel_switches = device.kernel_switches;
  for (const std::string& dag : texts_of(given, "largest-rate")) {
    if (!analysis::dags_called(*task_set, dag)) throw UserError(fmt::format("--largest-rate '{}': no DAG '{}'", dag, dag));
  }
  analysis::Analysis analysis = analysis::analyze(task_set, its);
  add_rates(given, task_set, its, analysis);
  return analysis;
}

std::vector<std::string> each_once(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) {
    if (std::ranges::find(all, text) == all.end()) all.push_back(text);
  }
  return all;
}

void add_result(const analysis::Analysis& analysis, report::Variant& variant) {
  const analysis::Proof& proof = analysis.proof;
  variant.verdict = analysis.verdict;
  variant.release = to_string(proof.release);
  variant.dags.reserve(proof.dags.size());
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& dag = proof.task_set->dags()[d];
    const auto& bound = proof.dags[d].bound;
    variant.dags.push_back(
        {dag.name(), bound ? std::optional(bound->R) : std::nullopt, dag.deadline(), proof.dags[d].meets(dag.deadline())});
  }
  for (const analysis::LargestRate& rate : analysis.rates) {
    const report::VariantRate found = rate.found ? report::VariantRate{rate.found->T, rate.bound().R} : report::VariantRate{};
    for (DagId d = rate.dags.first; d <= rate.dags.last; ++d) variant.dags[d].rate = found;
  }
}

}  // namespace

void add_set_option(po::options_description& all) {
  all.add_options()("set", po::value<std::vector<std::string>>()->composing()->value_name("PLACE=VALUE"),
                    "put VALUE in place of the file's: gpu.sms=8, camera.T=20 ms, camera.nodes.detect.L=1 ms; several values, 8,16,32 or "
                    "2..16 or 10..40:5 ms, give a table; may be repeated: then of all combinations");
}

std::string shown_name(const std::string& file) { return file == "-" ? "<stdin>" : file; }

std::vector<Variant> variants_of(const po::variables_map& given, const std::vector<std::string>& arguments) {
  std::vector<Variant> variants;
  for (const std::string& argument : arguments) {
    for (std::string& file : files_of(argument)) variants.push_back({std::move(file), {}});
  }
  for (const std::string& output : texts_of(given, "output")) {
    std::error_code unknown;
    if (std::ranges::any_of(variants, [&](const Variant& one) { return fs::equivalent(one.file, output, unknown); })) {
      throw UsageError(fmt::format("'{}' is read, and would be replaced", output));
    }
  }
  for (const std::string& text : texts_of(given, "set")) variants = with_values(variants, io::read_settings(text));
  return variants;
}

ExitStatus analyze_variants(const po::variables_map& given, const std::vector<Variant>& variants, analysis::Options options) {
  refuse_what_is_of_one_set(given);
  const auto all_targets = targets<report::VariantsReport>(text_of(given, "format"), texts_of(given, "output"));
  std::optional<Limit> limit;
  if (given.count("time-limit") != 0) limit = Limit().within(seconds_option(given, "time-limit"));
  options.stop = stop_at(limit);
  const auto profile = profile_of(given);

  report::VariantsReport report;
  for (const io::Setting& one : variants.front().settings) report.places.push_back(one.place);
  report.rates = texts_of(given, "largest-rate");
  std::vector<std::string> warnings;
  std::vector<std::string> faults;
  bool schedulable = true;
  Texts texts;
  report::TimeStyle style{.unit = std::nullopt, .all_digits = given["all-digits"].as<bool>()};
  {
    ProgressLine line(shows_progress(given), std::chrono::seconds(1));
    for (const Variant& variant : variants) {
      line.update([&] { return fmt::format("{} of {} task sets, {:.0f} s", report.variants.size(), variants.size(), line.elapsed()); });
      report::Variant& its = report.variants.emplace_back(report::Variant{shown_name(variant.file), {}});
      for (const io::Setting& one : variant.settings) its.values.push_back(one.value);
      try {
        const std::string& text = texts.of(variant.file);
        const analysis::Analysis analysis = analyzed(given, profile, variant, text, variants.size(), options, warnings);
        if (!style.unit) style.unit = time_style(given, text).unit.value_or(report::fitting_unit(*analysis.proof.task_set));
        add_result(analysis, its);
        warnings.insert(warnings.end(), analysis.warnings.begin(), analysis.warnings.end());
        schedulable = schedulable && analysis.verdict == analysis::Verdict::schedulable && report::requirements_hold(analysis);
      } catch (const UsageError&) {
        throw;
      } catch (const io::InputError& error) {
        faults.push_back(file_with_choices(analyze_command(), {variant.file}).value_or(error.what()));
      } catch (const UserError& error) {
        faults.push_back(shown_name(variant.file) + ": " + error.what());
      }
    }
  }
  for (const std::string& fault : each_once(faults)) std::cerr << fault << '\n';
  if (!given["quiet"].as<bool>()) {
    for (const std::string& warning : each_once(warnings)) std::cerr << "warning: " << warning << '\n';
  }
  const report::ShownTimes shown_times(style);
  for (const Target& target : all_targets) write_report<report::VariantsReport>(target, report);
  return !faults.empty() ? ExitStatus::bad_input : schedulable ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace rta::cli
