"""The chapters of the API table: each has a file of entry points, for C and for Fortran."""

CHAPTERS = [
    "abi",
    "coll",
    "comm",
    "deprecated",
    "env",
    "external",
    "info",
    "io",
    "language",
    "p2p",
    "partitioned",
    "process",
    "removed",
    "rma",
    "tool",
    "topo",
    "types",
]
