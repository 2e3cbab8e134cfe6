"""What ranks start with: program, folder, environment, cores, descriptors."""

import contextlib
import fcntl
import json
import os
import re
import socket
import subprocess
import unittest

from launcher import FAKE_RANK, MPIEXEC, LauncherTest, running, scratch, sh

CORES = "import os; print(os.environ['PMI_RANK'], sorted(os.sched_getaffinity(0)))"
ALLOWED = sorted(os.sched_getaffinity(0))


class Programs(LauncherTest):
    def test_ranks_know_who_they_are(self):
        variables = "PMI_RANK PMI_SIZE MPI_LOCALRANKID MPI_LOCALNRANKS ATOLL_RANK"
        script = " ".join(f"${name}" for name in variables.split())
        self.assertEqual(self.lines("-n", 3, *sh(f"echo {script}")),
                         ["0 3 0 3 0", "1 3 1 3 1", "2 3 2 3 2"])

    def test_several_programs_are_one_job(self):
        out = self.lines("-n", 2, *sh("echo a $PMI_RANK $PMI_SIZE $0 $1"), "zero", "one", ":",
                         *sh("echo b $PMI_RANK $PMI_SIZE"), ":", "-n", 1, "echo", "c")
        self.assertEqual(out, ["a 0 4 zero one", "a 1 4 zero one", "b 2 4", "c"])

    def test_slots_know_their_part(self):
        out = self.lines("-n", 2, FAKE_RANK, "shows", ":", FAKE_RANK, "shows")
        self.assertEqual([re.search(r"size 3 flags \d+ app (\d)", line)[1] for line in out],
                         ["0", "0", "1"])

    def test_arguments_arrive_untouched(self):
        words = ["a b", "", "-n", "--help", "'", '"', "\\", "*", "é"]
        out = self.succeeds("-n", 1, "python3", "-c",
                            "import json, sys; print(json.dumps(sys.argv[1:]))", *words)
        self.assertEqual(json.loads(out), words)

    def test_folder(self):
        folder = scratch()
        (folder / "here.sh").write_text("#!/bin/sh\npwd\n")
        (folder / "here.sh").chmod(0o755)
        for option in ["-wdir", "--wdir", "-wd"]:
            self.assertEqual(self.succeeds("-n", 2, option, folder, "pwd"), f"{folder}\n" * 2)
        self.assertEqual(self.succeeds("-n", 1, "-wdir", folder, "./here.sh"), f"{folder}\n")
        self.assertEqual(self.fails(126, "-n", 2, "-wdir", "/no/such", "true"),
                         "mpiexec: cannot change to the folder '/no/such': No such file or directory\n")
        self.assertEqual(self.fails(127, "-wdir", folder, "./foo"),
                         f"mpiexec: cannot run './foo': No such file or directory in {folder}\n")

    def test_search_path(self):
        folder = scratch()
        program = folder / "only-here"
        program.write_text("#!/bin/sh\necho found\n")
        program.chmod(0o755)
        self.assertEqual(self.succeeds("-path", f"/nowhere:{folder}", "only-here"), "found\n")
        self.assertIn("not found in -path, PATH or this folder",
                      self.fails(127, "-path", "/nowhere", "only-here"))
        # Without "./" too, as long as PATH has no such program.
        self.assertEqual(self.succeeds("only-here", cwd=folder), "found\n")

    def test_scripts_without_an_interpreter(self):
        program = scratch() / "script"
        program.write_text('echo "$0 $1"\n')
        program.chmod(0o755)
        self.assertEqual(self.succeeds(program, "x"), f"{program} x\n")
        program.write_text("#!/no/such/interpreter\n")
        self.assertIn("the file is there, but not the interpreter", self.fails(127, program))

    def test_environment(self):
        environment = {**os.environ, "INHERITED": "i", "CHANGED": "old"}
        out = self.lines("-n", 1, "-genv", "G", "g 1", "-env", "E", "e", "-x", "X=x", "-x", "INHERITED",
                         "-genv", "CHANGED=new", *sh('echo "0 $G $E $X $INHERITED $CHANGED"'), ":",
                         *sh('echo "1 $G $E $X $INHERITED $CHANGED"'), env=environment)
        self.assertEqual(out, ["0 g 1 e x i new", "1 g 1  x i new"])

    def test_inherited_variables_can_be_listed(self):
        environment = {"PATH": os.environ["PATH"], "ONE": "1", "TWO": "2", "THREE": "3"}
        script = sh('echo "$PMI_RANK $ONE$TWO$THREE"')
        out = self.lines("-genvlist", "ONE,TWO", "-n", 1, *script, ":", "-envlist", "THREE", *script,
                         ":", "-envall", *script, ":", "-envnone", "-env", "ONE", "x", *script,
                         env=environment)
        self.assertEqual(out, ["0 12", "1 3", "2 123", "3 x"])

    def test_commands_around_ranks(self):
        out = self.lines("-n", 3, "--wrap", "env W=w:0,2", "--wrap", "sh -c 'echo in; exec \"$@\"' -:2",
                         *sh("echo $PMI_RANK $W"))
        self.assertEqual(out, ["0 w", "1", "2 w", "in"])
        self.assertIn("no-such-tool", self.fails(127, "-n", 2, "--wrap", "no-such-tool:1", "true"))

    def test_size_of_the_universe(self):
        self.assertEqual(self.succeeds("-usize", 12, FAKE_RANK, "universe"), "12\n")
        self.assertEqual(self.succeeds(FAKE_RANK, "universe"), f"{len(ALLOWED)}\n")

    def test_soft_counts(self):
        self.assertEqual(self.succeeds("-n", 5, "-soft", "2:9:2", "echo", "x"), "x\n" * 4)

    def test_mpiexec_within_mpiexec(self):
        inner = f"{MPIEXEC} -n 2 {FAKE_RANK} shows"
        middle = f"{MPIEXEC} -n 2 sh -c '{inner}'"
        out = self.lines("-n", 2, *sh(middle))
        self.assertEqual(len(out), 8)
        for line in out:
            self.assertRegex(line, "^size 2 ")

    def test_ranks_inherit_only_the_segment(self):
        for rank in self.lines("-n", 3, *sh("echo $(ls /proc/self/fd | wc -l)")):
            self.assertEqual(rank, "5")  # the streams, the segment, and what ls opens
        for ranks in [1, 3]:
            out = self.succeeds("-n", ranks, *sh("readlink /proc/self/fd/* | grep -c memfd:atoll"))
            self.assertEqual(out.split(), ["1"] * ranks)

    def test_many_ranks_need_no_higher_limit_of_descriptors(self):
        script = f"ulimit -Sn 100; exec {MPIEXEC} -n 64 sh -c 'ulimit -Sn'"
        done = subprocess.run(sh(script), capture_output=True, text=True, timeout=100)
        self.assertEqual((done.stdout, done.stderr), ("100\n" * 64, ""))


