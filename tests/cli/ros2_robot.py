"""A robot in a few lines: executors under the rules of rclcpp play random callbacks, and what they do is printed as babeltrace2 prints a trace."""

import collections
import heapq
import random

MS = 1_000_000
SECONDS = 2_000_000_000  # that are played, in ns
START = 1_700_000_000


class Callback:
    def __init__(self, index, executor, longest):
        self.index, self.executor, self.longest = index, executor, longest
        self.publishes = []  # topics, one for each message of a job
        self.period = self.topic = None  # a timer has the one, a subscription the other
        self.waiting = []  # (release of the timer, its callback, stamp of the message)


class Robot:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.threads = [self.draw.choice((1, 1, 1, 2, 3)) for _ in range(self.draw.randint(1, 3))]
        self.stamped = self.draw.random() < 0.6
        self.callbacks = []
        self.longest = collections.defaultdict(int)  # response time, by timer
        self.printed = []
        self.order = 0
        self.future = []
        self.sets = [[] for _ in self.threads]
        self.busy = [[False] * n for n in self.threads]
        self.running = set()
        self.choose_callbacks()
        self.print_initialisation()
        self.play()

    def choose_callbacks(self):
        draw, executors = self.draw, range(len(self.threads))
        timers, topics = draw.randint(1, 4), 0
        for i in range(timers):
            self.callbacks.append(Callback(i, draw.choice(executors), draw.randint(100_000, 2_500_000)))
            self.callbacks[-1].period = draw.choice((10, 20, 25, 50, 100)) * MS
        for i in range(timers, timers + draw.randint(1, 6)):
            callback = Callback(i, draw.choice(executors), draw.randint(100_000, 2_500_000))
            callback.topic = draw.randrange(topics) if topics and draw.random() < 0.3 else topics
            if callback.topic == topics:  # a new one, of one or two callbacks that are there already
                topics += 1
                for publisher in draw.sample(self.callbacks, min(len(self.callbacks), 1 if draw.random() < 0.7 else 2)):
                    publisher.publishes += [callback.topic] * (2 if draw.random() < 0.15 else 1)
            self.callbacks.append(callback)

    def say(self, time, executor, thread, event, fields):
        self.printed.append(
            f"[{START + time // 10**9}.{time % 10**9:09}] robot ros2:{event}: {{ cpu_id = 0 }}, "
            f'{{ vpid = {100 + 10 * executor}, procname = "p{executor}", vtid = {100 + 10 * executor + thread} }}, {{ {fields} }}\n'
        )

    def print_initialisation(self):
        for c in self.callbacks:
            node, callback = f"node_handle = {c.index + 0x1000:#x}", f"callback = {c.index + 0x9000:#x}"
            lines = [("rcl_node_init", f'{node}, rmw_handle = 0x1, node_name = "n{c.index}", namespace = "/"')]
            lines += [("rcl_publisher_init", f'publisher_handle = {0x2000 + 100 * c.index + t:#x}, {node}, rmw_publisher_handle = 0x2, topic_name = "/t{t}", queue_depth = 10')
                      for t in sorted(set(c.publishes))]
            if c.topic is None:
                timer = f"timer_handle = {c.index + 0x6000:#x}"
                lines += [("rcl_timer_init", f"{timer}, period = {c.period}"), ("rclcpp_timer_callback_added", f"{timer}, {callback}"), ("rclcpp_timer_link_node", f"{timer}, {node}")]
            else:
                handle, thing = f"subscription_handle = {c.index + 0x3000:#x}", f"subscription = {c.index + 0x4000:#x}"
                lines += [("rcl_subscription_init", f'{handle}, {node}, rmw_subscription_handle = 0x2, topic_name = "/t{c.topic}", queue_depth = 1000'),
                          ("rclcpp_subscription_init", f"{handle}, {thing}"), ("rclcpp_subscription_callback_added", f"{thing}, {callback}")]
            for event, fields in lines:
                self.say(0, c.executor, 0, event, fields)

    def later(self, time, what, *of):
        self.order += 1
        heapq.heappush(self.future, (time, self.order, what, of))

    def play(self):
        for c in self.callbacks:
            if c.period:
                self.later(self.draw.randint(1, c.period), self.expire, c)
        while self.future:
            time, _, what, of = heapq.heappop(self.future)
            what(time, *of)

    def expire(self, time, timer):
        if time >= SECONDS:
            return
        if not timer.waiting:  # else the expiry is missed
            timer.waiting.append((time, timer, None))
        self.later(time + timer.period, self.expire, timer)
        self.pick(time, timer.executor)

    def publish(self, time, callback, thread, topic, release, source):
        stamp = 10**18 + self.order
        self.say(time, callback.executor, thread, "rcl_publish", f"publisher_handle = {0x2000 + 100 * callback.index + topic:#x}, message = 0x7")
        if self.stamped:
            self.say(time, callback.executor, thread, "rmw_publish", f"rmw_publisher_handle = 0x2, message = 0x7, timestamp = {stamp}")
        for reader in self.callbacks:
            if reader.topic == topic:
                reader.waiting.append((release, source, stamp))
                self.pick(time, reader.executor)

    def end(self, time, callback, thread, release, source):
        self.say(time, callback.executor, thread, "callback_end", f"callback = {callback.index + 0x9000:#x}")
        self.busy[callback.executor][thread] = False
        self.running.remove(callback)
        self.longest[f"n{source.index}.timer"] = max(self.longest[f"n{source.index}.timer"], time - release)
        self.pick(time, callback.executor)

    def pick(self, time, executor):
        """Each idle thread takes one of the set; where none can be taken the set is what is ready and does not run, in any order."""
        for thread in range(self.threads[executor]):
            if self.busy[executor][thread]:
                continue
            if not any(c not in self.running for c in self.sets[executor]):
                self.sets[executor] = [c for c in self.callbacks if c.executor == executor and c.waiting and c not in self.running]
                self.draw.shuffle(self.sets[executor])
                if self.sets[executor] and self.threads[executor] == 1:
                    self.say(time, executor, thread, "rclcpp_executor_wait_for_work", "timeout = -1")
            callback = next((c for c in self.sets[executor] if c not in self.running), None)
            if callback is not None:
                self.run(time, callback, thread)

    def run(self, time, callback, thread):
        self.sets[callback.executor].remove(callback)
        release, source, stamp = callback.waiting.pop(0)
        if stamp and self.stamped:
            self.say(time, callback.executor, thread, "rmw_take", f"rmw_subscription_handle = 0x2, message = 0x8, source_timestamp = {stamp}, taken = 1")
        self.say(time, callback.executor, thread, "callback_start", f"callback = {callback.index + 0x9000:#x}, is_intra_process = 0")
        length = callback.longest if self.draw.random() < 0.3 else self.draw.randint(callback.longest // 3, callback.longest)
        self.busy[callback.executor][thread] = True
        self.running.add(callback)
        for topic in callback.publishes:
            self.later(time + self.draw.randint(length // 2, length), self.publish, callback, thread, topic, release, source)
        self.later(time + length, self.end, callback, thread, release, source)
