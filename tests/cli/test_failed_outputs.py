"""Results and traces that cannot be written, and what becomes of older files."""

import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import unittest

from program import EXAMPLE, PROGRAM, TIME_LIMIT, rta


class FailedOutputs(unittest.TestCase):
    """What cannot be written is said, with the system's reason, and older files stay."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        for name in ("old.jsonl", "old.json"):
            (self.folder / name).write_text("OLD")

    def refused(self, *arguments, message, **options):
        before = sorted(os.listdir(self.folder))
        run = rta("simulate", EXAMPLE, "--duration", "1s", "--quiet", *arguments, cwd=self.folder, **options)
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
        self.assertIn(message, run.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        for name in ("old.jsonl", "old.json"):
            self.assertEqual((self.folder / name).read_text(), "OLD")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_disk(self):
        for name in ("full.jsonl", "full.json"):
            (self.folder / name).symlink_to("/dev/full")
            self.refused("--trace", name, message=f"rta: {name}: No space left on device\n")
            # Less than a buffer holds: only the end of the trace shows it.
            self.refused("--trace", name, "--trace-level", "dag", message=f"rta: {name}: No space left on device\n")

    def test_largest_file_size(self):
        # Whether or not who starts the program ignores SIGXFSZ, which would end it.
        for action in (signal.SIG_DFL, signal.SIG_IGN):

            def limited():
                signal.signal(signal.SIGXFSZ, action)
                resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

            for name in ("old.jsonl", "old.json", "new.jsonl"):
                with self.subTest(action=action, name=name):
                    self.refused("--trace", name, message=f"rta: {name}: File too large\n", preexec_fn=limited)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_full_standard_output(self):
        certificate = self.folder / "pedestrian.cert"
        self.assertEqual(rta("analyze", EXAMPLE, "--quiet", "--certificate", certificate).returncode, 0)
        checker = PROGRAM.with_name("rta-check")
        for words in ((PROGRAM, "analyze", EXAMPLE), (PROGRAM, "--help"), (PROGRAM, "help", "--man"), (checker, EXAMPLE, certificate),
                      (checker, "-v", EXAMPLE, certificate), (checker, "--help"), (checker, "--version")):
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                run = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, timeout=TIME_LIMIT)
                self.assertEqual(run.returncode, 2)
                self.assertIn("cannot write to standard output", run.stderr)

    def test_a_file_keeps_permissions_and_link(self):
        (self.folder / "real.json").write_text("OLD")
        (self.folder / "real.json").chmod(0o600)
        (self.folder / "link.json").symlink_to("real.json")
        self.assertEqual(rta("analyze", EXAMPLE, "-o", "link.json", cwd=self.folder).returncode, 0)
        self.assertTrue((self.folder / "link.json").is_symlink())
        self.assertIn("verdict", (self.folder / "real.json").read_text())
        self.assertEqual((self.folder / "real.json").stat().st_mode & 0o7777, 0o600)

    def test_wrong_options_leave_old_traces(self):
        for arguments, message in [
            (("--window", "5-1", "-o", "w.html"), "--window"),
            (("--trace", "b.txt"), ".jsonl"),
            (("-o", "none/x.html"), "rta: none/x.html: No such file or directory\n"),
            (("--phase", "camera=9000000000s"), "--phase"),
            (("--trace", "none/t.jsonl"), "rta: none/t.jsonl: No such file or directory\n"),
        ]:
            with self.subTest(arguments):
                self.refused("--trace", "old.jsonl", "--trace", "old.json", *arguments, message=message)

    def test_a_file_is_not_written_twice(self):
        (self.folder / "same").symlink_to(".")
        (self.folder / "astray.json").symlink_to("x.json")
        for arguments in (("--trace", "x.json", "-o", "x.json"), ("--trace", "astray.json", "-o", "x.json"), ("--trace", "x.json", "-o", "same/x.json"),
                          ("-o", "x.csv", "-o", "./x.csv"), ("--trace", "old.jsonl", "--trace", "old.jsonl")):
            with self.subTest(arguments):
                self.refused(*arguments, message=f"'{arguments[-1]}' would be written twice")


if __name__ == "__main__":
    unittest.main()