class Hosts(LauncherTest):
    def test_this_node_is_accepted(self):
        file = scratch() / "hosts"
        file.write_text(f"# comment\nlocalhost slots=2\n{socket.gethostname()}:3\n")
        for words in [["-host", "localhost"], ["-hosts", "127.0.0.1:4,::1"],
                      ["-H", socket.gethostname()], ["--hostfile", file], ["-machinefile", file],
                      ["-f", file]]:
            self.assertEqual(self.succeeds(*words, "-n", 2, "echo", "x"), "x\nx\n")

    def test_other_machines_are_refused(self):
        file = scratch() / "hosts"
        file.write_text("localhost\nelsewhere.invalid\n")
        for words in [["-host", "elsewhere.invalid"], ["-hosts", "localhost,elsewhere.invalid"],
                      ["--hostfile", file]]:
            error = self.fails(2, *words, "-n", 2, "true")
            self.assertIn("'elsewhere.invalid' is another machine, and Atoll runs on one node", error)

    def test_no_socket_and_no_name_is_looked_up(self):
        trace = scratch() / "trace"
        subprocess.run(["strace", "-f", "-e", "trace=socket,connect,openat", "-o", trace, MPIEXEC, "-n",
                        "2", "-host", "localhost", "true"], check=True, timeout=100)
        text = trace.read_text()
        self.assertIn("openat", text)
        for word in ["socket(", "connect(", "resolv.conf", "nsswitch.conf", "/etc/hosts"]:
            self.assertNotIn(word, text)


