// The worst responses that runs have shown, and the runs that showed them.
#pragma once

#include "rta/simulate/search.hpp"

namespace rta::simulate {

class Records {
 public:
  explicit Records(const TaskSet& task_set);

  /// Keeps what is worse than anything here and in `known`.
  void look(const Observation& seen, const Options& run, const Records* known = nullptr);
  /// Takes over what is worse elsewhere; that is empty afterwards.
  void take(Records& other);
  [[nodiscard]] const SearchResult& result() const { return result_; }
  [[nodiscard]] SearchResult release() { return std::move(result_); }
  void end(Ending ending) { result_.ending = ending; }

 private:
  void drop_unnamed_runs();

  SearchResult result_;
};

}  // namespace rta::simulate
