// The records of CUPTI, as this version of it fills them.
#pragma once

#include <cupti.h>

namespace record {

#if CUPTI_API_VERSION < 19
#error "CUPTI of CUDA 12.0 or later is needed"
#elif CUPTI_API_VERSION >= 130000
using Kernel = CUpti_ActivityKernel10;
using Memcpy = CUpti_ActivityMemcpy6;
using Event = CUpti_ActivityCudaEvent2;
using Synchronization = CUpti_ActivitySynchronization2;
inline constexpr bool tells_recordings_of_events = true;
#else
using Kernel = CUpti_ActivityKernel9;
using Memcpy = CUpti_ActivityMemcpy5;
using Event = CUpti_ActivityCudaEvent;
using Synchronization = CUpti_ActivitySynchronization;
inline constexpr bool tells_recordings_of_events = false;
#endif
// Later versions of these begin with the same members.
using Memset = CUpti_ActivityMemset4;
using Device = CUpti_ActivityDevice4;
using Context = CUpti_ActivityContext;
using Marker = CUpti_ActivityMarker2;
using Overhead = CUpti_ActivityOverhead;
using Stream = CUpti_ActivityStream;
using Call = CUpti_ActivityAPI;

}  // namespace record
