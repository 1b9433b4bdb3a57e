"""The decorators of c10d::Backend pass all of it on: a virtual of the wheel's Backend.hpp that they do not override is a call
that the log does not see, or one that throws where the real backend would answer.

$DDPBENCH_TORCH_PREFIX is the torch package that this build compiles against.
"""

import os
import re
import unittest
from pathlib import Path

import source_tree

BACKEND = "include/torch/csrc/distributed/c10d/Backend.hpp"
OBSERVING = "harness/ranks/observing_backend.hpp"
IDEAL = "harness/ranks/ideal_backend.hpp"

NOT_A_GROUP_TO_REGROUP = "groups of the harness are not split, merged or shrunk: the default refuses"
NOT_IN_ALL_RELEASES = "2.7 does not have it, and nothing here calls it"
NOT_PASSED_ON = {
    "supportsSplitting": NOT_A_GROUP_TO_REGROUP,
    "supportsShrinking": NOT_A_GROUP_TO_REGROUP,
    "split": NOT_A_GROUP_TO_REGROUP,
    "merge": NOT_A_GROUP_TO_REGROUP,
    "shrink": NOT_A_GROUP_TO_REGROUP,
    "supportsTimeEstimation": "estimates are made while collectives are coalesced and none runs: there is nothing to observe",
    "setTimeout": NOT_IN_ALL_RELEASES,
    "getBackendOptions": NOT_IN_ALL_RELEASES,
    "registerOnCompletionHook": "keeps a hook in the backend it is called on, and only nccl has one",
    "setGroupUid": "the decorator is the group's backend and keeps its name; upstream has one from its options",
}

# virtual <type> <name>(…, up to the body or the semicolon
VIRTUAL = re.compile(r"\bvirtual\s+([\w:<>\s*&]+?)\s+(\w+)\(")
OVERRIDE = re.compile(r"\b(\w+)\([^;{}()]*(?:\([^()]*\)[^;{}()]*)*\)\s*(?:const\s+)?override")


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def virtuals(header):
    """{name: whether a call communicates}"""
    return {
        name: "Work" in returned or name in ("monitoredBarrier", "startCoalescing")
        for returned, name in VIRTUAL.findall(without_comments(header))
    }


def overridden(header):
    return set(OVERRIDE.findall(without_comments(header)))


def left_out(backend, observing, ideal):
    """A sentence per virtual of `backend` that a decorator does not override and no line above excuses."""
    found = virtuals(backend)
    mistakes = [f"{OBSERVING}: {name}" for name in found if name not in overridden(observing) | set(NOT_PASSED_ON)]
    mistakes += [f"{IDEAL}: {name}" for name, talks in found.items() if talks and name not in overridden(ideal)]
    return mistakes


class TheProject(unittest.TestCase):
    def test_every_virtual_is_passed_on(self):
        backend = (Path(os.environ["DDPBENCH_TORCH_PREFIX"]) / BACKEND).read_text(encoding="utf-8")
        files = source_tree.read_all(".hpp")
        found = virtuals(backend)
        self.assertTrue(found["allreduce"] and found["recvAnysource"] and not found["abort"])
        self.assertEqual(left_out(backend, files[OBSERVING], files[IDEAL]), [])


class TheCheck(unittest.TestCase):
    BACKEND = """
      virtual c10::intrusive_ptr<Work> allreduce(std::vector<at::Tensor>& /* tensors */,
          const AllreduceOptions& /* opts */ = AllreduceOptions()) { TORCH_CHECK(false); }
      // virtual c10::intrusive_ptr<Work> dreamt(int);
      virtual uint64_t number() { return 0; }
    """
    ALLREDUCE = "WorkPtr allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override;"

    def test_finds_what_a_decorator_leaves_out(self):
        observing = self.ALLREDUCE + " uint64_t number() override { return upstream_->number(); }"
        self.assertEqual(left_out(self.BACKEND, observing, self.ALLREDUCE), [])
        self.assertEqual(left_out(self.BACKEND, observing, ""), [f"{IDEAL}: allreduce"])
        self.assertEqual(left_out(self.BACKEND, self.ALLREDUCE, self.ALLREDUCE), [f"{OBSERVING}: number"])

    def test_a_call_in_a_body_is_no_override(self):
        self.assertEqual(overridden("void a() { upstream_->abort(); }  // abort() override"), set())


if __name__ == "__main__":
    unittest.main()
