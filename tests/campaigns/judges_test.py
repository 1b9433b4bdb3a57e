"""The judges of the campaigns find what they are there to find: without the program, and without a clock."""

import gzip
import os
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import processes
from bounded_run import Ended
from campaigns import CAMPAIGNS
from case import Breakage, Case, Setting
from damage import is_figure
from damages import DAMAGES, alter_byte
from hostile_experiments import ATTACKS
from results import Results, TornError, lost_of
from situations import SITUATIONS
from tally import Verdict, markdown, total
from texts import library_words, unreadable
from victim import Victim, packed

RUNS = (
    "launch_id,arm,workload,backend,ranks_per_node,batch_size_per_rank,status,steps_bytes,blocks_bytes\n"
    "a,raw,null,gloo,2,4,ok,{steps},{blocks}\n"
)
STEPS = ("launch_id,super_block,block,arm,step,rank,loss\n", "a,1,1,raw,0,0,2.5\na,1,1,raw,0,1,2.5\n")
BLOCKS = ("launch_id,super_block,block,position,arm,rank\n", "a,1,1,0,raw,0\na,1,1,0,raw,1\n")


def write_results(folder: Path, steps: tuple[str, ...] = STEPS, tail: bytes = b"") -> Path:
    folder.mkdir(exist_ok=True)
    samples = {"steps": b"".join(gzip.compress(text.encode()) for text in steps)}
    samples["blocks"] = b"".join(gzip.compress(text.encode()) for text in BLOCKS)
    for name, data in samples.items():
        (folder / f"{name}.csv.gz").write_bytes(data + tail)
    runs = RUNS.format(steps=len(samples["steps"]), blocks=len(samples["blocks"]))
    (folder / "runs.csv").write_text(runs)
    (folder / "metrics.csv").write_text("launch_id,metric\na,warmup_s\n")
    (folder / "plan.csv").write_text("launch_id\na\n")
    (folder / "environment.json").write_text('{"torch": "2", "cores": 2}\n')
    return folder


class InAFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def case(self, number=0, seed=1):
        return Case(Setting(Path(sys.executable), "damage", seed, self.folder), number, self.folder)


class ResultsJudge(InAFolder):
    def test_a_sound_folder_has_no_fault(self):
        results = Results.read(write_results(self.folder / "a"), whole=True)
        self.assertEqual(results.doubled(), [])
        self.assertEqual(results.finished(), ["a"])
        self.assertEqual(lost_of(results, results), [])

    def test_doubled_rows_are_found(self):
        results = Results.read(write_results(self.folder / "a", (*STEPS, STEPS[1])), whole=True)
        self.assertIn("2 keys of steps stand twice", results.doubled()[0])

    def test_a_torn_member_is_found_and_is_none_of_an_interrupted_run(self):
        folder = write_results(self.folder / "a", tail=gzip.compress(b"a,2")[:9])
        self.assertEqual(len(Results.read(folder, whole=False).steps), 2)
        with self.assertRaises(TornError):
            Results.read(folder, whole=True)

    def test_of_an_interrupted_run_the_last_whole_member_counts(self):
        folder = write_results(self.folder / "a", (*STEPS, STEPS[1].replace("2.5", "2.6")))
        self.assertEqual({row["loss"] for row in Results.read(folder, whole=False).steps}, {"2.6"})

    def test_half_a_row_is_found(self):
        for rows in ("a,1,1,raw\n", "a,1,1,raw,0,0,2.5"):
            with self.assertRaises(TornError):
                Results.read(write_results(self.folder / "a", (STEPS[0], rows)), whole=True)

    def test_a_lost_and_a_changed_row_are_found_and_a_place_is_none(self):
        before = Results.read(write_results(self.folder / "a"), whole=True)
        for rows in (STEPS[1].splitlines(keepends=True)[0], STEPS[1].replace("2.5", "2.6")):
            after = Results.read(write_results(self.folder / "b", (STEPS[0], rows)), whole=True)
            self.assertEqual(len(lost_of(before, after)), 1)
        moved = replace(before, runs=[{**run, "steps_bytes": "9"} for run in before.runs])
        self.assertEqual(lost_of(before, moved), [])