def own_node():
    """A folder for leases: as on a node where no other job runs."""
    folder = scratch()
    for cpu in ALLOWED:
        (folder / f"cpu{cpu}").mkdir()
    return folder


class Cores(LauncherTest):
    def affinities(self, *words, prefix=()):
        done = subprocess.run([*prefix, MPIEXEC, *map(str, words), "python3", "-c", CORES],
                              capture_output=True, text=True, timeout=100,
                              env={**os.environ, "ATOLL_LEASES": str(own_node())})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = {}
        for line in done.stdout.splitlines():
            rank, _, cpus = line.partition(" ")
            found[int(rank)] = json.loads(cpus)
        return found

    def test_more_ranks_than_cores_are_not_bound(self):
        found = self.affinities("-n", len(ALLOWED) + 1)
        self.assertEqual(found, {rank: ALLOWED for rank in range(len(ALLOWED) + 1)})

    def test_ranks_have_cores_of_their_own(self):
        if len(ALLOWED) < 2:
            self.skipTest("one processing unit")
        for words in [["--bind-to", "hwthread"], ["--bind-to=hwthread", "--map-by", "core"]]:
            found = self.affinities("-n", 2, *words)
            self.assertEqual([len(found[0]), len(found[1])], [1, 1])
            self.assertNotEqual(found[0], found[1])

    def test_binding_stays_within_what_is_allowed(self):
        last = ALLOWED[-1]
        for words in [["--bind-to", "core"], ["--bind-to", "socket"], ["--bind-to", "none"], []]:
            found = self.affinities("-n", 1, *words, prefix=["taskset", "-c", str(last)])
            self.assertEqual(found, {0: [last]})
        found = self.affinities("-n", 3, prefix=["taskset", "-c", str(last)])
        self.assertEqual(found, {rank: [last] for rank in range(3)})

    def test_a_list_is_dealt_out(self):
        first, last = ALLOWED[0], ALLOWED[-1]
        found = self.affinities("-n", 3, "--bind-to", f"list:{last},{first}")
        self.assertEqual(found, {0: [last], 1: [first], 2: [last]})

    def test_a_list_may_only_name_what_is_allowed(self):
        first = ALLOWED[0]
        error = self.fails(1, "-n", 2, "--bind-to", f"list:{first},{first}+8000", "true")
        self.assertRegex(error, "^mpiexec: --bind-to list: rank 1 cannot have processing unit 8000: "
                         r"the job may use [\d,-]+\n$")
        self.succeeds("-n", 1, "--bind-to", f"list:{first},8000", "true")  # nobody gets that

    def test_ranks_for_each_object(self):
        out = self.succeeds("--map-by", "ppr:2:core", "echo", "x")
        self.assertGreaterEqual(len(out.split()), 2)
        self.assertEqual(len(out.split()) % 2, 0)

    def test_slots_say_where_ranks_are(self):
        out = self.succeeds("-n", 1, "--bind-to", "hwthread", FAKE_RANK, "shows",
                            env={**os.environ, "ATOLL_LEASES": "off"})
        self.assertRegex(out, r"pu \d+ core \d+ package -?\d+")
        out = self.succeeds("-n", 1, "--bind-to", "none", FAKE_RANK, "shows")
        self.assertRegex(out, "pu -1 core -1 package -1")

    def test_slots_say_whether_cores_are_shared(self):
        crowd = len(ALLOWED) + 1
        self.assertEqual(set(re.findall(r"flags (\d+)", self.succeeds("-n", crowd, FAKE_RANK, "shows"))),
                         {"2"})
        self.assertIn("flags 0 ", self.succeeds("-n", 1, FAKE_RANK, "shows"))

    def test_report_draws_the_node(self):
        done = subprocess.run([MPIEXEC, "-n", "1", "--bind-to", "core", "--report-bindings", "true"],
                              capture_output=True, text=True, timeout=100,
                              env={**os.environ, "ATOLL_LEASES": "off"})
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertRegex(done.stderr, r"^1 rank on \d+ cores? with ")
        self.assertRegex(done.stderr, r"\n  .*[\[(] *0 *[\])]")
        self.assertRegex(done.stderr, r"\nrank 0: core \d+, cpus? [\d,-]+\n$")


