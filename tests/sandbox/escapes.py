"""Attempts to get out of a sandbox: bodies of a function that returns what it reached and raises OSError when it was stopped.

They find these names: FOLDER and SECRET (a folder and a file outside), TEXT and LINK (a readable file, and a link beside it to
the secret), PORT, UNIX, DATAGRAM and ABSTRACT (listening sockets), PARENT (the host's process), `call(number, *arguments)` (a raw
system call that raises OSError) and NUMBERS (the architecture's system call numbers).
"""

from __future__ import annotations

PRELUDE = """
import ctypes, errno, fcntl, mmap, os, pickle, resource, signal, socket, struct, subprocess, threading
_libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    ctypes.set_errno(0)
    result = _libc.syscall(ctypes.c_long(number), *(a if isinstance(a, bytes) else ctypes.c_long(a) for a in arguments))
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return f"system call {number} returned {result}"
def check(attempt):
    try:
        reached = attempt()
    except (OSError, MemoryError, ValueError, RuntimeError) as error:
        print("stopped", type(error).__name__, error)
    else:
        print("reached" if reached else "stopped", reached)
"""

# Those that reach their goal when there is no wall, tried so as well: an attempt that never worked would prove nothing.
REAL = {
    # files
    "read a file": "return open(SECRET).read()",
    "read the passwords": "return open('/etc/passwd').read()",
    "list the root": "return os.listdir('/')",
    "list a folder": "return os.listdir(FOLDER)",
    "follow a link out of the readable folder": "return open(LINK).read()",
    "climb out of the readable folder": "return open(os.path.dirname(TEXT) + '/../outside/secret').read()",
    "open below a path descriptor": "return os.read(os.open('secret', os.O_RDONLY, dir_fd=os.open(FOLDER, os.O_PATH)), 9)",
    "reopen through /proc": "return os.open(f'/proc/self/fd/{os.open(SECRET, os.O_PATH)}', os.O_RDONLY)",
    "read through the root of /proc": "return open('/proc/self/root' + SECRET).read()",
    "read the environment of the host": "return open(f'/proc/{PARENT}/environ', 'rb').read()",
    "read the own command line": "return open('/proc/self/cmdline', 'rb').read()",
    "write a file": "return open(FOLDER + '/new', 'w')",
    "write to /tmp": "import tempfile\nreturn tempfile.TemporaryFile()",
    "write the readable file": "return open(TEXT, 'r+b')",
    "append to the readable file": "return open(TEXT, 'ab')",
    "write shared memory": "fd = os.open('/dev/shm/redwell-escape', os.O_CREAT | os.O_RDWR)\nos.unlink('/dev/shm/redwell-escape')\nreturn fd",
    "truncate a file": "return os.truncate(SECRET, 0) is None",
    "delete a file": "return os.unlink(SECRET) is None",
    "rename a file": "return os.rename(SECRET, SECRET + '2') is None",
    "make a folder": "return os.mkdir(FOLDER + '/d') is None",
    "make a symbolic link": "return os.symlink(SECRET, FOLDER + '/l') is None",
    "make a hard link": "return os.link(SECRET, FOLDER + '/h') is None",
    "make a fifo": "return os.mkfifo(FOLDER + '/f') is None",
    "change the mode": "return os.chmod(SECRET, 0o777) is None",
    "change the times": "return os.utime(SECRET) is None",
    "change the folder": "return os.chdir(FOLDER) is None",
    "watch a folder": "return call(NUMBERS['inotify_init1'], 0)",
    "lock the readable file": "return fcntl.flock(open(TEXT), fcntl.LOCK_EX) is None",
    "lock the readable file for reading": "return fcntl.lockf(open(TEXT), fcntl.LOCK_SH) is None",
    "be told of leases on the readable file": "return fcntl.fcntl(open(TEXT), fcntl.F_NOTIFY, 0) == 0",
    # sockets
    "connect by TCP": "return socket.create_connection(('127.0.0.1', PORT), 1)",
    "listen by TCP": "return socket.create_server(('127.0.0.1', 0))",
    "make a UDP socket": "return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "connect to a path": "s = socket.socket(socket.AF_UNIX)\ns.connect(UNIX)\nreturn s",
    "connect to an abstract name": "s = socket.socket(socket.AF_UNIX)\ns.connect(ABSTRACT)\nreturn s",
    "send from a pair to a path": "a, b = socket.socketpair(type=socket.SOCK_DGRAM)\nreturn a.sendto(b'x', DATAGRAM)",
    "pass a descriptor": "a, b = socket.socketpair()\nreturn socket.send_fds(a, [b'x'], [0])",
    "make a netlink socket": "return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
    # processes
    "fork": "pid = os.fork()\nif not pid: os._exit(0)\nreturn os.waitpid(pid, 0)",
    "run a program": "return subprocess.run(['/bin/true'], check=True)",
    "run a shell": "return os.system('exit 0') == 0",
    "spawn a program": "pid = os.posix_spawn('/bin/true', ['true'], {})\nreturn os.waitpid(pid, 0)",
    "unpickle a command": "return pickle.loads(b\"cposix\\nsystem\\n(S'exit 0'\\ntR.\") == 0",
    "signal the host": "return os.kill(PARENT, 0) is None",
    "signal a thread of the host": "return call(NUMBERS['tgkill'], PARENT, PARENT, 0)",
    "signal the host's group": "return os.killpg(os.getpgid(PARENT), 0) is None",
    "signal everyone": "return os.kill(-1, 0) is None",
    "open the host's process": "return os.pidfd_open(PARENT)",
    "own signals of a descriptor": "a, b = socket.socketpair()\nreturn fcntl.fcntl(a, fcntl.F_SETOWN, PARENT) == 0",
    "own signals of a socket": "a, b = socket.socketpair()\nreturn fcntl.ioctl(a, 0x8901, struct.pack('i', PARENT))",
    "read the host's limits": "return resource.prlimit(PARENT, resource.RLIMIT_NOFILE)",
    "read the host's affinity": "return os.sched_getaffinity(PARENT)",
    "set the host's affinity": "return os.sched_setaffinity(PARENT, os.sched_getaffinity(PARENT)) is None",
    "read the host's schedule": "return str(os.sched_getscheduler(PARENT))",
    "set the host's priority": "return os.setpriority(os.PRIO_PROCESS, PARENT, os.getpriority(os.PRIO_PROCESS, PARENT)) is None",
    "set the own affinity": "return os.sched_setaffinity(0, os.sched_getaffinity(0)) is None",
    # the kernel
    "make a file in memory": "return os.memfd_create('x')",
    "make an event descriptor": "return os.eventfd(0)",
    "make a pipe": "return os.pipe()",
    "make a message queue": "return call(NUMBERS['msgget'], 0, 0o1600)",
    "make a key": "return call(NUMBERS['add_key'], b'user\\0', b'redwell\\0', b'x', 1, -2)",
    "reach io_uring": "return _libc.syscall(NUMBERS['io_uring_setup'], 0, 0) and ctypes.get_errno() != errno.EPERM",
    "reach userfaultfd": "return call(NUMBERS['userfaultfd'], 1)",
    "set the personality": "return call(NUMBERS['personality'], 0xFFFFFFFF)",
    "rename the process's host": "return call(NUMBERS['unshare'], 0)",
}

