"""A cluster of Slurm's on one machine, for tests: each node has its own network, host name, processes and /tmp.

Needs root and namespaces. Nothing of the machine is changed but a bridge and the namespaces of its nodes, while it is up;
what it started ends with it, whatever left it: the first process of a node's namespace takes all others with it.

    with Cluster(nodes=4) as cluster:
        cluster.run(["srun", "-N2", "hostname"])
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = ("slurmctld", "slurmd", "srun", "sbatch", "scontrol", "munged", "ip", "nsenter", "unshare")
BRIDGE = "ddpbench0"
NETWORK = "10.77.0"
NETWORK_V6 = "fd77"
HOST_NUMBER = 254
CONTROLLER_PORT = 6817
LONG_ENOUGH = 600  # seconds, for anything, on a machine that has other work
CORES, GPUS = 40, 4  # of a node, which Slurm believes

SLURM_CONF = """
ClusterName=ddpbench
SlurmctldHost=controller({network}.{host_number})
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
KillWait=30
CompleteWait=0
InactiveLimit=0
MinJobAge=3600
SlurmctldTimeout=30
SlurmdTimeout=10
MessageTimeout=20
JobRequeue=1
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
DefMemPerCPU=100
EnforcePartLimits=ALL
DebugFlags=NO_CONF_HASH
NodeName=DEFAULT Sockets=2 CoresPerSocket={cores_per_socket} ThreadsPerCore=2 RealMemory=180000 Gres=gpu:{gpus}
NodeName={nodes} NodeAddr={network}.[11-{last}] State=UNKNOWN
PartitionName=all Nodes={nodes} Default=YES MaxTime=100:00:00 DefaultTime=00:10:00 State=UP
"""


def why_not() -> str:
    """Why no cluster can come up here; "" where one can."""
    missing = [program for program in PROGRAMS if shutil.which(program, path=search_path()) is None]
    if os.geteuid() != 0:
        return "needs root, for namespaces"
    if missing:
        return f"needs {', '.join(missing)}: apt-get install slurm-wlm munge iproute2"
    tried = subprocess.run(
        ["unshare", "--net", "--uts", "--ipc", "--pid", "--fork", "--mount", "true"], capture_output=True, check=False
    )
    return "" if tried.returncode == 0 else f"no namespaces: {tried.stderr.decode().strip()}"


def wait_for(condition: Callable[[], bool], what: str, seconds: float = LONG_ENOUGH) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"no {what}"
        time.sleep(0.05)


def die_with_parent() -> None:
    """However this process ends, the system then kills the child."""
    set_death_signal = 1  # PR_SET_PDEATHSIG, prctl(2)
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)


def search_path() -> str:
    return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


# Of a job, squeue(1), as far as these clusters have them; there are many others, such as SIGNALING.
ENDED = ("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED")


class Cluster:
    """`shared`: folders that every node sees although they lie under /tmp. `link`: one-way delay in microseconds and million bits
    a second of every node's link; None: as fast as the kernel's own bridge."""

    def __init__(self, nodes: int = 4, shared: tuple[Path, ...] = (), link: tuple[int, int] | None = None) -> None:
        self.names = [f"node{number}" for number in range(1, nodes + 1)]
        self.shared = shared
        self.link = link
        self.inits: dict[str, subprocess.Popen] = {}
        self.switch: subprocess.Popen | None = None

    def __enter__(self) -> Cluster:
        self.lock = open("/var/lock/ddpbench-cluster", "w")  # one at a time: its addresses are the machine's
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.folder = Path(tempfile.mkdtemp(prefix="ddpbench-cluster-", dir="/var/tmp"))
        self.work = self.folder / "work"  # a shared file system
        try:
            self.write_files()
            self.make_network()
            self.start_controller()
            for name in self.names:
                self.start_node(name)
            self.wait_until_idle()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for name in list(self.inits):
            self.kill_node(name)
        if self.switch:
            self.switch.kill()
            self.switch.wait()
        self.remove_network()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.lock.close()

    @property
    def environment(self) -> dict[str, str]:
        """For clients outside of the nodes."""
        own = {"SLURM_CONF": self.folder / "etc/slurm.conf", "XDG_CACHE_HOME": self.cache}
        return os.environ | {name: str(path) for name, path in own.items()} | {"PATH": search_path()}

    @property
    def cache(self) -> Path:
        """What programs remember of this cluster goes with it."""
        return self.work / "cache"

    def run(self, command: list[str], timeout: float = LONG_ENOUGH, **options) -> subprocess.CompletedProcess:
        options = {"env": self.environment, "cwd": self.work, "capture_output": True, "text": True, "check": False} | options
        return subprocess.run([str(word) for word in command], timeout=timeout, **options)

    def on(self, node: str, command: list[str], timeout: float = LONG_ENOUGH, **options) -> subprocess.CompletedProcess:
        """On a node, as root there."""
        entered = ["nsenter", f"--target={self.pid_of(node)}", "--all", f"--wd={self.work}"]
        return self.run([*entered, *command], timeout=timeout, **options)

    def script(self, name: str, text: str) -> Path:
        path = self.work / name
        path.write_text("#!/bin/bash\n" + text, encoding="utf-8")
        path.chmod(0o755)
        return path

    def submit(self, text: str, *options: str) -> int:
        """The number of the job."""
        done = self.run(["sbatch", "--parsable", *options, self.script("job.sh", text)])
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    def job(self, number: int | str) -> dict[str, str]:
        words = self.run(["scontrol", "show", "job", "--oneliner", str(number)]).stdout.split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    def wait_for_end(self, number: int, seconds: float = LONG_ENOUGH) -> dict[str, str]:
        deadline = time.monotonic() + seconds
        while (facts := self.job(number))["JobState"] not in ENDED:
            assert time.monotonic() < deadline, facts
            time.sleep(0.1)
        return facts

    def processes_on(self, name: str, word: str) -> list[int]:
        """Whose name it is, by their numbers outside of the node."""
        spaces = os.readlink(f"/proc/{self.pid_of(name)}/ns/pid")
        found = []
        for folder in Path("/proc").iterdir():
            try:
                if folder.name.isdigit() and os.readlink(folder / "ns/pid") == spaces and word in (folder / "comm").read_text():
                    found.append(int(folder.name))
            except OSError:
                continue  # it has ended, or is nobody's to look at
        return sorted(found)

    def cut_off(self, name: str) -> None:
        """As by a switch that fails: no word goes to the node or comes from it."""
        self.must("ip", "link", "set", self.link_of(name), "down")

    def revive(self, name: str) -> None:
        """After kill_node or cut_off."""
        self.must("ip", "link", "set", self.link_of(name), "up")
        if name not in self.inits:
            self.start_node(name)
        self.wait_until_idle(name)

    def kill_node(self, name: str) -> None:
        """As by a power cut: all of its processes end at once."""
        init = self.inits.pop(name)
        for child in Path(f"/proc/{init.pid}/task/{init.pid}/children").read_text().split() if init.poll() is None else []:
            os.kill(int(child), signal.SIGKILL)
        init.kill()
        init.wait()

    def pid_of(self, name: str) -> int:
        """Of the first process in the node's namespaces."""
        parent = self.inits[name].pid
        while not (children := Path(f"/proc/{parent}/task/{parent}/children").read_text().split()):
            time.sleep(0.01)
        return int(children[0])

    @staticmethod
    def space_of(name: str) -> str:
        return f"ddpbench-{name}"

    @staticmethod
    def link_of(name: str) -> str:
        return f"ddpb-{name}"

    def address_of(self, name: str) -> str:
        return f"{NETWORK}.{10 + self.names.index(name) + 1}"

    def v6_address_of(self, name: str) -> str:
        return f"{NETWORK_V6}::{10 + self.names.index(name) + 1}"  # the same digits, read as hexadecimal ones

    def write_files(self) -> None:
        for folder in ("etc", "log", "state", "spool", "devices", "private", "work"):
            (self.folder / folder).mkdir()
        self.folder.chmod(0o755)
        etc = self.folder / "etc"
        hosts = ["127.0.0.1 localhost", f"{NETWORK}.{HOST_NUMBER} controller {socket.gethostname()}"]
        hosts += [f"{self.address_of(name)} {name}" for name in self.names]
        (etc / "hosts").write_text("\n".join(hosts) + "\n", encoding="utf-8")
        (etc / "nsswitch.conf").write_text("passwd: files\ngroup: files\nhosts: files\n", encoding="utf-8")
        nodes = f"node[1-{len(self.names)}]"
        described = SLURM_CONF.format(
            network=NETWORK,
            host_number=HOST_NUMBER,
            folder=self.folder,
            nodes=nodes,
            last=10 + len(self.names),
            cores_per_socket=CORES // 2,
            gpus=GPUS,
        )
        (etc / "slurm.conf").write_text(described, encoding="utf-8")
        (etc / "plugstack.conf").touch()
        for number in range(GPUS):
            os.mknod(self.folder / f"devices/nvidia{number}", 0o666 | 0o020000, os.makedev(1, 3))
        gres = f"AutoDetect=off\nNodeName={nodes} Name=gpu File={self.folder}/devices/nvidia[0-{GPUS - 1}]\n"
        (etc / "gres.conf").write_text(gres, encoding="utf-8")
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o600)
        (self.folder / "shared").write_text("".join(f"{folder}\n" for folder in self.shared), encoding="utf-8")
        for name in self.names:
            (self.folder / "spool" / name).mkdir()

    def remove_network(self) -> None:
        """The links first: a namespace goes some time after it was deleted."""
        for name in self.names:
            subprocess.run(["ip", "link", "del", self.link_of(name)], capture_output=True, check=False)
            subprocess.run(["ip", "netns", "del", self.space_of(name)], capture_output=True, check=False)
        subprocess.run(["ip", "link", "del", BRIDGE], capture_output=True, check=False)

    def make_network(self) -> None:
        self.remove_network()  # of a test that was killed
        for name in self.names:
            self.must("ip", "netns", "add", self.space_of(name))
        if self.link:
            self.connect_by_slow_switch(*self.link)
        else:
            self.connect_by_bridge()
        self.must("ip", "addr", "add", f"{NETWORK}.{HOST_NUMBER}/24", "dev", BRIDGE)
        self.must("ip", "link", "set", BRIDGE, "up")
        for name in self.names:
            inside = ["ip", "-n", self.space_of(name)]
            self.must(*inside, "link", "set", "lo", "up")
            self.must(*inside, "addr", "add", f"{self.address_of(name)}/24", "dev", "eth0")
            self.must(*inside, "addr", "add", f"{self.v6_address_of(name)}/64", "dev", "eth0", "nodad")
            self.must(*inside, "link", "set", "eth0", "up")
            self.must(*inside, "route", "add", "default", "via", f"{NETWORK}.{HOST_NUMBER}")

    def connect_by_bridge(self) -> None:
        self.must("ip", "link", "add", BRIDGE, "type", "bridge", "forward_delay", "0")
        for name in self.names:
            self.must(
                "ip", "link", "add", self.link_of(name), "type", "veth", "peer", "name", "eth0", "netns", self.space_of(name)
            )
            self.must("ip", "link", "set", self.link_of(name), "master", BRIDGE, "up")

    def connect_by_slow_switch(self, delay_us: int, mbit: int) -> None:
        places = [f":{BRIDGE}", *(f"{self.space_of(name)}:eth0" for name in self.names)]
        command = [sys.executable, HERE / "slow_switch.py", str(delay_us), str(mbit), *places]
        self.switch = subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=die_with_parent)
        if self.switch.stdout.readline() != b"ready\n":
            raise RuntimeError("the slow switch did not start")
        self.must("ip", "link", "set", BRIDGE, "mtu", "9000")
        for name in self.names:
            self.must("ip", "-n", self.space_of(name), "link", "set", "eth0", "mtu", "9000")

    def start_controller(self) -> None:
        files = {"socket": "munge.socket", "key-file": "munge.key", "pid-file": "munged.pid", "seed-file": "munge.seed"}
        options = [f"--{name}={self.folder}/{file}" for name, file in files.items()]
        munge = f"munged -F {' '.join(options)} --log-file={self.folder}/log/munged.log --num-threads=4"
        slurm = (
            f"while ! [ -S {self.folder}/munge.socket ]; do sleep 0.02; done; exec slurmctld -D -f {self.folder}/etc/slurm.conf"
        )
        self.start_init("controller", [], ["bash", "-c", f"{munge} & {slurm}"])

    def start_node(self, name: str) -> None:
        slurmd = ["slurmd", "-D", "-N", name, "-f", f"{self.folder}/etc/slurm.conf"]
        self.start_init(name, ["nsenter", f"--net=/run/netns/{self.space_of(name)}"], slurmd)

    def start_init(self, name: str, inside: list[str], program: list[str]) -> None:
        spaces = ["unshare", "--uts", "--ipc", "--pid", "--fork", "--kill-child=KILL", "--mount", "--mount-proc"]
        command = [*inside, *spaces, str(HERE / "node_init.sh"), name, str(self.folder), *program]
        with open(self.folder / f"log/{name}.out", "w") as log:
            self.inits[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment, start_new_session=True,
                preexec_fn=die_with_parent,
            )  # fmt: skip

    def wait_until_idle(self, revived: str = "") -> None:
        """A node that comes back is resumed as often as Slurm takes it for down: once may come before Slurm knows of its loss."""
        deadline = time.monotonic() + LONG_ENOUGH
        states: dict[str, str] = {}
        while time.monotonic() < deadline and self.inits["controller"].poll() is None:
            states = self.node_states() if self.answers() else {}
            if [states.get(name) for name in self.names] == ["idle"] * len(self.names):
                return
            if states.get(revived, "").startswith(("down", "drain")):
                self.run(["scontrol", "update", f"nodename={revived}", "state=resume"])
            time.sleep(0.2)
        logs = "\n".join(f"{path.name}: {path.read_text()[-600:]}" for path in sorted((self.folder / "log").iterdir()))
        raise RuntimeError(f"the cluster did not come up: {states}\n{logs}")

    def answers(self) -> bool:
        """Asked first: a client of a controller that is not there waits for long."""
        try:
            socket.create_connection((f"{NETWORK}.{HOST_NUMBER}", CONTROLLER_PORT), timeout=1).close()
        except OSError:
            return False
        return True

    def node_states(self) -> dict[str, str]:
        """As sinfo(1) names them; "*" behind one that does not answer."""
        lines = self.run(["sinfo", "-h", "-N", "-o", "%N %t"]).stdout.splitlines()
        return dict(line.split() for line in lines)

    def must(self, *command: str) -> None:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