class DryRun(LauncherTest):
    """Ranks are drawn where they would be placed; dry_run_test.cc compares with hwloc."""

    def test_this_machine(self):
        file = scratch() / "made"
        alone = {"env": {**os.environ, "ATOLL_LEASES": "off"}}
        out = self.succeeds("--dry-run", "-n", 1, "--bind-to", "core", "touch", file, **alone)
        self.assertRegex(out, r"^1 rank on \d+ cores? with .*\n(.*\n)*rank 0: core \d+, cpus? [\d,-]+\n$")
        self.assertFalse(file.exists())  # nothing was started
        self.assertEqual(self.succeeds("--do-not-launch", "-n", 1, "no-such-program", **alone),
                         self.succeeds("--dry-run", **alone))

    def test_another_machine_needs_no_leave(self):
        """Neither the affinity mask nor other jobs of this machine matter there."""
        words = [MPIEXEC, "--dry-run", "-n", "64", "--topology", "package:2 core:32 pu:1"]
        done = subprocess.run(["taskset", "-c", str(ALLOWED[-1]), *words], capture_output=True,
                              text=True, timeout=100)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.endswith("\nrank 63: core 63, cpu 63\n"))
        self.assertIn("rank 1 cannot have processing unit 4: the job may use 0-3",
                      self.fails(1, "--dry-run", "-n", 2, "--topology", "core:4 pu:1", "--bind-to",
                                 "list:0,4"))

    def test_ranks_are_not_started_on_another_machine(self):
        file = scratch() / "made"
        for words, variables, name in [
                (["--topology", "core:2 pu:1"], {}, "--topology"),
                ([], {"HWLOC_SYNTHETIC": "core:2 pu:1"}, "HWLOC_SYNTHETIC")]:
            self.assertEqual(self.fails(1, *words, "touch", file, env={**os.environ, **variables}), (
                f"mpiexec: {name} names a machine that is not this one: with --dry-run mpiexec shows "
                "where ranks would be placed there, but they cannot be started (HWLOC_THISSYSTEM=1 "
                "says that it is this one)\n"))
            self.assertFalse(file.exists())

    def test_a_description_may_be_of_this_machine(self):
        """As with a file that saves hwloc's discovery: binding stays within what is allowed."""
        cpus = ALLOWED[-1] + 1
        out = self.succeeds("-n", 1, "--topology", f"core:{cpus} pu:1", "--bind-to", "core", "python3",
                            "-c", CORES, env={**os.environ, "HWLOC_THISSYSTEM": "1",
                                              "ATOLL_LEASES": str(own_node())})
        self.assertEqual(out, f"0 [{ALLOWED[0]}]\n")

    def test_what_is_no_machine(self):
        self.assertEqual(self.fails(1, "--dry-run", "--topology", "foo"),
                         "mpiexec: --topology: 'foo' is neither a file nor a synthetic topology of "
                         "hwloc, such as 'package:2 core:4 pu:2'\n")
        self.assertEqual(self.fails(1, "-n", 1, "--topology", "/dev/null", "true"),
                         "mpiexec: --topology: '/dev/null' cannot be read as a topology in hwloc's "
                         "XML format\n")
        self.assertEqual(self.fails(1, "-n", 1, "true", env={**os.environ, "HWLOC_XMLFILE": "/none"}),
                         "mpiexec: HWLOC_XMLFILE: '/none' cannot be read as a topology in hwloc's "
                         "XML format\n")

    def test_ranks_do_not_inherit_what_hwloc_is_told(self):
        for before in [{}, {"HWLOC_PLUGINS_PATH": "/somewhere"}]:
            out = self.succeeds("-n", 1, "--bind-to", "core", *sh("echo ${HWLOC_PLUGINS_PATH-unset}"),
                                env={**os.environ, **before})
            self.assertEqual(out, before.get("HWLOC_PLUGINS_PATH", "unset") + "\n")


