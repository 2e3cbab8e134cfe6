#!/bin/sh
# The manual pages are free of mistakes, and there are some.
set -eu
[ -s docs/man/mpicc.1 ] && [ -s docs/man/mpiexec.1 ]
mandoc -T lint -W warning docs/man/*.1
