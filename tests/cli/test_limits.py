"""Limits of every command: how large a file may be, and how much memory the program may take."""

import pathlib
import tempfile
import unittest

from program import PROGRAM, ROOT, rta

HOG = ROOT / "tasksets/literature/hog-like.yaml"
SANITIZED = b"__asan_init" in PROGRAM.read_bytes()


class Limits(unittest.TestCase):
    def refused(self, *arguments):
        run = rta(*arguments)
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr[:2000])
        self.assertNotIn("defect", run.stderr)
        return run.stderr

    def test_sizes(self):
        for text in ("0", "0 MiB", "-1 MiB", " ", "MiB", "2 TB", "1.5 GiB", "1e3", "99999999999999999999", "2000000000 GiB"):
            for option in ("--largest-file", "--memory-limit"):
                with self.subTest(option=option, text=text):
                    self.assertIn("must be a size of at least one byte, e.g. 512 MiB or 2 GiB", self.refused("analyze", HOG, f"{option}={text}"))

    def test_a_file_that_is_larger(self):
        size = HOG.stat().st_size
        self.assertIn(f"the file is larger than {size - 1} bytes (see --largest-file)", self.refused("analyze", HOG, "--largest-file", str(size - 1)))
        for enough in (f"{size}", f"{size} B", f"{size}B", "1MiB", "2 GiB"):
            self.assertEqual(rta("analyze", HOG, "--largest-file", enough).returncode, 0, enough)
        with tempfile.TemporaryDirectory() as folder:
            large = pathlib.Path(folder, "large.yaml")
            line = "# " + 97 * "x" + "\n"
            large.write_text((70 << 20) // len(line) * line + HOG.read_text())
            self.assertIn("the file is larger than 64 MiB (see --largest-file)", self.refused("analyze", large))
            self.assertEqual(rta("analyze", large, "--largest-file", "80 MiB").returncode, 0)

    @unittest.skipIf(SANITIZED, "sanitizers have a memory of their own")
    def test_memory(self):
        self.assertEqual(rta("analyze", HOG, "--memory-limit", "1 GiB").returncode, 0)
        self.assertEqual(
            self.refused("analyze", HOG, "--memory-limit", "1 MiB"), "rta: needs more than the 1048576 bytes of memory that --memory-limit allows\n"
        )


if __name__ == "__main__":
    unittest.main()