class OtherJobs(LauncherTest):
    """Jobs on one node do not land on the same cores."""

    CORES = "import os; print(sorted(os.sched_getaffinity(0)), flush=True); input()"

    def setUp(self):
        self.leases = own_node()
        self.jobs = contextlib.ExitStack()
        self.addCleanup(self.jobs.close)

    def start(self, *words):
        """A job of one rank that waits for a line, and its cores."""
        job = self.jobs.enter_context(
            running("-n", 1, *words, "python3", "-c", self.CORES, stdin=subprocess.PIPE,
                    env={**os.environ, "ATOLL_LEASES": str(self.leases)}))
        return job

    def cores_of(self, job):
        return json.loads(job.stdout.readline())

    def finish(self, job):
        job.communicate("\n", timeout=60)
        self.assertEqual(job.returncode, 0)

    def test_jobs_started_together_are_disjoint(self):
        if len(ALLOWED) < 2:
            self.skipTest("one processing unit")
        jobs = [self.start("--bind-to", "core") for _ in ALLOWED]
        cores = [self.cores_of(job) for job in jobs]
        bound = [cpus for cpus in cores if cpus != ALLOWED]
        # Each is there once, and none is left: a core may have several of them.
        self.assertEqual(sorted(sum(bound, [])), ALLOWED)

    def test_where_nothing_is_free_nothing_is_bound(self):
        self.cores_of(self.start("--bind-to", "list:" + "+".join(map(str, ALLOWED * 2))))
        late = self.start("--bind-to", "core")
        self.assertEqual(self.cores_of(late), ALLOWED)
        named = self.start("--bind-to", f"list:{ALLOWED[0]}")  # its user knows better
        self.assertEqual(self.cores_of(named), [ALLOWED[0]])

    def test_a_job_that_ends_or_is_killed_gives_its_cores_back(self):
        for end in [self.finish, lambda job: (job.kill(), job.wait())]:
            first = self.start("--bind-to", "core")
            cores = self.cores_of(first)
            end(first)
            again = self.start("--bind-to", "core")
            self.assertEqual(self.cores_of(again), cores)
            self.finish(again)

    def test_in_a_container_ranks_are_bound_only_when_told(self):
        """A network namespace has leases of its own: others may be anywhere."""
        container = ["unshare", "--net"]
        if subprocess.run([*container, "true"], capture_output=True).returncode != 0:
            self.skipTest("this kernel gives us no network namespace")
        if len(ALLOWED) < max(2, os.cpu_count()):
            self.skipTest("not all processing units are allowed")
        settings = {"capture_output": True, "text": True, "timeout": 100,
                    "env": {**os.environ, "ATOLL_LEASES": str(self.leases)}}
        for words, count in [([], len(ALLOWED)), (["--bind-to", "hwthread"], 1)]:
            done = subprocess.run([*container, MPIEXEC, "-n", "2", *words, "python3", "-c",
                                   "import os; print(len(os.sched_getaffinity(0)))"], **settings)
            self.assertEqual((done.returncode, done.stdout), (0, f"{count}\n" * 2))

    def test_the_kernel_s_folder_serves_all_users(self):
        """What others lock, a job is not bound to; they need no right but to read."""
        with contextlib.ExitStack() as locks:
            for cpu in ALLOWED:
                file = os.open(f"/sys/devices/system/cpu/cpu{cpu}", os.O_RDONLY)
                locks.callback(os.close, file)
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    pass  # another job has it now
            out = self.succeeds("-n", 1, "--bind-to", "core", "python3", "-c", CORES)
            self.assertEqual(out, f"0 {ALLOWED}\n")


class Information(LauncherTest):
    def test_questions(self):
        self.assertRegex(self.succeeds("--version"), r"^atoll \d+\.\d+\.\d+\n")
        self.assertEqual(self.succeeds("-V"), self.succeeds("--version"))
        self.assertIn("--bind-to", self.succeeds("--help"))
        self.assertIn(".Dt MPIEXEC 1", self.succeeds("--man"))
        self.assertIn(f"\nhost: {socket.gethostname()}\ncores: ", self.succeeds("-info"))

    def test_verbose_tells_start_and_end(self):
        done = subprocess.run([MPIEXEC, "-n", "2", "-v", "true"], capture_output=True, text=True,
                              timeout=100)
        self.assertEqual(len(re.findall(r"mpiexec: rank \d is true, pid \d+, ", done.stderr)), 2)
        self.assertEqual(len(re.findall(r"mpiexec: rank \d \(true, pid \d+\) returned 0", done.stderr)), 2)


if __name__ == "__main__":
    unittest.main()
