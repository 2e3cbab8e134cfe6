"""What ./check says at its end."""

import unittest

from tools import count_tests


def configured(label):
    return {"id": {"targetConfigured": {"label": label}}, "configured": {"testSize": "SMALL"}}


def summary(label, status):
    return {"id": {"testSummary": {"label": label}}, "testSummary": {"overallStatus": status}}


LIBRARY = {"id": {"targetConfigured": {"label": "//:library"}}, "configured": {}}


class CountTestsTest(unittest.TestCase):

    def test_counts_tests_only(self):
        tests = count_tests.results(
            [LIBRARY, configured("//:a"), summary("//:a", "PASSED"), configured("//:b"),
             summary("//:b", "FLAKY")])
        self.assertEqual(count_tests.verdict(tests, 0), ["2 passed, 0 failed"])

    def test_everything_else_has_failed(self):
        for status in ["FAILED", "TIMEOUT", "NO_STATUS", "INCOMPLETE", "FAILED_TO_BUILD"]:
            tests = count_tests.results([configured("//:a"), summary("//:a", status)])
            self.assertEqual(count_tests.verdict(tests, 3), ["failed: //:a", "0 passed, 1 failed"])

    def test_a_test_that_never_ran_has_failed(self):
        tests = count_tests.results([configured("//:a")])
        self.assertEqual(count_tests.verdict(tests, 1)[-1], "0 passed, 1 failed")

    def test_a_broken_build_has_failed_even_when_all_tests_passed(self):
        tests = count_tests.results([configured("//:a"), summary("//:a", "PASSED")])
        self.assertEqual(count_tests.verdict(tests, 1)[-1], "1 passed, 1 failed")


if __name__ == "__main__":
    unittest.main()
