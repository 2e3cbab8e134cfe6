"""Layers of the runtime and the launcher (docs/design.md): a folder, its library, its tests."""

_VISIBLE_TO = {
    "launcher": ["//launcher:__subpackages__"],
    "runtime": [
        "//bench:__pkg__",
        "//runtime:__subpackages__",
        "//test:__subpackages__",
    ],
}
_ALL_USE = {
    "launcher": [],
    "runtime": ["//runtime/api:mpi_header"],
}

# doctest's main; the tests of the runtime have their own.
_TESTS_USE = {
    "launcher": ["//shm:testing"],
    "runtime": [],
}

def layer(name, deps, folders = [], local_defines = [], linkopts = [], test_deps = []):
    """The library of a folder and a test for each of its files *_test.cc.

    Args:
      name: of the folder and the library.
      deps: the layers below it that it uses.
      folders: inside it, whose files belong to the library.
      local_defines: for the library alone.
      linkopts: of what contains the library.
      test_deps: what its tests use besides it.
    """
    top = native.package_name().split("/")[0]
    inside = [""] + [folder + "/" for folder in folders]
    tests = [folder + "*_test.cc" for folder in inside]
    native.cc_library(
        name = name,
        srcs = native.glob(
            [folder + "*.cc" for folder in inside],
            exclude = tests,
        ),
        hdrs = native.glob([folder + "*.h" for folder in inside]),
        linkstatic = top == "launcher",  # otherwise it is compiled twice; the runtime is a shared library
        linkopts = linkopts,
        local_defines = local_defines,
        visibility = _VISIBLE_TO[top],
        deps = deps + _ALL_USE[top],
    )
    for test in native.glob(tests):
        native.cc_test(
            name = test.split("/")[-1][:-len(".cc")],
            size = "small",
            srcs = [test],
            deps = [":" + name] + _TESTS_USE[top] + test_deps,
        )
