#!/bin/sh
# Brings docs/coverage.md up to date: bazel run //runtime/api:update_coverage
set -eu

if [ -z "${BUILD_WORKSPACE_DIRECTORY:-}" ]; then
  echo "update_coverage: run it as: bazel run //runtime/api:update_coverage" >&2
  exit 1
fi
install -m 644 runtime/api/coverage.md "$BUILD_WORKSPACE_DIRECTORY/docs/coverage.md"
