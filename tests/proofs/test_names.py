"""What docs/theory/machine-checked.md says of the proofs is there: its theorems, its definitions and the files that it names."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROOFS = ROOT / "proofs"
PAGE = (ROOT / "docs/theory/machine-checked.md").read_text()
DEFINED = re.compile(r"^\s*(?:Theorem|Lemma|Corollary|Definition|Fixpoint|Record|Inductive)\s+([\w']+)", re.MULTILINE)
MEMBERS = re.compile(r"^\s*(?:\|\s*([\w']+)|([\w']+)\s*:[^=])", re.MULTILINE)  # of inductive types and records
# What the page sets as code but the proofs do not define: Debian's packages, words of files, options and output.
OTHER = {"coq", "ocaml-nox", "ocaml-findlib", "after", "in_flight", "rta-proved", "rta-check", "--counted", "#", "sequential", "verified", "not verified", "not shown",
         "./check", "./check --long", "./check --only proofs", "rta analyze", "headline", "machine_checked", "proofs", "proofs/", "proofs/check", "tasksets/", "bench/proved_shares.py build/release/rta", "rta-proved SYSTEM", "rta-proved FILE CERTIFICATE", "rta analyze FILE --certificate CERTIFICATE",
         "--release completion --path-bound T10n", "threads", "early", "gel", "time", "T_max", "rta", "proofs/checker", "proofs/checker/extracted", "yaml.ml", "task_set.ml", "judge.ml",
         "rep u * T_u = M", "share p * cap p = M"}


def sources():
    return {str(path.relative_to(PROOFS)): path.read_text() for path in PROOFS.rglob("*.v")}


def defined(text):
    return set(DEFINED.findall(text))


def members(text):
    return {name for pair in MEMBERS.findall(text) for name in pair if name}


def headlines():
    lines = [line.split() for line in (PROOFS / "headlines").read_text().splitlines() if not line.startswith("#")]
    return [(module.replace(".", "/") + ".v", theorem) for module, theorem in lines]


def words_as_code():
    """What stands in backticks outside indented blocks."""
    prose = "\n".join(line for line in PAGE.splitlines() if not line.startswith("    "))
    return re.findall(r"`([^`]+)`", prose)


class Names(unittest.TestCase):
    def test_every_headline_is_a_theorem_of_its_file(self):
        text = sources()
        self.assertGreater(len(headlines()), 50)
        for file, theorem in headlines():
            with self.subTest(theorem):
                self.assertRegex(text[file], rf"(?m)^\s*(Theorem|Lemma|Corollary) {re.escape(theorem)}\b")

    def test_every_headline_is_stated_on_the_page(self):
        for _, theorem in headlines():
            with self.subTest(theorem):
                self.assertIn(theorem, words_as_code())

    def test_every_name_on_the_page_is_in_the_proofs(self):
        known = set(OTHER)
        for file, text in sources().items():
            known |= defined(text) | members(text) | {file}
        for word in words_as_code():
            with self.subTest(word):
                self.assertIn(word, known)

    def test_every_theorem_on_the_page_is_asked_what_it_assumes(self):
        theorems = set(re.findall(r"(?m)^\s*(?:Theorem|Corollary)\s+([\w']+)", "\n".join(sources().values())))
        asked = {theorem for _, theorem in headlines()}
        for word in words_as_code():
            if word in theorems:
                with self.subTest(word):
                    self.assertIn(word, asked)

    def test_every_definition_of_the_table_is_in_the_file_beside_it(self):
        rows = re.findall(r"(?m)^\|[^|]+\| (`[^|]+`) \| (`[^|]+`) \|$", PAGE)
        self.assertGreater(len(rows), 5)
        text = sources()
        for names, files in rows:
            there = set().union(*(defined(text[file]) | members(text[file]) for file in re.findall(r"`([^`]+)`", files)))
            for name in re.findall(r"`([^`]+)`", names):
                with self.subTest(name):
                    self.assertIn(name, there)

    def test_every_definition_that_the_page_quotes_stands_so_in_the_proofs(self):
        proofs = " ".join(" ".join(text.split()) for text in sources().values())
        quoted = [" ".join(block.split()) for block in re.findall(r"(?m)((?:^    .*\n)+)", PAGE) if re.match(r"\s*(Definition|Theorem)", block)]
        self.assertGreater(len(quoted), 4)
        for block in quoted:
            for statement in re.split(r"(?<=\.) (?=Definition|Theorem)", block):
                with self.subTest(statement[:60]):
                    self.assertIn(statement, proofs)


if __name__ == "__main__":
    unittest.main()