# Those that a plain process may not do either, or only a privileged one; or that would harm the tests without a wall.
GUARDED = {
    "map the readable file for writing": "return mmap.mmap(os.open(TEXT, os.O_RDONLY), 0, mmap.MAP_SHARED, mmap.PROT_WRITE)",
    "open the readable file for truncation": "return os.open(TEXT, os.O_RDONLY | os.O_TRUNC)",
    "read the memory of the host": "return open(f'/proc/{PARENT}/mem', 'rb')",
    "find a key in the environment": "return [v for v in os.environ.values() if 'key-of-the-host' in v]",
    "find a key in the memory of the environment": "return _libc.getenv(b'REDWELL_TEST_KEY')",
    "find other variables": "return sorted(set(os.environ) - {'LANG', 'PYTHONHASHSEED', 'TZ', 'PWD'})",
    "read what the host reads": "return os.read(0, 1)",
    "make a device": "return os.mknod(FOLDER + '/n', 0o600 | 0x2000, os.makedev(1, 3))",
    "change the owner": "return os.chown(SECRET, 12345, 12345)",
    "change the root": "return os.chroot(FOLDER)",
    "make a raw socket": "return socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
    "make a packet socket": "return socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "make a vsock": "return socket.socket(getattr(socket, 'AF_VSOCK', 40), socket.SOCK_STREAM)",
    "trace the host": "return call(NUMBERS['ptrace'], 0x4206, PARENT, 0, 0)",
    "read the host's memory": "return call(NUMBERS['process_vm_readv'], PARENT, 0, 0, 0, 0, 0)",
    "send a made-up signal": "return call(NUMBERS['rt_sigqueueinfo'], PARENT, 0, 0)",
    "become root": "return os.setuid(0) or 'uid 0'",
    "become another": "return os.setresuid(1, 1, 1) or 'uid 1'",
    "change the groups": "return os.setgroups([0]) or 'groups'",
    "raise the memory limit": "return resource.setrlimit(resource.RLIMIT_AS, (-1, -1)) or 'raised'",
    "raise the limit on files": "return resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096)) or 'raised'",
    "become dumpable again": "return _libc.prctl(4, 1, 0, 0, 0) == 0",
    "take off no_new_privs": "return _libc.prctl(38, 0, 0, 0, 0) == 0",
    "add a filter of its own": "return _libc.prctl(22, 1, 0, 0, 0) == 0",
    "take more memory than is allowed": "return bytearray(2 << 30)",
    "map more memory than is allowed": "return mmap.mmap(-1, 2 << 30)",
    "start threads without end": (
        "go, threads = threading.Event(), []\ntry:\n    for n in range(20_000):\n"
        "        threads.append(threading.Thread(target=go.wait))\n        threads[-1].start()\n"
        "    return len(threads)\nfinally:\n    go.set()\n    for thread in threads[:-1]: thread.join()"
    ),
    "open files without end": "return [open(TEXT) for n in range(5000)]",
    "type on the host's terminal": "return fcntl.ioctl(0, 0x5412, b'x')",
    "make a namespace": "return call(NUMBERS['unshare'], 0x10000000)",
    "clone into a namespace": "return call(NUMBERS['clone'], 0x10000000 | 17, 0, 0, 0, 0)",
    "clone a process": "return call(NUMBERS['clone'], 0x00000100 | 0x00000800 | 17, 0, 0, 0, 0) and 0",
}

