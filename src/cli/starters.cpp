#include "starters.hpp"

#include "io/embedded_file.hpp"

// RTA_STARTERS is the path of tasksets/starters.
RTA_EMBED(starter_pipeline, RTA_STARTERS "/pipeline.yaml");
RTA_EMBED(starter_ros2, RTA_STARTERS "/ros2.yaml");
RTA_EMBED(starter_tensorrt, RTA_STARTERS "/tensorrt.yaml");
RTA_EMBED(starter_static, RTA_STARTERS "/static.yaml");

namespace rta::cli {

const std::array<Starter, 4>& starters() {
  static const std::array<Starter, 4> all{{{"pipeline", io::embedded(rta_starter_pipeline_begin, rta_starter_pipeline_end)},
                                           {"ros2", io::embedded(rta_starter_ros2_begin, rta_starter_ros2_end)},
                                           {"tensorrt", io::embedded(rta_starter_tensorrt_begin, rta_starter_tensorrt_end)},
                                           {"static", io::embedded(rta_starter_static_begin, rta_starter_static_end)}}};
  return all;
}

}  // namespace rta::cli
