"""Files: written atomically, and read strictly.

atomic.py           reads regular files, and writes so that a failure leaves the old file intact
sessions.py         a folder for each session, which shows whether it ended normally; autosaves
container.py        the members of a recording: in a zip file, in the folder of a journal, or in a picture
state/              the state of a world as named arrays, and its digest
command_tables.py   commands as tables of JSON, and back
members.py          what a recording consists of, and its writer
write_recording.py  copies a world with its past, to be written
read_recording.py, with read_head.py and read_commands.py   reads recordings
journal.py          a recording that is written as it goes on
png.py, page.py     a recording in a screenshot, or in a page that plays it
json_text.py        reads JSON strictly

All parts of the program may use what stands here; the rest of this folder knows the world.
"""

from sandbox.files.atomic import (
    AnyPath,
    WriteError,
    as_text,
    changed_at,
    folder_beside,
    free_name,
    is_picture,
    is_recording,
    make_folder,
    named,
    open_file,
    plain_name,
    read_file,
    reason,
    write_atomically,
    written_beside,
)

__all__ = [
    "AnyPath", "WriteError", "as_text", "changed_at", "folder_beside", "free_name",
    "is_picture", "is_recording", "make_folder", "named", "open_file", "plain_name",
    "read_file", "reason", "write_atomically", "written_beside",
]  # fmt: skip
