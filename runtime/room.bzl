"""Rooms of the runtime (docs/design.md): a folder, its library, its unit tests."""

def room(name, deps):
    """The library of a folder and a test for each of its files *_test.cc.

    Args:
      name: of the folder and the library.
      deps: the rooms below it that it uses; all use mpi.h.
    """
    native.cc_library(
        name = name,
        srcs = native.glob(
            ["*.cc"],
            exclude = ["*_test.cc"],
        ),
        hdrs = native.glob(["*.h"]),
        visibility = [
            "//bench:__pkg__",
            "//runtime:__subpackages__",
            "//test:__subpackages__",
        ],
        deps = deps + ["//runtime/api:mpi_header"],
    )
    for test in native.glob(["*_test.cc"]):
        native.cc_test(
            name = test[:-len(".cc")],
            size = "small",
            srcs = [test],
            deps = [":" + name],
        )
