#include "rta/static_order/schedule.hpp"

namespace rta::static_order {

std::string_view to_string(Submittee submittee) { return submittee == Submittee::after ? "after" : "overlap"; }

std::string_view to_string(Role role) {
  switch (role) {
    case Role::runnable: return "runnable";
    case Role::submitter: return "submitter";
    case Role::submittee: return "submittee";
    case Role::frame_sync: return "frame-sync";
  }
  return "";
}

}  // namespace rta::static_order
