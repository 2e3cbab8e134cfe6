"""docs/coverage.md agrees with the table."""

import pathlib
import unittest

HERE = pathlib.Path(__file__).parent


class CoverageDocTest(unittest.TestCase):

    def test_is_up_to_date(self):
        checked_in = (HERE.parents[1] / "docs/coverage.md").read_text(encoding="utf-8")
        generated = (HERE / "coverage.md").read_text(encoding="utf-8")
        self.assertEqual(checked_in, generated,
                         "run: bazel run //runtime/api:update_coverage")


if __name__ == "__main__":
    unittest.main()
