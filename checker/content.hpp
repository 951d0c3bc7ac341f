// What the theorems on whole DAGs share: of each kind of job, paths and what they may be kept waiting by.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "aligned.hpp"
#include "backlog.hpp"
#include "path.hpp"
#include "system.hpp"
#include "urgent.hpp"

namespace checker {

class Paths::Content {
 public:
  Content(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags);
  [[nodiscard]] Int least(std::size_t k, std::size_t v, std::string_view rule);
  [[nodiscard]] std::size_t job_of(std::size_t d, std::size_t segment) const;
  /// (6) with the z that the claim gives, else (5).
  [[nodiscard]] Int T11j(std::size_t k, std::size_t v);
  void check(std::size_t k, const std::vector<Share>& shares) const;

  const Certificate& certificate;
  System system;

 private:
  using Given = std::vector<std::tuple<std::size_t, Int, Int, Int>>;  // kind, FROM, jobs, strands of each
  struct Aligned;

  [[nodiscard]] Int blocked(std::size_t k, std::size_t v) const;
  void add(std::vector<Way>& ways, Way added, const std::optional<Overlap>& overlap) const;
  void set_limits(std::size_t k);
  [[nodiscard]] std::vector<std::vector<Way>> ways_of(std::size_t k, bool blocked) const;
  [[nodiscard]] Int waiting(std::size_t k, std::size_t v, std::size_t slot) const;
  [[nodiscard]] std::optional<Int> carried(std::size_t k, std::size_t v, std::size_t local);
  [[nodiscard]] Int T10n(std::size_t k, std::size_t v, bool with_carried);
  [[nodiscard]] Int earlier(const Job& job, std::size_t u) const;
  [[nodiscard]] Int own(const Aligned& of, std::size_t slot) const;
  [[nodiscard]] std::vector<Window> windows(const Aligned& of, std::uint64_t mask, std::size_t kind) const;
  [[nodiscard]] Int interference(const Aligned& of, std::uint64_t mask, std::size_t kind) const;
  [[nodiscard]] Int saved(const Aligned& of, const Way& way, const Given& given);
  [[nodiscard]] Int T10a(std::size_t k, std::size_t v, bool started, const std::vector<Given>& given);
  [[nodiscard]] std::vector<Given> given_to(std::size_t k) const;
  [[nodiscard]] const Strands& strands(std::size_t kind, std::size_t queue);

  std::vector<std::map<std::size_t, Ends>> ends_;       // kind, queue
  std::vector<std::vector<Limits>> limits_;             // kind -> item * queues + local queue
  std::vector<std::vector<Int>> ready_;                 // likewise: the largest A_q
  std::vector<std::vector<std::vector<Way>>> ways_;     // kind, item -> of the paths that end in it
  std::vector<std::vector<std::vector<Way>>> started_;  // likewise without Blk; empty where that is no choice
  std::map<std::size_t, Backlog> backlogs_;             // queue
  std::map<std::size_t, Urgent> urgent_;                // likewise
  std::map<std::pair<std::size_t, std::size_t>, Strands> strands_;
  std::map<std::tuple<std::size_t, std::size_t, std::string, std::vector<Given>>, Int> known_;  // equal claims follow alike
};

}  // namespace checker
