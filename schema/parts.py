"""What values in the files and results are like: the parts that the schemas are put together from."""

DRAFT = "http://json-schema.org/draft-07/schema#"
NUMBER = r"[+]?[0-9]+(\.[0-9]+)?"
POSITIVE = r"(?![+]?0+(\.0+)?([^0-9.]|$))"
TIME_UNIT = r"[ \t]*(ns|us|µs|μs|ms|s)"
DEVICES = ["tx1", "gtx-1070", "tx2", "titan-v", "v100", "xavier", "a100", "orin", "orin-nx", "orin-nano", "rtx-4090", "l4", "h100", "h200", "b200",
           "thor", "rtx-5090"]
MOST_PROCESSORS, MOST_PER_SM, MOST = 1_000_000, 65_536, 2**63 - 1


# What values are like.

def says(description, schema):
    return {"description": description, **schema}


def words(*allowed):
    return {"enum": list(allowed)}


def integer(least, most=MOST):
    return {"type": "integer", "minimum": least, "maximum": most}


def array(items, least=0):
    return {"type": "array", "items": items, **({"minItems": least} if least else {})}


def mapping(properties, required=(), **more):
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, **({"required": list(required)} if required else {}), **more}


def one_of_keys(*keys):
    """At least one of them is there."""
    return {"anyOf": [{"required": [key]} for key in keys]}


def not_both(one, other):
    return {"not": {"required": [one, other]}}


def time(positive=False):
    """A number with a unit; without one it counts in the file's time_unit."""
    number = {"type": "number", "exclusiveMinimum": 0} if positive else {"type": "number", "minimum": 0}
    return {"anyOf": [{"type": "string", "pattern": f"^{POSITIVE if positive else ''}{NUMBER}{TIME_UNIT}$"}, number]}


def period():
    rate = {"type": "string", "pattern": f"^{POSITIVE}{NUMBER}[ \\t]*Hz$"}
    return {"anyOf": [*time(positive=True)["anyOf"], rate]}


def size():
    return {"anyOf": [{"type": "string", "pattern": f"^{NUMBER}[ \\t]*(B|KiB|MiB)$"}, {"const": 0}]}


def interference():
    column = array({"type": "number", "minimum": 0, "maximum": 1000}, 1)
    factors = {"type": "object", "minProperties": 1, "additionalProperties": column}
    return mapping({
        "classes": says("of kernels", {**array(ANY_NAME, 1), "maxItems": 64}),
        "other-sm": says("a row for each class: beside all other SMs at work on each class", factors),
        "same-sm": says("likewise beside blocks on its own SM; left out: durations alone were measured on full SMs", factors),
        "combine": says("of several classes: the sum (default), or the worst", words("sum", "max")),
        "beside": says("beside what is no kernel, a number for each class as the victim; left out: such work was there when kernels were measured", mapping({
            "copies": says("while copy engines copy", column), "cpu": says("while processors run nodes", column)}, ["copies", "cpu"]))},
        ["classes", "other-sm"])


def limit(schema):
    return {"anyOf": [schema, {"const": "unlimited"}]}


def varying(positive=False):
    """A time, or from where to where it goes."""
    of = time(positive)
    return {"anyOf": [of, mapping({"max": of, "min": time(), "mode": time()}, ["max", "min"])]}


def kernel_times(positive=False):
    """The same, or a time that was measured alone."""
    of = time(positive)
    alone = mapping({"alone": of, "min": time(), "mode": time()}, ["alone"], dependencies={"mode": ["min"]})
    return {"anyOf": [*varying(positive)["anyOf"], alone]}


NAME = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[^\s]+$", "not": {"pattern": "->"}}
# A plain scalar that YAML takes for a number names things, too.
ANY_NAME = {"anyOf": [NAME, {"type": "number"}]}
BOOLEAN = {"type": "boolean"}
FREE = {}


# Of what rta writes: times are whole nanoseconds or null, wherever they stand; other keys are free unless they are named.

TEXT, COUNT, REAL, TEXTS = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": "number"}, {"type": "array", "items": {"type": "string"}}
NS = {"type": ["integer", "null"]}


def or_null(schema):
    return {"anyOf": [schema, {"type": "null"}]}


def record(properties, optional=()):
    """An object of a result; all keys but the `optional` ones are there."""
    return {"type": "object", "properties": properties, "required": [key for key in properties if key not in optional],
            "patternProperties": {"^(?!observed_mean).*_ns$": {"type": ["integer", "null"]}, "_ppm$": {"type": ["integer", "null"]}}}


def records(properties, optional=()):
    return array(record(properties, optional))
