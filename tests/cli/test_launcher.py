"""./rta and ./rta-check: packages, build on first call, rebuild on change, one builder at a time.

The real script runs in a small source tree; cmake, dpkg-query, apt-get, sudo and id are stand-ins that note how they were called.
./check --fresh runs it with the real ones on bare systems.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from program import ROOT, TIME_LIMIT, on_terminal

STAND_INS = {
    "cmake": """
case $1 in
  --build)
    [ ! -e "$TREE/broken" ] || { echo "[1/2] Building"; echo "model.cpp:3: error: that is no C++"; exit 1; }
    sleep "${BUILD_TIME:-0}"
    case " $* " in *" rta_check "*) built=rta-check ;; *" rta_analyze "*) built=rta-analyze ;; *) built=rta ;; esac
    printf '#!/bin/sh\\necho "program: $*"\\nexit 1\\n' > build/release/$built
    chmod +x build/release/$built
    ;;
esac
echo "[1/1] chatter on standard output"
""",
    "dpkg-query": """
cat "$TREE/installed" 2> /dev/null
""",
    "apt-cache": """
[ "$3" != clang-tidy-14 ] || exit 0
echo "Package: $3"
""",
    "apt-get": """
[ ! -e "$TREE/no-network" ] || { echo "E: no network"; exit 100; }
case "$*" in
  *" -s "*) [ -e "$TREE/listed" ] ;;
  *update*) : > "$TREE/listed" ;;
  *install*) [ -e "$TREE/listed" ] && sed -n 's/^build *\\([^ ]*\\).*/installed \\1/p' "$TREE/setup/packages" > "$TREE/installed" ;;
esac
""",
    "sudo": """
[ "$1" != -v ] || exit 0
exec "$@"
""",
    "id": """
