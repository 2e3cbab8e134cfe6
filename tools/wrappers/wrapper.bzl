"""Makes a compiler wrapper out of mpicc.in."""

load("//:version.bzl", "ATOLL_VERSION")

def compiler_wrapper(name, language, variable, compiler):
    """A script `name` around a compiler.

    Args:
      name: of the wrapper
      language: as people write it
      variable: CC, CXX, FC or F77: the usual name for the compiler; the wrapper's own
        are ATOLL_CC and -cc= made from it
      compiler: the command that is called unless the user names another
    """
    words = {
        "NAME": name,
        "LANGUAGE": language,
        "CC": variable,
        "cc": variable.lower(),
        "COMPILER": compiler,
        "VERSION": ATOLL_VERSION,
    }
    edits = ["-e 's/@%s@/%s/g'" % word for word in words.items()]
    native.genrule(
        name = name + "_script",
        srcs = ["mpicc.in"],
        outs = [name],
        cmd = "sed %s $< > $@" % " ".join(edits),
        executable = True,
    )
