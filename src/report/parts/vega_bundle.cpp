#include "vega_bundle.hpp"

#include "io/embedded_file.hpp"

// RTA_VEGA_BUNDLE is the path of the script that cmake/VegaBundle.cmake makes.
RTA_EMBED(vega_bundle, RTA_VEGA_BUNDLE);

namespace rta::report {

std::string_view vega_bundle() { return io::embedded(rta_vega_bundle_begin, rta_vega_bundle_end); }

}  // namespace rta::report
