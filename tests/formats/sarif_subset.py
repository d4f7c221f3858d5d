"""The part of SARIF 2.1.0 that Heddle writes, strictly: no property that is not listed here, none
missing that must be there, every index and order in range. For machines that cannot fetch the
official schema, and for what a schema cannot say."""

OBJECTS = {  # kind: (required, optional); the value names the kind of what is below
    "log": ({"$schema": None, "version": None, "runs": ["run"]}, {}),
    "run": ({"tool": "tool", "results": ["result"]},
            {"invocations": ["invocation"], "columnKind": None, "properties": "any"}),
    "tool": ({"driver": "driver"}, {}),
    "driver": ({"name": None, "version": None, "semanticVersion": None, "rules": ["rule"]}, {}),
    "rule": ({"id": None, "shortDescription": "message", "defaultConfiguration": "any"}, {}),
    "invocation": ({"executionSuccessful": None},
                   {"toolExecutionNotifications": ["notification"]}),
    "notification": ({"level": None, "message": "message"}, {}),
    "message": ({"text": None}, {}),
    "result": ({"ruleId": None, "ruleIndex": None, "level": None, "kind": None,
                "message": "message", "locations": ["location"], "occurrenceCount": None,
                "partialFingerprints": "any", "properties": "any"},
               {"codeFlows": ["codeFlow"], "stacks": ["stack"], "relatedLocations": ["location"]}),
    "location": ({}, {"physicalLocation": "physical", "logicalLocations": ["logical"],
                      "message": "message", "id": None}),
    "physical": ({"artifactLocation": "artifact", "region": "region"}, {}),
    "artifact": ({"uri": None}, {}),
    "region": ({"startLine": None}, {"startColumn": None}),
    "logical": ({"name": None, "kind": None}, {}),
    "codeFlow": ({"message": "message", "threadFlows": ["threadFlow"]}, {}),
    "threadFlow": ({"id": None, "message": "message", "locations": ["flowLocation"]}, {}),
    "flowLocation": ({"location": "location", "executionOrder": None, "importance": None},
                     {"kinds": [None], "properties": "any"}),
    "stack": ({"message": "message", "frames": ["frame"]}, {}),
    "frame": ({"location": "location"}, {}),
}


def complaints(value, kind="log", path="$"):
    """What is wrong, as sentences."""
    if kind is None:
        if isinstance(value, (dict, list)):
            yield f"{path} must be a plain value"
    elif isinstance(kind, list):
        if not isinstance(value, list):
            yield f"{path} must be an array"
            return
        for i, item in enumerate(value):
            yield from complaints(item, kind[0], f"{path}[{i}]")
    elif not isinstance(value, dict):
        yield f"{path} must be an object"
    elif kind != "any":
        required, optional = OBJECTS[kind]
        for name in required.keys() - value.keys():
            yield f"{path} lacks {name}"
        for name, below in value.items():
            if name not in required and name not in optional:
                yield f"{path} has an unknown property {name}"
            else:
                expected = required[name] if name in required else optional[name]
                yield from complaints(below, expected, f"{path}.{name}")
        yield from SPECIAL.get(kind, lambda *_: ())(value, path)


def result_complaints(result, path):
    if result.get("level") not in ("none", "note", "warning", "error"):
        yield f"{path}.level"
    if result.get("occurrenceCount", 0) < 1:
        yield f"{path}.occurrenceCount"


def run_complaints(run, path):
    rules = run["tool"]["driver"]["rules"]
    for i, result in enumerate(run["results"]):
        if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            yield f"{path}.results[{i}].ruleIndex names another rule"


def flow_complaints(flow, path):
    orders = [place["executionOrder"] for thread in flow["threadFlows"]
              for place in thread["locations"]]
    steps = sorted(order for order in orders if orders.count(order) == 1)
    if len({thread["id"] for thread in flow["threadFlows"]}) != len(flow["threadFlows"]):
        yield f"{path}: two threads have one id"
    for thread in flow["threadFlows"]:
        own = [place["executionOrder"] for place in thread["locations"]]
        if own != sorted(own) or not own:
            yield f"{path}: the steps of thread {thread['id']} are not in order"
    if steps and steps[0] != 1:
        yield f"{path}: the first step is missing"


def region_complaints(region, path):
    if region["startLine"] < 1 or region.get("startColumn", 1) < 1:
        yield f"{path}: lines and columns are counted from 1"


SPECIAL = {"result": result_complaints, "run": run_complaints, "codeFlow": flow_complaints,
           "region": region_complaints}
