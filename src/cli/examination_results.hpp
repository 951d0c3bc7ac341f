// What an examination hears of traces, and what becomes of it: a device profile, reports and evidence.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "process/own_folder.hpp"
#include "rta/examine/company.hpp"
#include "rta/examine/examination.hpp"
#include "rta/model/device_profile.hpp"
#include "rta/report/format.hpp"

namespace rta::cli {

/// Throws `io::InputError` when it cannot be opened.
[[nodiscard]] std::string content_of(const std::filesystem::path& path);

/// Hears the traces `NAME-*.jsonl` of a probe in the folder, which is in `root`, in the order of their names; `started` becomes the first
/// one's date.
void hear_traces(examine::Examination& examination, std::size_t probe, const std::filesystem::path& folder,
                 const std::filesystem::path& root, std::string& started);
void add_measurements(examine::Examination& examination, const std::filesystem::path& file);

/// The name in a folder of traces of the file that holds a part of the interference of blocks.
[[nodiscard]] std::string interference_file(std::string_view part);
/// Adds what that file holds. Throws `io::InputError`.
void add_interference(examine::CompanyPart& all, const std::filesystem::path& file);

struct ExaminationResult {
  DeviceProfile profile;
  std::vector<std::string> remarks;
  std::optional<examine::CompanyPart> company;  // where interference was asked for
  bool quick = false;                           // of too few repetitions for a profile
};

/// Writes profile, reports and evidence into `output`, if there is one, and the report to standard output. What was not examined now the
/// profile keeps from an earlier one there, of the same device and driver.
[[nodiscard]] ExitStatus write_results(const examine::Examination& examination, ExaminationResult result, const process::OwnFolder* output,
                                       const report::Format& format);

}  // namespace rta::cli
