"""What ranks write arrives whole, labelled, and as fast as it is read."""

import collections
import os
import pty
import socket
import subprocess
import time
import unittest

from launcher import MPIEXEC, LauncherTest, eventually, mpiexec, running, scratch, sh

MOST_MEMORY = 60_000  # kB of mpiexec at its peak, far less than what passes through it

# Writes lines of many lengths, in pieces that do not end where lines do.
WRITER = r"""
import os, sys
rank = int(os.environ["PMI_RANK"])
text = b"".join(b"%d:%d:%s\n" % (rank, i, b"x" * (i * 37 % 311)) for i in range(int(sys.argv[1])))
step = 1000 + 77 * rank
for at in range(0, len(text), step):
    os.write(1, text[at:at + step])
"""


class Lines(LauncherTest):
    def check(self, text, ranks, count, label=False):
        """Every line of every rank is there, whole and in the order of its rank."""
        seen = collections.Counter()
        for line in text.splitlines():
            if label:
                name, _, line = line.partition(" ")
            rank, number, rest = line.split(":")
            self.assertEqual(int(number), seen[rank])
            self.assertEqual(rest, "x" * (int(number) * 37 % 311))
            if label:
                self.assertEqual(name, f"[{rank}]")
            seen[rank] += 1
        self.assertEqual(seen, {str(rank): count for rank in range(ranks)})

    def test_lines_are_never_mixed(self):
        self.check(self.succeeds("-n", 4, "python3", "-c", WRITER, 5000), 4, 5000)

    def test_labelled_lines_are_never_mixed(self):
        for option in ["-l", "--tag-output", "-prepend-rank"]:
            self.check(self.succeeds("-n", 3, option, "python3", "-c", WRITER, 1000), 3, 1000, True)

    def test_lines_into_a_file(self):
        path = scratch() / "out"
        with open(path, "w") as out:
            subprocess.run([MPIEXEC, "-n", "4", "python3", "-c", WRITER, "3000"], stdout=out,
                           check=True, timeout=100)
        self.check(path.read_text(), 4, 3000)

    def test_an_unfinished_last_line_is_flushed(self):
        self.assertEqual(self.succeeds("-n", 1, "printf", "no end"), "no end")
        self.assertEqual(self.succeeds("-n", 1, "-l", "printf", r"a\nno end"), "[0] a\n[0] no end")
        self.assertEqual(sorted(self.succeeds("-n", 3, "-l", "printf", "end").splitlines()),
                         ["[0] end", "[1] end", "[2] end"])

    def test_an_unfinished_line_of_a_rank_that_is_killed(self):
        done = mpiexec("-n", 2, *sh("[ $PMI_RANK = 1 ] && { printf last; kill -9 $$; }; true"))
        self.assertEqual((done.returncode, done.stdout), (137, "last"))

    def test_a_slow_line_is_one_line(self):
        out = self.succeeds("-n", 2, *sh("printf a; sleep 0.3; printf b; sleep 0.3; echo c"))
        self.assertEqual(out, "abc\nabc\n")

    def test_standard_error_is_apart_and_labelled(self):
        done = mpiexec("-n", 2, "-l", *sh("echo out; echo err >&2"))
        self.assertEqual(sorted(done.stdout.splitlines()), ["[0] out", "[1] out"])
        self.assertEqual(sorted(done.stderr.splitlines()), ["[0] err", "[1] err"])

    def test_both_into_one_file_stay_whole(self):
        done = subprocess.run([MPIEXEC, "-n", "4", *sh(
            "for i in 1 2 3 4 5 6 7 8 9; do printf out; printf err >&2; echo; echo >&2; done")],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
        self.assertEqual(collections.Counter(done.stdout.splitlines()), {"out": 36, "err": 36})

    def test_last_words_come_before_the_message(self):
        error = self.fails(3, "-n", 2, *sh("[ $PMI_RANK = 1 ] && { echo bye >&2; exit 3; }; exec sleep 9"))
        self.assertRegex(error, r"^bye\nmpiexec: rank 1 .* returned 3; .*\n$")

    def test_all_bytes_pass(self):
        data = bytes(range(256)) * 40
        path = scratch() / "data"
        path.write_bytes(data)
        for ranks in [1, 2]:
            done = subprocess.run([MPIEXEC, "-n", str(ranks), *sh(
                f"[ $PMI_RANK = 0 ] && cat {path}; true")], capture_output=True, timeout=100)
            self.assertEqual(done.stdout, data)

    def test_a_huge_line_passes_in_bounded_memory(self):
        size = 200_000_000
        script = (f"[ $PMI_RANK = 1 ] || head -c {size} /dev/zero; "
                  "sed -n 's/VmHWM:\\s*//p' /proc/$PPID/status >&2")
        done = subprocess.run(["bash", "-c", '"$@" | wc -c', "-", MPIEXEC, "-n", "2", *sh(script)],
                              capture_output=True, text=True, timeout=100)
        self.assertEqual(int(done.stdout), size)
        peaks = [int(line.split()[0]) for line in done.stderr.splitlines()]
        self.assertEqual(len(peaks), 2)
        self.assertLess(max(peaks), MOST_MEMORY)


class Merged(LauncherTest):
    def test_lines_in_common_come_once(self):
        out = self.succeeds("-n", 4, "--merge", *sh(
            "[ $PMI_RANK = 2 ] && odd='odd\n'; printf \"start\n${odd}half $((PMI_RANK % 2))\nend\""))
        self.assertEqual(out, "[0-3] start\n[1,3] half 1\n[2] odd\n[0,2] half 0\n[0-3] end\n")

    def test_standard_error_is_merged_apart(self):
        done = subprocess.run([MPIEXEC, "-n", "3", "--merge", *sh("echo out; echo err >&2")],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=100)
        self.assertEqual(sorted(done.stdout.splitlines()), ["[0-2] err", "[0-2] out"])

    def test_a_line_comes_though_others_say_nothing(self):
        silent = sh("[ $PMI_RANK = 0 ] && echo alone; exec sleep 100")
        with running("-n", 2, "--merge", *silent) as job:
            self.assertEqual(job.stdout.readline(), "[0] alone\n")

    def test_time_of_each_line(self):
        for words in [["--timestamp-output", "-l"], ["--output", "tag,timestamp"]]:
            for line in self.lines("-n", 2, *words, "echo", "x"):
                self.assertRegex(line, r"^\d\d:\d\d:\d\d\.\d{3} \[[01]\] x$")


class Readers(LauncherTest):
    def test_a_reader_that_waits_makes_the_ranks_wait(self):
        with running("-n", 2, "yes", "x" * 100) as job:
            job.stdout.readline()
            time.sleep(1)  # nobody reads
            with open(f"/proc/{job.pid}/status") as status:
                peak = [line for line in status if line.startswith("VmHWM")]
            self.assertLess(int(peak[0].split()[1]), MOST_MEMORY)
            job.terminate()
            job.stdout.read()
            job.wait(60)

    def test_a_reader_that_leaves_ends_the_job_quietly(self):
        for ranks in [1, 3]:
            script = f'{MPIEXEC} -n {ranks} yes; echo $? >&2'
            done = subprocess.run(["bash", "-c", f"({script}) | head -n 2"], capture_output=True,
                                  text=True, timeout=100)
            self.assertEqual((done.stdout, done.stderr), ("y\ny\n", "141\n"))

    def test_ranks_that_do_not_write_go_on_without_a_reader(self):
        path = scratch() / "finished"
        writer = "trap '' PIPE; yes 2>&-; true"  # returns 0 though its reader left
        other = f"sleep 1; touch {path}"
        script = f'{MPIEXEC} sh -c "{writer}" : sh -c "{other}" | head -n 1'
        subprocess.run(["bash", "-c", script], check=True, timeout=100, stdout=subprocess.DEVNULL)
        eventually(path.exists, "rank 1 finishes")

    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([MPIEXEC, "-n", "2", "echo", "x"], stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=100)
        self.assertEqual((done.returncode, done.stderr), (
            1, "mpiexec: cannot write standard output: No space left on device\n"))

    def test_signals_are_heard_while_nobody_reads(self):
        with running("-n", 2, "yes") as job:
            job.stdout.readline()
            time.sleep(0.3)

            def ends():
                job.terminate()  # the ranks end, then mpiexec, which still has something to say
                return job.poll() is not None
            eventually(ends, "mpiexec ends")

    def test_closed_standard_streams(self):
        path = scratch() / "out"
        subprocess.run(["bash", "-c", f"{MPIEXEC} -n 2 sh -c 'echo $PMI_RANK >> {path}' <&- >&- 2>&-"],
                       check=True, timeout=100)
        self.assertEqual(sorted(path.read_text().split()), ["0", "1"])


class Files(LauncherTest):
    def test_each_rank_has_its_files(self):
        base = scratch() / "run"
        self.assertEqual(self.succeeds("-n", 3, "--output-filename", base,
                                       *sh("echo out $PMI_RANK; echo err $PMI_RANK >&2")), "")
        for rank in range(3):
            self.assertEqual((base.parent / f"run.{rank}.out").read_text(), f"out {rank}\n")
            self.assertEqual((base.parent / f"run.{rank}.err").read_text(), f"err {rank}\n")
        self.assertEqual(len(list(base.parent.iterdir())), 6)

    def test_a_folder_for_all(self):
        folder = scratch() / "made"
        self.assertEqual(self.succeeds("-n", 2, "--output", f"dir={folder}",
                                       *sh("echo out $PMI_RANK; echo err $PMI_RANK >&2")), "")
        for rank in range(2):
            files = folder / "1" / f"rank.{rank}"
            self.assertEqual((files / "stdout").read_text(), f"out {rank}\n")
            self.assertEqual((files / "stderr").read_text(), f"err {rank}\n")

    def test_files_that_cannot_be_written(self):
        base = scratch() / "file" / "x"
        base.parent.write_text("")
        error = self.fails(1, "-n", 2, "--output-filename", base, "true")
        self.assertEqual(error, f"mpiexec: cannot write '{base}.0.out': Not a directory\n")

    def test_patterns_name_files_and_labels(self):
        folder = scratch()
        script = sh("echo out $PMI_RANK; echo err >&2")
        done = mpiexec("-n", 2, "-outfile-pattern", folder / "o.%h.%r", *script)
        self.assertEqual((done.stdout, done.stderr), ("", "err\nerr\n"))
        for rank in range(2):
            self.assertEqual((folder / f"o.{socket.gethostname()}.{rank}").read_text(),
                             f"out {rank}\n")
        self.assertEqual(self.lines("-n", 2, "-errfile-pattern", folder / "e", *script),
                         ["out 0", "out 1"])
        self.assertEqual((folder / "e").read_text(), "err\nerr\n")  # one file of all
        self.assertEqual(self.lines("-n", 2, "-prepend-pattern", "%r|%%|", "echo", "x"),
                         ["0|%|x", "1|%|x"])


class OneRank(LauncherTest):
    """A job of one rank is like the program without mpiexec."""

    def at_a_terminal(self, *command):
        """What comes out at a terminal to which "in" is typed, and the status."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.execvp(command[0], command)
        os.write(terminal, b"in\n")
        text = b""
        try:
            while chunk := os.read(terminal, 4096):
                text += chunk
        except OSError:
            pass  # the terminal has been hung up
        os.close(terminal)
        return text.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def test_it_is_at_the_terminal(self):
        program = ["python3", "-c", "import os, sys; print([os.isatty(i) for i in range(3)], "
                   "input()); sys.exit(7)"]
        plain = self.at_a_terminal(*program)
        self.assertIn("[True, True, True] in", plain[0])
        text, status = self.at_a_terminal(MPIEXEC, "-n", "1", *program)
        self.assertEqual(text.splitlines()[:2], plain[0].splitlines()[:2])
        self.assertEqual(status, plain[1])

    def test_what_it_writes_and_returns_is_the_same(self):
        for script in ["cat; printf 'no end'", "echo out; echo err >&2; echo out; exit 3",
                       "[ -t 0 ] || echo none; exec 1>&-; echo lost; exit 0"]:
            settings = {"input": "text\nmore", "text": True, "timeout": 100,
                        "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
            plain = subprocess.run(sh(script), **settings)
            launched = subprocess.run([MPIEXEC, "-n", "1", *sh(script)], **settings)
            self.assertTrue(launched.stdout.startswith(plain.stdout), launched.stdout)
            self.assertEqual(launched.returncode, plain.returncode)

    def test_it_has_the_streams_of_mpiexec_itself(self):
        read, write = os.pipe()
        done = subprocess.run([MPIEXEC, "-n", "1", "readlink", "/proc/self/fd/1"], stdout=write,
                              timeout=100)
        os.close(write)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(os.read(read, 1000).decode().strip(), f"pipe:[{os.fstat(read).st_ino}]")
        os.close(read)


if __name__ == "__main__":
    unittest.main()
