"""Says how many tests of a Bazel run passed and failed: "N passed, M failed".

    count_tests.py EVENTS STATUS     the file of --build_event_json_file, Bazel's exit status

A test that could not be built, or did not run, has failed; so has the build when
Bazel failed though all tests passed. The status is 0 where nothing failed.
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


def verdict(tests, status):
    """The lines to print; the last one counts."""
    failed = sorted(label for label, passed in tests.items() if not passed)
    if status != 0 and not failed:
        failed = ["the build: something that is not a test"]
    passed = sum(tests.values())
    return [f"failed: {name}" for name in failed] + [f"{passed} passed, {len(failed)} failed"]


def main():
    with open(sys.argv[1]) as lines:
        tests = results(json.loads(line) for line in lines)
    lines = verdict(tests, int(sys.argv[2]))
    print("\n".join(lines))
    return 0 if len(lines) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
