"""What validation/interference.cu measured, as `interference` of a GPU in a task set."""

import math

CLASSES = ["registers", "L2", "DRAM"]
PARTS = ["whole", "halves", "parts", "same-sm", "copies", "partitions", "cpus"]
# What of the first three has blocks of registers as company.
OF_OTHERS = ["registers"]
TOLERANCE = 0.01  # of the time alone: by so much a mixture may be worse, and its entries are raised
MOST = 1000  # that a task set may have


def growths(cases):
    """Each case but those alone, with by how much of its median time alone the block took longer at most."""
    alone, found = {}, []
    for case in cases:
        place = case["kernel"], case["where"]
        if case["beside"] == "none":
            alone[place] = case["median_ns"]
        else:
            found.append((case, case["max_ns"] / max(1, alone[place]) - 1))
    return found


def matrix_of(found, wheres, own_counts):
    """Victim -> class -> the largest growth beside that class alone, and the mixtures: (case, classes, growth). own_counts: blocks of the victim's
    class beside those of another are no class more, as its kernel has others."""
    entries = {victim: dict.fromkeys(CLASSES, 0.0) for victim in CLASSES}
    mixtures, seen = [], set()
    for case, growth in found:
        if case["where"] not in wheres:
            continue
        victim, classes = case["kernel"], list(case["blocks"])
        if own_counts and len(classes) > 1 and victim in classes:
            classes.remove(victim)
        if len(classes) == 1:
            entries[victim][classes[0]] = max(entries[victim][classes[0]], growth)
            seen.add((victim, classes[0]))
        else:
            mixtures.append((case, classes, growth))
    return (entries, mixtures) if len(seen) == len(CLASSES) ** 2 else (None, [])


def beyond(entries, mixture, combine):
    """How much more a mixture takes than its classes say together."""
    case, classes, growth = mixture
    return growth - combine(entries[case["kernel"]][each] for each in classes)


def raised(entries, mixtures, combine):
    """With entries so large that no mixture is beyond them."""
    for mixture in mixtures:
        row = entries[mixture[0]["kernel"]]
        worst = max(mixture[1], key=row.get)
        row[worst] += max(0.0, beyond(entries, mixture, combine))
    return entries


def combine_of(measured):
    """What the mixtures confirm: max, sum, neither; None: there are none. `measured`: matrices with their mixtures."""
    every = [(entries, mixture) for entries, mixtures in measured for mixture in mixtures]
    if not every:
        return None
    for name, combine in (("max", max), ("sum", sum)):
        if max(beyond(entries, mixture, combine) for entries, mixture in every) <= TOLERANCE:
            return name
    return "neither"


def number(growth):
    """Rounded up to four digits."""
    return f"{math.ceil(growth * 10_000 - 1e-6) / 10_000:.4f}".rstrip("0").rstrip(".")


def rows(name, entries):
    return [f"  {name}:"] + [f"    {victim}: [{', '.join(number(entries[victim][each]) for each in CLASSES)}]" for victim in CLASSES]


def worst_line(found, where, what):
    """A comment on company that no key has."""
    of = [(growth, case) for case, growth in found if case["where"] == where]
    if not of:
        return []
    growth, case = max(of, key=lambda each: each[0])
    return [f"  # {what}, not counted: at most {max(0.0, 100 * growth):.1f} % longer ({case['kernel']} beside {case['beside']})"]


def interference_of(measured):
    """{"task_set": the key `interference` as text, or None and `reason`; "combine": what mixtures confirm; "mixtures": each beside its classes}"""
    found = growths(measured["cases"])
    other, mixed = matrix_of(found, ("other SMs", "other partition"), False)
    same, mixed_same = matrix_of(found, ("same SM",), True)
    if other is None:
        return {"task_set": None, "reason": "not every class was measured beside every class"}
    with_mixtures = [(other, mixed)] + ([(same, mixed_same)] if same else [])
    combine = combine_of(with_mixtures)
    kept = [
        {
            "kernel": mixture[0]["kernel"],
            "where": mixture[0]["where"],
            "beside": mixture[0]["beside"],
            "growth": round(mixture[2], 4),
            "more_than_max": round(beyond(entries, mixture, max), 4),
            "more_than_sum": round(beyond(entries, mixture, sum), 4),
        }
        for entries, mixtures in with_mixtures
        for mixture in mixtures
    ]
    for entries, mixtures in with_mixtures:
        raised(entries, mixtures, max if combine == "max" else sum)
    if max(entry for entries, _ in with_mixtures for row in entries.values() for entry in row.values()) > MOST:
        return {"task_set": None, "reason": f"a block took more than {MOST} times as long", "combine": combine, "mixtures": kept}
    said = {
        "max": "mixtures were no worse than the worst of their classes",
        "sum": "mixtures were no worse than the sum of their classes",
        "neither": "mixtures were worse than the sum of their classes: entries are raised until none is",
        None: "no mixtures were measured",
    }[combine]
    lines = ["interference:", f"  classes: [{', '.join(CLASSES)}]", *rows("other-sm", other)]
    lines += rows("same-sm", same) if same else ["  # no same-sm: durations alone are to be measured on full SMs"]
    lines.append(f"  combine: {'max' if combine == 'max' else 'sum'}  # {said}")
    lines += worst_line(found, "copies", "copies") + worst_line(found, "CPUs", "processors at work on memory")
    return {"task_set": "\n".join(lines) + "\n", "combine": combine, "mixtures": kept}
