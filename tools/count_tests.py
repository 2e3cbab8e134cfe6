"""Says how many tests of a Bazel run passed and failed: "N passed, M failed".

Reads the file of --build_event_json_file. A test that could not be built, or
did not run, has failed. The status is 1 where there was no test at all.
"""

import json
import sys


def results(events):
    """Label -> whether it passed, for every test that Bazel was asked to run."""
    tests = {}
    for event in events:
        name = event["id"]
        if "targetConfigured" in name and "testSize" in event.get("configured", {}):
            tests.setdefault(name["targetConfigured"]["label"], False)
        elif "testSummary" in name and "testSummary" in event:
            status = event["testSummary"]["overallStatus"]
            tests[name["testSummary"]["label"]] = status in ["PASSED", "FLAKY"]
    return tests


def main():
    with open(sys.argv[1]) as lines:
        tests = results(json.loads(line) for line in lines)
    for label in sorted(label for label, passed in tests.items() if not passed):
        print("failed:", label)
    passed = sum(tests.values())
    print(f"{passed} passed, {len(tests) - passed} failed")
    return 0 if tests else 1


if __name__ == "__main__":
    sys.exit(main())
