"""ssh between the nodes of a cluster, with keys of its own: real servers, which know nobody else."""

import shutil
import subprocess
from pathlib import Path

SERVER = shutil.which("sshd", path="/usr/sbin:/usr/bin:/sbin") or ""

SERVER_CONFIG = """
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/key.pub
StrictModes no
PermitRootLogin yes
PasswordAuthentication no
UsePAM no
PidFile none
"""
CLIENT_CONFIG = """
Host *
IdentityFile {folder}/key
IdentitiesOnly yes
UserKnownHostsFile /dev/null
StrictHostKeyChecking no
LogLevel ERROR
"""


def why_not_ssh() -> str:
    missing = [name for name in ("sshd", "ssh", "ssh-keygen") if shutil.which(name, path="/usr/sbin:/usr/bin:/sbin") is None]
    return f"needs {', '.join(missing)}: apt-get install openssh-server openssh-client" if missing else ""


def give_ssh(cluster) -> str:
    """Starts a server on each node. A $PATH on which `ssh` has the keys."""
    folder: Path = cluster.folder / "ssh"
    folder.mkdir()
    Path("/run/sshd").mkdir(exist_ok=True)
    for name in ("host_key", "key"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    for name, text in (("server", SERVER_CONFIG), ("client", CLIENT_CONFIG)):
        (folder / name).write_text(text.format(folder=folder), encoding="utf-8")
    client = folder / "ssh-bin" / "ssh"
    client.parent.mkdir()
    client.write_text(f'#!/bin/sh\nexec /usr/bin/ssh -F {folder}/client "$@"\n', encoding="utf-8")
    client.chmod(0o755)
    for name in cluster.names:
        started = cluster.on(name, [SERVER, "-f", folder / "server"])
        assert started.returncode == 0, started.stderr
    return f"{client.parent}:{cluster.environment['PATH']}"
