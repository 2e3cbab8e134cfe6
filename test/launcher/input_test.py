"""Who reads the standard input of mpiexec."""

import subprocess
import unittest

from launcher import MPIEXEC, LauncherTest, running, scratch, sh

COUNT = sh("echo $PMI_RANK $(wc -c)")
BIG = "x" * 99 + "\n"


class Input(LauncherTest):
    def test_rank_0_reads_and_the_others_find_nothing(self):
        self.assertEqual(self.lines("-n", 3, *COUNT, input="hello\n"), ["0 6", "1 0", "2 0"])

    def test_another_rank_reads(self):
        for option in ["--stdin", "-s"]:
            self.assertEqual(self.lines("-n", 3, option, 2, *COUNT, input="hello\n"),
                             ["0 0", "1 0", "2 6"])

    def test_nobody_reads(self):
        self.assertEqual(self.lines("-n", 2, "--stdin", "none", *COUNT, input="hello\n"),
                         ["0 0", "1 0"])

    def test_all_read_the_same(self):
        text = BIG * 30000  # many times what pipes hold
        script = "echo $(cksum | cut -d' ' -f2)"
        self.assertEqual(self.lines("-n", 4, "--stdin", "all", *sh(script), input=text),
                         [str(len(text))] * 4)

    def test_all_read_a_file(self):
        path = scratch() / "in"
        path.write_text(BIG * 30000)
        with open(path) as file:
            out = self.succeeds("-n", 3, "--stdin", "all", "cksum", stdin=file)
        self.assertEqual(len(set(out.splitlines())), 1)
        self.assertEqual(len(out.splitlines()), 3)
        self.assertEqual(int(out.split()[1]), 100 * 30000)

    def test_all_read_though_some_do_not_listen(self):
        script = "[ $PMI_RANK = 1 ] && exit 0; [ $PMI_RANK = 2 ] && { read x; exit 0; }; wc -c"
        self.assertEqual(self.lines("-n", 4, "--stdin", "all", *sh(script), input=BIG * 30000),
                         ["3000000", "3000000"])

    def test_lines_arrive_at_all_as_they_come(self):
        with running("-n", 2, "--stdin", "all", *sh("read a; echo $a; read b; echo $b"),
                     stdin=subprocess.PIPE) as job:
            for word in ["one", "two"]:
                job.stdin.write(word + "\n")
                job.stdin.flush()
                for _ in range(2):
                    self.assertEqual(job.stdout.readline(), word + "\n")
            self.assertEqual(job.wait(60), 0)

    def test_what_no_rank_reads_is_left_for_the_next_command(self):
        done = subprocess.run(["sh", "-c", f"{MPIEXEC} -n 2 true; cat"], input="left\n",
                              capture_output=True, text=True, timeout=100)
        self.assertEqual(done.stdout, "left\n")

    def test_input_is_exact(self):
        text = "".join(f"{i}\n" for i in range(300000))
        self.assertEqual(self.succeeds("-n", 2, *sh("[ $PMI_RANK = 1 ] || cat"), input=text), text)


if __name__ == "__main__":
    unittest.main()