# name: (x86-64, arm64)
NUMBERS = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "clone": (56, 220),
    "clone3": (435, 435),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "fsopen": (430, 430),
    "init_module": (175, 105),
    "inotify_init1": (294, 26),
    "io_uring_setup": (425, 425),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "landlock_create_ruleset": (444, 444),
    "mlock": (149, 228),
    "mount": (165, 40),
    "move_mount": (429, 429),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "request_key": (249, 218),
    "rt_sigqueueinfo": (129, 138),
    "seccomp": (317, 277),
    "semget": (64, 190),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "setxattr": (188, 5),
    "shmget": (29, 194),
    "signalfd4": (289, 74),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "tgkill": (234, 131),
    "timer_create": (222, 107),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vmsplice": (278, 75),
}

# Parts of the kernel that no cell needs. Called with -1 for every argument none does anything.
KERNEL = [
    "bpf",
    "fanotify_init",
    "keyctl",
    "kexec_load",
    "mount",
    "move_mount",
    "fsopen",
    "open_by_handle_at",
    "name_to_handle_at",
    "perf_event_open",
    "process_vm_writev",
    "pidfd_getfd",
    "quotactl",
    "setns",
    "swapon",
    "syslog",
    "delete_module",
    "init_module",
    "clone3",
    "landlock_create_ruleset",
    "seccomp",
    "semget",
    "shmget",
    "mq_open",
    "timer_create",
    "signalfd4",
    "acct",
    "pivot_root",
    "settimeofday",
    "setxattr",
    "mlock",
    "vmsplice",
    "request_key",
]
