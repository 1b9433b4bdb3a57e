"""python DIR/ddpbench_arms TOKEN…: one rank of a launch with arms in Python, by the tokens and variables of ddpbench-worker.

--probe: what this Python can host, as JSON.
--check TOKEN…: whether the user's own modules of that launch can be made and driven; exit code 2 and the reason where not.

Named by its folder, so that nothing of the working directory is imported.
"""

import os
import sys

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

if sys.argv[1:] == ["--probe"]:
    from ddpbench_arms import probe

    probe.main()
elif sys.argv[1:2] == ["--check"]:
    from ddpbench_arms import check

    check.main(sys.argv[2:])
else:
    from ddpbench_arms import process

    process.main(sys.argv[1:])
