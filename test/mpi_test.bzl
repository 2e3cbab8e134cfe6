"""Tests of programs that run on several ranks."""

# One rank, few, more than most machines have cores, and no power of two.
RANKS = [1, 2, 3, 4, 8, 16, 33]

# What a variant of a test sets in the environment of all ranks.
VARIANTS = {
    # The kernel's single-copy calls are not used: large messages are streamed.
    "streamed": {"ATOLL_CMA": "off"},
    # Nothing is sent at once but what fits into a record.
    "lazy": {"ATOLL_EAGER_BYTES": "0"},
    # No message is kept that nobody has asked for: all wait at their senders.
    "unbuffered": {"ATOLL_UNEXPECTED_BYTES": "0"},
    # Everything is scarce.
    "scarce": {
        "ATOLL_RENDEZVOUS_RECORDS": "16",
        "ATOLL_UNEXPECTED_BYTES": "4096",
        "ATOLL_FRAGMENT_BYTES": "4096",
    },
    # Waiting ranks go to sleep without spinning.
    "sleeping": {"ATOLL_WAIT": "sleep"},
    # Slot by slot of the collective buffer, whatever the ranks and the data.
    "pipelined": {"ATOLL_ALGORITHMS": ",".join([
        "allgather=pipelined,alltoall=pipelined,bcast=pipelined,reduce=pipelined",
        "allreduce=pipelined",
    ])},
    # Each rank reduces a part for all.
    "partwise": {"ATOLL_ALGORITHMS": ",".join([
        "allgather=pipelined_if_near,alltoall=pipelined_if_near,reduce=reduce_scatter_gather",
        "allreduce=reduce_scatter_allgather",
    ])},
    # Up and down a tree, as among many ranks, which are not where their neighbours are.
    "hierarchical": {
        "ATOLL_ALGORITHMS": ",".join([
            "barrier=hierarchical,bcast=hierarchical,reduce=hierarchical,allreduce=hierarchical",
        ]),
        "ATOLL_PLACES": "2x2x2x4",
    },
    # Through no collective buffer.
    "messages": {"ATOLL_ALGORITHMS": ",".join([
        "barrier=dissemination,bcast=binomial,gather=linear,scatter=linear,allgather=linear",
        "alltoall=linear,reduce=binomial,allreduce=binomial,reduce_scatter=binomial,scan=linear",
    ])},
    # Memory for a few collective buffers, or for none: collectives go by messages.
    "few_buffers": {"ATOLL_COLLECTIVE_BYTES": "3000000"},
    "no_buffers": {"ATOLL_COLLECTIVE_BYTES": "0"},
    # Neighbouring ranks seem to be far from each other (runtime/comm/hardware.h).
    "far": {"ATOLL_PLACES": "2x2x2x4"},
}

def mpi_test(
        name,
        srcs,
        ranks = RANKS,
        variants = [],
        variant_ranks = [2, 4],
        deps = [],
        data = [],
        args = [],
        env = {},
        seconds = 60,
        size = "medium",
        tags = []):
    """A program that is run with each rank count, and again in variants.

    The program must print "ok N checks" (test/check.h) and nothing else on
    standard error.

    Args:
      name: of the test; each variant is another test, NAME_VARIANT.
      srcs: of the program.
      ranks: rank counts.
      variants: names out of VARIANTS.
      variant_ranks: rank counts of the variants.
      deps: of the program, besides MPI and test/check.h.
      data: files that are there when it runs.
      args: of the program.
      env: what it finds in the environment, besides what a variant sets.
      seconds: after which one run is ended.
      size: of each test, as for any test of Bazel.
      tags: of each test.
    """
    program = name + "_program"
    native.cc_binary(
        name = program,
        testonly = True,
        srcs = srcs,
        linkopts = ["-pthread"],
        deps = deps + [
            "//runtime:mpi_abi",
            "//test:check",
        ],
    )
    run_program(name, program, ranks, data, env, args, seconds, size, tags)
    for variant in variants:
        run_program(
            name + "_" + variant,
            program,
            variant_ranks,
            data,
            dict(env, **VARIANTS[variant]),
            args,
            seconds,
            size,
            tags,
        )

def run_program(
        name,
        program,
        ranks,
        data = [],
        env = {},
        args = [],
        seconds = 60,
        size = "medium",
        tags = []):
    """The test that runs a program, of whatever language, with each rank count."""
    native.py_test(
        name = name,
        size = size,
        srcs = ["//test:run_ranks.py"],
        main = "//test:run_ranks.py",
        args = [
            "--mpiexec=$(location //launcher:mpiexec)",
            "--ranks=" + ",".join([str(count) for count in ranks]),
            "--timeout=%d" % seconds,
        ] + ["'--env=%s=%s'" % setting for setting in env.items()] + [
            "--",
            "$(location %s)" % program,
        ] + args,
        data = data + [
            program,
            "//launcher:mpiexec",
        ],
        tags = tags,
    )
