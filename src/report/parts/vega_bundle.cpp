#include "vega_bundle.hpp"

// RTA_VEGA_BUNDLE is the path of the script that cmake/VegaBundle.cmake makes.
asm(".section .rodata\n"
    ".global rta_vega_bundle_begin\n"
    ".global rta_vega_bundle_end\n"
    "rta_vega_bundle_begin:\n"
    ".incbin \"" RTA_VEGA_BUNDLE
    "\"\n"
    "rta_vega_bundle_end:\n"
    ".byte 0\n"
    ".text\n");

extern "C" const char rta_vega_bundle_begin[];
extern "C" const char rta_vega_bundle_end[];

namespace rta::report {

std::string_view vega_bundle() { return {rta_vega_bundle_begin, static_cast<std::size_t>(rta_vega_bundle_end - rta_vega_bundle_begin)}; }

}  // namespace rta::report