class ProcessJudge(InAFolder):
    def test_an_orphan_is_found_by_its_mark_and_ended(self):
        script = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])"
        subprocess.run([sys.executable, "-c", script], env=os.environ | processes.marking("judge"), check=True)
        case = self.case()
        case.mark = "judge"
        case.require_no_orphan(seconds=0)
        self.assertEqual([breakage.kind for breakage in case.breakages], ["orphan"])
        self.assertEqual(processes.marked("judge"), [])

    def judged(self, script, **changes):
        case = self.case()
        case.folder = Path(tempfile.mkdtemp(dir=self.folder))  # its outputs' own
        ended = case.run("-c", script, **changes)
        return ended, [breakage.kind for breakage in case.breakages]

    def test_a_crash_a_hang_and_a_library_are_found(self):
        self.assertEqual(self.judged("pass")[1], [])
        self.assertEqual(self.judged("import os; os.abort()")[1], ["crash"])
        self.assertEqual(self.judged("print('std::bad_alloc')")[1], ["unclear"])
        limits = replace(self.case().reader_limits(), seconds=0.5)
        ended, kinds = self.judged("import time; time.sleep(600)", limits=limits)
        self.assertTrue(ended.hung)
        self.assertEqual(kinds, ["hang"])

    def test_memory_without_bound_is_refused(self):
        ended, _ = self.judged("x = bytearray(3 << 30)", limits=self.case().reader_limits())
        self.assertIn("MemoryError", ended.err)

    def test_codes_are_judged_once(self):
        case = self.case()
        ended = Ended(("ddpbench", "verify"), 3, False, "", "", 0, 0)
        case.require_code(ended, 0, 3)
        case.require_code(ended, 0, 1)
        case.require_code(replace(ended, code=-11), 0)
        self.assertEqual([breakage.kind for breakage in case.breakages], ["wrong"])


class TextJudge(unittest.TestCase):
    def test_what_no_person_can_read_is_found(self):
        for message in ("", "\x1b[31mred", "caf\udcff", "x" * 5_000, "line\n" * 20_000):
            self.assertTrue(unreadable(message), message[:20])
        self.assertEqual(unreadable("ddpbench: launches = 0: must be at least 1\n  3 | launches = 0\n"), "")
        self.assertEqual(library_words("what(): basic_string::substr"), ["basic_string", "what():"])

    def test_figures_are_known(self):
        figures = [is_figure(line) for line in ("FOM step_ms.null.raw = 1 ms", "cell  arm  clock", "runs.csv was changed")]
        self.assertEqual(figures, [True, True, False])


class Damages(InAFolder):
    def test_a_damage_leaves_the_original(self):
        original = write_results(self.folder / "original")
        before = {path.name: path.read_bytes() for path in original.iterdir()}
        for number, (do, _) in enumerate(DAMAGES.values()):
            if do.__name__ in ("gzip_bomb", "line_endless"):
                continue  # seconds of packing
            folder = self.folder / f"victim-{number}"
            folder.mkdir()
            victim = Victim(original, folder, self.case(number).random)
            self.assertTrue(do(victim))
            self.assertTrue(victim.touched, do.__name__)
            self.assertEqual({path.name: path.read_bytes() for path in original.iterdir()}, before, do.__name__)

    def test_an_altered_byte_is_another(self):
        original = write_results(self.folder / "original")
        folder = self.folder / "victim"
        folder.mkdir()
        victim = Victim(original, folder, self.case().random)
        alter_byte(victim, "runs.csv")
        pairs = zip((folder / "runs.csv").read_bytes(), (original / "runs.csv").read_bytes(), strict=True)
        self.assertEqual(sum(one != other for one, other in pairs), 1)

    def test_members_come_back_as_they_were_packed(self):
        victim = Victim(write_results(self.folder / "original"), self.folder, self.case().random)
        self.assertEqual(victim.members("steps.csv.gz"), [text.encode() for text in STEPS])
        self.assertEqual(gzip.decompress(packed(b"rows\n")), b"rows\n")


class Cases(InAFolder):
    def test_a_case_is_made_from_campaign_seed_and_number(self):
        drawn = [self.case(number, seed).random.random() for number, seed in ((4, 1), (4, 1), (5, 1), (4, 2))]
        self.assertEqual(drawn[0], drawn[1])
        self.assertEqual(len(set(drawn)), 3)

    def test_every_attack_can_be_made_and_again(self):
        for name, (make, _) in ATTACKS.items():
            for number in range(30):
                self.assertEqual(make(self.case(number).random), make(self.case(number).random), name)

    def test_small_campaigns_try_each_situation_and_damage_once(self):
        small = {campaign.name: campaign.small for campaign in CAMPAIGNS}
        self.assertGreaterEqual(small["surroundings"], len(SITUATIONS))
        self.assertGreaterEqual(small["damage"], len(DAMAGES))
        self.assertGreaterEqual(small["experiments"], len(ATTACKS))

    def test_a_case_that_broke_in_two_ways_is_one(self):
        broken = Verdict(1, "byte", (Breakage("torn", "a"), Breakage("silent", "b")), (), "")
        tally = total("damage", [broken, replace(broken, breakages=())])
        self.assertEqual(tally.cells()[:5], ["damage", "2", "1", "1", "0"])
        self.assertIn("| damage | 2 | 1 | 1 | 0 |", markdown("campaign", [tally]))

    def test_ctest_has_an_entry_for_each_campaign(self):
        text = (Path(__file__).parent / "CMakeLists.txt").read_text()
        names = text.partition("foreach(name ")[2].partition(")")[0].split()
        self.assertEqual(names, [campaign.name for campaign in CAMPAIGNS])


if __name__ == "__main__":
    unittest.main()
