// What this run of the program was given and has read: the evidence of its results. Whoever reads a file notes it here.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "report/parts/evidence.hpp"

namespace rta::cli {

/// `words`: of the command line, behind the command; `in_text`: --evidence was given. Files that io reads whole are noted from now on.
/// Throws `UserError` when SOURCE_DATE_EPOCH is no date.
void begin_evidence(std::string_view command, std::vector<std::string> words, bool in_text);

/// Adds --evidence, which has an effect on text alone: every other format carries the evidence anyhow.
void add_evidence_option(boost::program_options::options_description& options);

/// `sha256`: of all bytes that were read. What is read twice counts once.
void note_input(const std::string& file, const std::string& sha256);
/// One of many files in a folder, which count as one input: the SHA-256 of the lines `SHA-256  NAME` of all of them.
void note_input_in(const std::filesystem::path& folder, const std::string& name, const std::string& sha256);
/// A file that was read by whoever cannot note it. Throws `InputError` when it cannot be read again.
void note_file(const std::filesystem::path& file);

/// As of now.
[[nodiscard]] report::Evidence evidence();
/// Whether text carries it.
[[nodiscard]] bool evidence_in_text();

}  // namespace rta::cli
