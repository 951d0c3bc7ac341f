// Times in sentences.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "rta/model/quantity.hpp"

namespace rta::analysis {

/// Times of one sentence, with all their digits, in the unit that fits the shortest.
class InOneUnit {
 public:
  InOneUnit(std::initializer_list<Time> times) {
    const Time shortest = *std::ranges::min_element(times);
    for (const auto& [name, digits] : {std::pair("s", 9), std::pair("ms", 6), std::pair("us", 3)}) {
      Wide ns = 1;
      for (int i = 0; i < digits; ++i) ns *= 10;
      // Seconds only from 10 s on: response times are read in ms.
      if (Wide{shortest.count()} < (digits == 9 ? 10 * ns : ns)) continue;
      name_ = name;
      digits_ = digits;
      ns_ = ns;
      return;
    }
  }
  [[nodiscard]] std::string operator()(Time time) const { return (*this)(Wide{time.count()}); }
  /// Of ns >= 0.
  [[nodiscard]] std::string operator()(Wide time) const {
    std::string text = to_string(time / ns_);
    if (const Wide rest = time % ns_; rest > 0) {
      std::string behind = to_string(rest);
      behind.insert(0, static_cast<std::size_t>(digits_) - behind.size(), '0');
      behind.erase(behind.find_last_not_of('0') + 1);
      text += "." + behind;
    }
    return text + " " + name_;
  }

 private:
  const char* name_ = "ns";
  int digits_ = 0;
  Wide ns_ = 1;
};

}  // namespace rta::analysis
