"""python DIR/ddpbench_arms TOKEN…: one rank of a launch with arms in Python, by the tokens and variables of ddpbench-worker.

--probe: what this Python can host, as JSON.

Named by its folder, so that nothing of the working directory is imported.
"""

import os
import sys

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

if sys.argv[1:] == ["--probe"]:
    from ddpbench_arms import probe

    probe.main()
else:
    from ddpbench_arms import process

    process.main(sys.argv[1:])
