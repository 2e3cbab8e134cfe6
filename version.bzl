"""The version of Atoll: the only place where it is written."""

ATOLL_VERSION = "0.1.0"
