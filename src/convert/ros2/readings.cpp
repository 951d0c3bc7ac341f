#include "../readings.hpp"

#include <array>

namespace rta::convert {

std::span<const Reading> ros2_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"event", "ros2:rcl_init, ros2_caret:rcl_init", read, "the version of rcl, which tells how a static executor picks callbacks"},
      Reading{"event",
              "ros2:rcl_node_init, ros2:rcl_publisher_init, ros2:rcl_subscription_init, ros2:rclcpp_subscription_init, "
              "ros2:rclcpp_subscription_callback_added, ros2:rcl_service_init, ros2:rclcpp_service_callback_added, ros2:rcl_client_init, "
              "ros2:rcl_timer_init, ros2:rclcpp_timer_callback_added, ros2:rclcpp_timer_link_node, ros2:rclcpp_callback_register, "
              "ros2_caret:rcl_node_init, ros2_caret:rcl_publisher_init, ros2_caret:rcl_subscription_init, "
              "ros2_caret:rclcpp_subscription_init, ros2_caret:rclcpp_subscription_callback_added, ros2_caret:rcl_service_init, "
              "ros2_caret:rclcpp_service_callback_added, ros2_caret:rcl_client_init, ros2_caret:rcl_timer_init, "
              "ros2_caret:rclcpp_timer_callback_added, ros2_caret:rclcpp_timer_link_node, ros2_caret:rclcpp_callback_register",
              read,
              "what handles stand for: nodes, topics, periods of timers, callbacks; a handle that comes back stands for something new"},
      Reading{"event",
              "ros2_caret:construct_executor, ros2_caret:construct_static_executor, ros2_caret:add_callback_group, "
              "ros2_caret:add_callback_group_static_executor, ros2_caret:callback_group_to_executor_entity_collector, "
              "ros2_caret:executor_entity_collector_to_executor, ros2_caret:callback_group_add_timer, "
              "ros2_caret:callback_group_add_subscription, ros2_caret:callback_group_add_service, ros2_caret:callback_group_add_client",
              read, "executors and callback groups; without them, callbacks that ran on a thread are those of one executor"},
      Reading{"event", "ros2:callback_start, ros2:callback_end", read, "jobs"},
      Reading{"event", "ros2:rcl_publish, ros2:rclcpp_intra_publish", read, "a message of the callback that runs on that thread"},
      Reading{"event",
              "ros2:rmw_publish, ros2:rmw_take, ros2_caret:dds_bind_addr_to_stamp, ros2:dispatch_subscription_callback, "
              "ros2_caret:dispatch_subscription_callback",
              read, "which message released which job, where both ends have its stamp; else the order of the topic tells"},
      Reading{"event", "ros2:rclcpp_executor_wait_for_work", read, "polls: whether a callback ran twice between two"},
      Reading{"event", "sched_switch, sched_waking, sched_wakeup, sched_wakeup_new", read, "when threads of callbacks ran"},
      Reading{"event",
              "ros2:rclcpp_publish, ros2:rcl_take, ros2:rclcpp_take, ros2:rclcpp_executor_get_next_ready, ros2:rclcpp_executor_execute, "
              "ros2:rmw_publisher_init, ros2:rmw_subscription_init, ros2:rmw_client_init, ros2:rmw_service_init, "
              "ros2:dispatch_intra_process_subscription_callback, ros2:message_construct, ros2_caret:dds_write, ros2_caret:caret_init, "
              "ros2_caret:rmw_implementation, ros2_caret:on_data_available, ros2_caret:dds_bind_addr_to_addr, "
              "ros2_caret:rcl_publish, ros2_caret:rclcpp_publish, ros2_caret:callback_start, ros2_caret:callback_end, "
              "ros2:rclcpp_buffer_to_ipb, ros2:rclcpp_ipb_to_subscription, ros2:rclcpp_construct_ring_buffer, "
              "ros2:rclcpp_ring_buffer_enqueue, ros2:rclcpp_ring_buffer_dequeue, ros2:rclcpp_ring_buffer_clear",
              aside, "what other events say, too"},
      Reading{"event",
              "lttng_ust_statedump:start, lttng_ust_statedump:end, lttng_ust_statedump:bin_info, lttng_ust_statedump:build_id, "
              "lttng_ust_statedump:debug_link, lttng_ust_statedump:procname, lttng_ust_lib:load, lttng_ust_lib:unload, "
              "lttng_ust_lib:build_id, lttng_ust_lib:debug_link, lttng_ust_dl:dlopen, lttng_ust_dl:dlmopen, lttng_ust_dl:dlclose, "
              "lttng_ust_cyg_profile:func_entry, lttng_ust_cyg_profile:func_exit, lttng_ust_cyg_profile_fast:func_entry, "
              "lttng_ust_cyg_profile_fast:func_exit, sched_migrate_task, sched_process_fork, sched_process_exec, sched_process_exit, "
              "sched_process_free, sched_process_wait, sched_pi_setprio, sched_stat_runtime, sched_stat_wait, sched_stat_sleep, "
              "sched_stat_iowait, sched_stat_blocked",
              aside, ""},
      Reading{"event",
              "irq_handler_entry, irq_handler_exit, irq_softirq_entry, irq_softirq_exit, irq_softirq_raise, timer_hrtimer_expire_entry, "
              "timer_hrtimer_expire_exit",
              aside, "interrupts count as execution of the callback that they interrupt"},
      Reading{"event", "ros2:rcl_lifecycle_state_machine_init, ros2:rcl_lifecycle_transition", told,
              "a node may do other things in other states: bounds cover what was recorded"},
      Reading{"event", "*", told, "what it says of times is not known"},
      Reading{"topic", "/parameter_events", told, "it tells that parameters changed, which happens while nodes start: NO BOUND COVERS IT"},
      Reading{"topic", "*", read, "a callback, and an edge from each callback that publishes on it"},
      Reading{"service",
              "get_parameters, get_parameter_types, set_parameters, set_parameters_atomically, describe_parameters, list_parameters, "
              "get_type_description",
              told, "tools ask for parameters, and nodes that start: NO BOUND COVERS IT"},
      Reading{"service", "*", read, "a DAG of its own, released by each request or answer: who waits for whom is not in the trace"},
      Reading{"line", "warning", told, "babeltrace2 says that of the trace"},
      Reading{"line", "*", told, "it is no event"},
  };
  return rows;
}

}  // namespace rta::convert
