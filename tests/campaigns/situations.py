"""The surroundings in which a command can be started. Each situation does one thing, varied by lot, and says what must come of
it. One more: a function, and its line here."""

from __future__ import annotations

from collections.abc import Callable

from archives import hostile_archive, killed_while_unpacking
from case import Case
from own_loops import own_loop
from own_modules import own_module
from places import (
    deleted_folder,
    device_as_output,
    folder_removed,
    machine_that_lacks,
    nobodys_folder,
    read_only_disk,
    strange_paths,
)
from planting import modules_of_the_working_folder, modules_planted, names_pasted, new_links_planted, shared_library_planted
from streams_and_limits import closed_streams, full_output, limits_of_a_reader, limits_of_a_run, reader_gone, signal_ignored
from variables import hostile_variables, page_with_variables, programs_elsewhere, run_with_variables, steered_run

# name -> what does it, and how many times as often as once
SITUATIONS: dict[str, tuple[Callable[[Case], None], int]] = {
    "variables": (hostile_variables, 8),
    "variables of a page": (page_with_variables, 2),
    "variables of a run": (run_with_variables, 2),
    "variables that steer ranks": (steered_run, 4),
    "no such program": (programs_elsewhere, 2),
    "closed streams": (closed_streams, 2),
    "full output": (full_output, 2),
    "reader gone": (reader_gone, 1),
    "limits of a reader": (limits_of_a_reader, 4),
    "limits of a run": (limits_of_a_run, 1),
    "deleted working folder": (deleted_folder, 2),
    "results removed": (folder_removed, 1),
    "strange paths": (strange_paths, 6),
    "another user's folder": (nobodys_folder, 1),
    "read-only disk": (read_only_disk, 1),
    "device as output": (device_as_output, 2),
    "machine that lacks something": (machine_that_lacks, 1),
    "hostile archive": (hostile_archive, 3),
    "killed while it unpacks": (killed_while_unpacking, 1),
    "module of one's own": (own_module, 4),
    "loop of one's own": (own_loop, 4),
    "ignored signals": (signal_ignored, 1),
    "planted modules": (modules_planted, 2),
    "modules of the working folder": (modules_of_the_working_folder, 2),
    "planted drafts": (new_links_planted, 1),
    "planted library": (shared_library_planted, 1),
    "pasted names": (names_pasted, 1),
}