cat "$TREE/uid"
""",
}
INSTALLED = "".join(
    f"installed {line.split()[1].rstrip('?')}\n" for line in (ROOT / "setup/packages").read_text().splitlines() if line.startswith("build")
)


class Launcher(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.tree = pathlib.Path(temporary.name, "a tree")  # with a space: nothing may depend on its absence
        for name in ("src/model", "include/rta", "checker", "cmake", "bin"):
            (self.tree / name).mkdir(parents=True)
        for name in ("src/model/a.cpp", "src/model/b.cpp", "CMakeLists.txt", "CMakePresets.json"):
            (self.tree / name).touch()
        shutil.copy(ROOT / "rta", self.tree)
        shutil.copy(ROOT / "rta-check", self.tree)
        shutil.copytree(ROOT / "setup", self.tree / "setup")
        for name, body in STAND_INS.items():
            script = self.tree / "bin" / name
            script.write_text(f'#!/bin/sh\necho "{name} $*" >> "$TREE/calls"\n{body}')
            script.chmod(0o755)
        (self.tree / "installed").write_text(INSTALLED)
        (self.tree / "uid").write_text("0\n")

    def environment(self, **more):
        inherited = {k: v for k, v in os.environ.items() if k not in ("CI", "RTA_VERBOSE")}
        return inherited | {"TREE": str(self.tree), "PATH": f"{self.tree}/bin:{os.environ['PATH']}"} | more

    def call(self, *arguments, program=None, **more):
        """Runs ./rta without a controlling terminal."""
        return subprocess.run(
            [program or self.tree / "rta", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/",
            env=self.environment(**more), start_new_session=True, timeout=TIME_LIMIT,
        )

    def call_on_terminal(self, answer):
        """Runs ./rta on a terminal where somebody types `answer`; returns status and all that the terminal showed."""
        return on_terminal(self.tree / "rta", [], answer, self.environment())

    def calls(self, tool):
        """How the stand-in was called so far, and forgets it."""
        log = self.tree / "calls"
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return [line for line in lines if line.split()[0] == tool]

    def test_first_call_builds_then_runs(self):
        run = self.call("analyze", "a file", "-")
        self.assertEqual((run.returncode, run.stdout), (1, "program: analyze a file -\n"), run.stderr)
        self.assertEqual(len(self.calls("cmake")), 2)
        self.assertNotIn("chatter", run.stderr)

    def test_later_calls_start_at_once(self):
        self.call()
        self.calls("cmake")
        run = self.call("x")
        self.assertEqual((run.stdout, run.stderr), ("program: x\n", ""))
        self.assertFalse((self.tree / "calls").exists(), "nothing but the program is started")

    def test_rebuilds_when_a_source_changes(self):
        def edit():
            (self.tree / "src/model/a.cpp").write_text("int a;")

        def add():
            (self.tree / "include/rta/new.hpp").touch()

        def delete():
            (self.tree / "src/model/b.cpp").unlink()

        def replace_by_an_older_file():
            older = self.tree / "older"
            older.write_text("int b;")
            os.utime(older, (0, 0))
            shutil.copy2(older, self.tree / "src/model/a.cpp")

        def edit_cmake():
            (self.tree / "CMakeLists.txt").write_text("project(rta)")

        self.call()
        for change in (edit, add, delete, replace_by_an_older_file, edit_cmake):
            with self.subTest(change.__name__):
                self.calls("cmake")
                change()
                self.call()
                self.assertEqual(len(self.calls("cmake")), 2)
                self.call()
                self.assertEqual(self.calls("cmake"), [])

    def test_each_program_is_built_for_itself(self):
        self.call()
        self.assertIn("--target rta_program", self.calls("cmake")[1])
        checker = self.tree / "rta-check"
        self.assertEqual(self.call("a file", program=checker).stdout, "program: a file\n")
        self.assertIn("--target rta_check", self.calls("cmake")[1])
        (self.tree / "src/model/a.cpp").write_text("int a;")
        self.call(program=checker)
        self.assertEqual(self.calls("cmake"), [], "no source of rta is one of rta-check")
        (self.tree / "checker/a.cpp").touch()
        self.call(program=checker)
        self.assertEqual(len(self.calls("cmake")), 2)

    def test_an_analysis_does_not_wait_for_the_rest_of_the_program(self):
        def built():
            return [line.split("--target ")[1].split()[0] for line in self.calls("cmake") if "--target" in line]

        for words, wanted in ((("analyze", "x"), ["rta_analyze"]), (("analyze", "y"), []), (("simulate", "x"), ["rta_program"]), (("analyze", "z"), [])):
            self.assertEqual(self.call(*words).stdout, f"program: {' '.join(words)}\n")
            self.assertEqual(built(), wanted, words)
        (self.tree / "src/model/a.cpp").write_text("int a;")
        self.call("analyze", "x")
        self.assertEqual(built(), ["rta_analyze"], "the program that is too old is not run")
        self.call("analyze", "--help")
        self.assertEqual(built(), [])
        self.call("help", "analyze")
        self.assertEqual(built(), ["rta_program"])

    def test_through_symbolic_links(self):
        (self.tree / "bin/rta").symlink_to("../rta")
        (self.tree / "bin/analyse").symlink_to("rta")
        self.assertEqual(self.call("x", program=self.tree / "bin/analyse").stdout, "program: x\n")
        self.assertEqual(self.call("x", program="rta").stdout, "program: x\n", "found on PATH")

    def test_failed_build(self):
        (self.tree / "broken").touch()
        run = self.call()
        self.assertEqual((run.returncode, run.stdout), (3, ""))
        self.assertIn("model.cpp:3: error: that is no C++", run.stderr)
        self.assertIn(str(self.tree / "build/release.log"), run.stderr)
        (self.tree / "broken").unlink()
        self.assertEqual(self.call("x").stdout, "program: x\n")

    def test_failed_rebuild_does_not_run_the_old_program(self):
        self.call()
        (self.tree / "broken").touch()
        (self.tree / "src/model/a.cpp").write_text("int a")
        for _ in range(2):
            self.assertEqual((self.call().returncode, self.call().stdout), (3, ""))

    def test_verbose_shows_the_build(self):
        run = self.call("x", RTA_VERBOSE="1")
        self.assertIn("chatter", run.stderr)
        self.assertEqual(run.stdout, "program: x\n")

    def test_two_first_calls_at_once(self):
        first, second = (
            subprocess.Popen([self.tree / "rta", "x"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             env=self.environment(BUILD_TIME="0.5"), start_new_session=True)
            for _ in range(2)
        )
        outputs = [process.communicate(timeout=TIME_LIMIT) for process in (first, second)]
        self.assertEqual([out for out, _ in outputs], ["program: x\n"] * 2)
        self.assertEqual(sum("waiting" in err for _, err in outputs), 1, outputs)

    def test_moved_tree_is_built_anew(self):
        self.call()
        (self.tree / "build/release/CMakeCache.txt").touch()
        moved = self.tree.with_name("moved")
        self.tree.rename(moved)
        self.tree = moved
        (self.tree / "src/model/a.cpp").write_text("int a;")
        self.assertEqual(self.call("x").stdout, "program: x\n")
        self.assertFalse((self.tree / "build/release/CMakeCache.txt").exists())

    def test_root_installs_what_is_missing(self):
        (self.tree / "installed").unlink()
        run = self.call("x")
        self.assertEqual(run.stdout, "program: x\n", run.stderr)
        self.assertRegex(run.stderr, r"libglpk-dev +linear programs")
        log = (self.tree / "calls").read_text()
        self.assertNotIn("sudo", log)
        self.assertEqual(len([line for line in self.calls("apt-get") if " update" in line]), 1)

    def test_no_update_where_the_lists_know_all(self):
        (self.tree / "installed").write_text(INSTALLED.replace("installed cmake\n", ""))
        (self.tree / "listed").touch()
        run = self.call("x")
        self.assertEqual(run.stdout, "program: x\n", run.stderr)
        installs = self.calls("apt-get")
        # Where this machine has no lists at all, they are fetched in any case.
        if any(pathlib.Path("/var/lib/apt/lists").glob("*_Packages*")):
            self.assertEqual([line for line in installs if " update" in line], [])
        self.assertTrue(installs[-1].endswith("install cmake"), installs)

    def test_packages_that_cannot_be_installed(self):
        (self.tree / "installed").unlink()
        (self.tree / "no-network").touch()
        run = self.call()
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("E: no network", run.stderr)
        self.assertIn("apt-get install", run.stderr)

    def test_no_terminal_to_ask_on(self):
        (self.tree / "installed").unlink()
        (self.tree / "uid").write_text("1000\n")
        run = self.call()
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("sudo apt-get install", run.stderr)
        self.assertIn("libyaml-dev", run.stderr)
        log = (self.tree / "calls").read_text()
        self.assertNotRegex(log, "(?m)^(sudo|apt-get|cmake) ")

    def test_asks_before_sudo(self):
        for answer, status, used in (("n\n", 2, False), ("\n", 1, True), ("y\n", 1, True)):
            with self.subTest(answer=answer):
                shutil.rmtree(self.tree / "build", ignore_errors=True)
                (self.tree / "installed").unlink(missing_ok=True)
                (self.tree / "uid").write_text("1000\n")
                result, shown = self.call_on_terminal(answer)
                self.assertEqual(result, status, shown)
                self.assertIn("[Y/n]", shown)
                self.assertEqual(bool(self.calls("sudo")), used)


if __name__ == "__main__":
    unittest.main()
