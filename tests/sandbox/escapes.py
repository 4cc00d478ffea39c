"""Attempts to get out of a sandbox: bodies of a function that returns what it reached and raises OSError when it was stopped.

They find these names: FOLDER and SECRET (a folder and a file outside), TEXT and LINK (a readable file, and a link beside it to
the secret), PORT, UNIX, DATAGRAM and ABSTRACT (listening sockets), PARENT (the host's process), NEIGHBOUR (another process of the
host), `call(number, *arguments)` (a raw system call that raises OSError) and NUMBERS (system call numbers). `python -m
endurance.escapes` prints what came of each, behind the walls of each backend and without them.
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

ATTEMPTS: dict[str, dict[str, str]] = {
    "files": {
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
        "write to /tmp": ("import tempfile\nreturn tempfile.TemporaryFile()"),
        "write the readable file": "return open(TEXT, 'r+b')",
        "append to the readable file": "return open(TEXT, 'ab')",
        "write shared memory": (
            "fd = os.open('/dev/shm/redwell-escape', os.O_CREAT | os.O_RDWR)\n"
            "os.unlink('/dev/shm/redwell-escape')\n"
            "return fd"
        ),
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
        "map the readable file for writing": "return mmap.mmap(os.open(TEXT, os.O_RDONLY), 0, mmap.MAP_SHARED, mmap.PROT_WRITE)",
        "open the readable file for truncation": "return os.open(TEXT, os.O_RDONLY | os.O_TRUNC)",
        "open by the newest call": (
            "how = struct.pack('QQQ', 0, 0, 0)\n"
            "return call(NUMBERS['openat2'], -100, SECRET.encode() + b'\\0', how, len(how))"
        ),
        "open by a handle": (
            "handle, mount = ctypes.create_string_buffer(struct.pack('Ii', 128, 0) + bytes(128)), ctypes.c_int()\n"
            "call(NUMBERS['name_to_handle_at'], -100, SECRET.encode() + b'\\0', ctypes.addressof(handle), ctypes.addressof(mount), 0)\n"
            "return call(NUMBERS['open_by_handle_at'], os.open(FOLDER, os.O_RDONLY), ctypes.addressof(handle), 0)"
        ),
        "make a file without a name": "return os.open(FOLDER, os.O_TMPFILE | os.O_RDWR)",
        "take up the disk": (
            "fd = os.open(FOLDER + '/big', os.O_CREAT | os.O_RDWR)\nos.posix_fallocate(fd, 0, 1 << 20)\nreturn fd"
        ),
        "change the mode of the readable file": "return os.fchmod(os.open(TEXT, os.O_RDONLY), 0o777) is None",
        "set an attribute of the readable file": "return os.setxattr(os.open(TEXT, os.O_RDONLY), 'user.redwell', b'x') is None",
        "hold a lease on the readable file": "return fcntl.fcntl(open(TEXT), 1024, 0) == 0",
        "read the memory of the machine": (
            "for path in ('/dev/mem', '/proc/kcore', '/dev/kmsg', '/dev/vda', '/dev/sda'):\n"
            "    try: return os.open(path, os.O_RDONLY)\n"
            "    except OSError as error: last = error\n"
            "raise last"
        ),
        "learn where the host runs": "return os.readlink(f'/proc/{PARENT}/cwd')",
        "list the descriptors of the host": "return os.listdir(f'/proc/{PARENT}/fd')",
        "read the map of a neighbour's memory": "return open(f'/proc/{NEIGHBOUR}/maps').read()",
        "choose a neighbour to be killed first": "return open(f'/proc/{NEIGHBOUR}/oom_score_adj', 'w').write('900')",
        "make a file system": "return call(NUMBERS['fsopen'], b'tmpfs\\0', 0)",
        "take a tree of mounts": "return call(NUMBERS['open_tree'], -100, b'/\\0', 1)",
    },
    "sockets": {
        "connect by TCP": "return socket.create_connection(('127.0.0.1', PORT), 1)",
        "listen by TCP": "return socket.create_server(('127.0.0.1', 0))",
        "make a UDP socket": "return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "connect to a path": ("s = socket.socket(socket.AF_UNIX)\ns.connect(UNIX)\nreturn s"),
        "connect to an abstract name": ("s = socket.socket(socket.AF_UNIX)\ns.connect(ABSTRACT)\nreturn s"),
        "send from a pair to a path": (
            "a, b = socket.socketpair(type=socket.SOCK_DGRAM)\nreturn a.sendto(b'x', DATAGRAM)"
        ),
        "pass a descriptor": ("a, b = socket.socketpair()\nreturn socket.send_fds(a, [b'x'], [0])"),
        "make a netlink socket": "return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
        "make a raw socket": "return socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
        "make a packet socket": "return socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
        "make a vsock": "return socket.socket(getattr(socket, 'AF_VSOCK', 40), socket.SOCK_STREAM)",
        "listen by IPv6": "return socket.create_server(('::1', 0), family=socket.AF_INET6)",
        "make a local datagram socket": "return socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)",
        "make a local socket of packets": "return socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)",
        "make a pair of packets": "return socket.socketpair(type=socket.SOCK_SEQPACKET)",
        "bind a pair to a path": ("a, b = socket.socketpair()\na.bind(FOLDER + '/pair')\nreturn a"),
        "bind a pair to an abstract name": ("a, b = socket.socketpair()\na.bind(ABSTRACT + '-2')\nreturn a"),
        "receive a descriptor": ("a, b = socket.socketpair()\na.send(b'x')\nreturn b.recvmsg(1, 64)"),
        "ask who is at the other end": (
            "a, b = socket.socketpair()\nreturn a.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)"
        ),
        "widen the buffers of a socket": (
            "a, b = socket.socketpair()\nreturn a.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24) is None"
        ),
        "make a crypto socket": "return socket.socket(38, 5)",
        "make a bluetooth socket": "return socket.socket(31, 3)",
        "make a CAN socket": "return socket.socket(29, 3)",
        "make a key socket": "return socket.socket(15, 3)",
        "make a TIPC socket": "return socket.socket(30, 2)",
        "make a SMC socket": "return socket.socket(43, 1)",
        "make a XDP socket": "return socket.socket(44, 3)",
        "make a RDS socket": "return socket.socket(21, 5)",
        "make a Qualcomm socket": "return socket.socket(42, 2)",
    },
    "processes": {
        "fork": ("pid = os.fork()\nif not pid: os._exit(0)\nreturn os.waitpid(pid, 0)"),
        "run a program": "return subprocess.run(['/bin/true'], check=True)",
        "run a shell": "return os.system('exit 0') == 0",
        "spawn a program": ("pid = os.posix_spawn('/bin/true', ['true'], {})\nreturn os.waitpid(pid, 0)"),
        "unpickle a command": "return pickle.loads(b\"cposix\\nsystem\\n(S'exit 0'\\ntR.\") == 0",
        "clone a process": "return call(NUMBERS['clone'], 0x00000100 | 0x00000800 | 17, 0, 0, 0, 0) and 0",
        "clone into a namespace": "return call(NUMBERS['clone'], 0x10000000 | 17, 0, 0, 0, 0)",
        "clone by the newest call": (
            "arguments = struct.pack('11Q', 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)\n"
            "pid = _libc.syscall(NUMBERS['clone3'], arguments, 88)\n"
            "if pid == 0: os._exit(0)\n"
            "if pid < 0: raise OSError(ctypes.get_errno(), 'clone3')\n"
            "return os.waitpid(pid, 0)"
        ),
        "replace the program": (
            "try: os.execve('/nonexistent', ['x'], {})\nexcept FileNotFoundError: return 'the kernel looked for it'"
        ),
        "replace the program by a descriptor": (
            "try: return call(NUMBERS['execveat'], -100, b'/nonexistent\\0', 0, 0, 0)\n"
            "except FileNotFoundError: return 'the kernel looked for it'"
        ),
        "run a program from memory": (
            "fd = os.memfd_create('x')\n"
            "os.write(fd, open('/bin/true', 'rb').read())\n"
            "pid = os.fork()\n"
            "if not pid: os.execve(fd, ['true'], {})\n"
            "return os.waitpid(pid, 0)"
        ),
    },
    "signals and tracing": {
        "signal the host": "return os.kill(PARENT, 0) is None",
        "signal a thread of the host": "return call(NUMBERS['tgkill'], PARENT, PARENT, 0)",
        "signal the host's group": "return os.killpg(os.getpgid(PARENT), 0) is None",
        "signal everyone": "return os.kill(-1, 0) is None",
        "open the host's process": "return os.pidfd_open(PARENT)",
        "own signals of a descriptor": (
            "a, b = socket.socketpair()\nreturn fcntl.fcntl(a, fcntl.F_SETOWN, PARENT) == 0"
        ),
        "own signals of a socket": (
            "a, b = socket.socketpair()\nreturn fcntl.ioctl(a, 0x8901, struct.pack('i', PARENT))"
        ),
        "trace the host": "return call(NUMBERS['ptrace'], 0x4206, PARENT, 0, 0)",
        "read the host's memory": "return call(NUMBERS['process_vm_readv'], PARENT, 0, 0, 0, 0, 0)",
        "read the memory of the host": "return open(f'/proc/{PARENT}/mem', 'rb')",
        "send a made-up signal": "return call(NUMBERS['rt_sigqueueinfo'], PARENT, 0, 0)",
        "kill a neighbour": "return os.kill(NEIGHBOUR, signal.SIGKILL) is None",
        "kill a neighbour's thread": "return call(NUMBERS['tkill'], NEIGHBOUR, 9)",
        "kill a neighbour by its descriptor": "return signal.pidfd_send_signal(os.pidfd_open(NEIGHBOUR), signal.SIGKILL) is None",
        "kill a neighbour by its folder": "return signal.pidfd_send_signal(os.open(f'/proc/{NEIGHBOUR}', os.O_RDONLY), signal.SIGKILL) is None",
        "trace a neighbour": (
            "seized = call(NUMBERS['ptrace'], 0x4206, NEIGHBOUR, 0, 0)\n"
            "call(NUMBERS['ptrace'], 0x4207, NEIGHBOUR, 0, 0)\n"
            "os.waitpid(NEIGHBOUR, 0x40000000)\n"
            "call(NUMBERS['ptrace'], 17, NEIGHBOUR, 0, 0)\n"
            "return seized"
        ),
        "take a neighbour's descriptor": "return call(NUMBERS['pidfd_getfd'], os.pidfd_open(NEIGHBOUR), 0, 0)",
        "write a neighbour's memory": "return call(NUMBERS['process_vm_writev'], NEIGHBOUR, 0, 0, 0, 0, 0)",
        "choose the signal of a descriptor": ("a, b = socket.socketpair()\nreturn fcntl.fcntl(a, 10, 9) == 0"),
        "be signalled by a socket": (
            "a, b = socket.socketpair()\nreturn fcntl.ioctl(a, 0x5452, struct.pack('i', 0)) is not None"
        ),
    },
    "limits and affinity": {
        "read the host's limits": "return resource.prlimit(PARENT, resource.RLIMIT_NOFILE)",
        "read the host's affinity": "return os.sched_getaffinity(PARENT)",
        "set the host's affinity": "return os.sched_setaffinity(PARENT, os.sched_getaffinity(PARENT)) is None",
        "read the host's schedule": "return str(os.sched_getscheduler(PARENT))",
        "set the host's priority": "return os.setpriority(os.PRIO_PROCESS, PARENT, os.getpriority(os.PRIO_PROCESS, PARENT)) is None",
        "set the own affinity": "return os.sched_setaffinity(0, os.sched_getaffinity(0)) is None",
        "raise the memory limit": "return resource.setrlimit(resource.RLIMIT_AS, (-1, -1)) or 'raised'",
        "raise the limit on files": "return resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096)) or 'raised'",
        "open files without end": "return [open(TEXT) for n in range(5000)]",
        "set a neighbour's limits": "return resource.prlimit(NEIGHBOUR, resource.RLIMIT_NOFILE, (8, 8))",
        "set a neighbour's priority": "return os.setpriority(os.PRIO_PROCESS, NEIGHBOUR, 19) is None",
        "set a neighbour's priority on the disk": "return call(NUMBERS['ioprio_set'], 1, NEIGHBOUR, 3 << 13)",
        "set a neighbour's schedule": "return os.sched_setscheduler(NEIGHBOUR, os.SCHED_IDLE, os.sched_param(0)) is None",
    },
    "environment and descriptors": {
        "find a key in the environment": "return [v for v in os.environ.values() if 'key-of-the-host' in v]",
        "find a key in the memory of the environment": "return _libc.getenv(b'REDWELL_TEST_KEY')",
        "read what the host reads": "return os.read(0, 1)",
        "type on the host's terminal": "return fcntl.ioctl(0, 0x5412, b'x')",
        "find other variables": "return sorted(set(os.environ) - {'LANG', 'PYTHONHASHSEED', 'TZ', 'PWD'})",
    },
    "privileges": {
        "become root": "return os.setuid(0) or 'uid 0'",
        "become another": "return os.setresuid(1, 1, 1) or 'uid 1'",
        "change the groups": "return os.setgroups([0]) or 'groups'",
        "become dumpable again": "return _libc.prctl(4, 1, 0, 0, 0) == 0",
        "take off no_new_privs": "return _libc.prctl(38, 0, 0, 0, 0) == 0",
        "add a filter of its own": "return _libc.prctl(22, 1, 0, 0, 0) == 0",
        "change the root": "return os.chroot(FOLDER)",
        "make a device": "return os.mknod(FOLDER + '/n', 0o600 | 0x2000, os.makedev(1, 3))",
        "change the owner": "return os.chown(SECRET, 12345, 12345)",
        "make a namespace": "return call(NUMBERS['unshare'], 0x10000000)",
        "outlive the host": "return _libc.prctl(1, 0, 0, 0, 0) == 0",
        "become the parent of orphans": "return _libc.prctl(36, 1, 0, 0, 0) == 0",
        "change the map of its memory": "return _libc.prctl(35, 1, 0, 0, 0) == 0",
        "join the network of all": "return call(NUMBERS['setns'], os.open('/proc/self/ns/net', os.O_RDONLY), 0)",
        "name the machine": "return socket.sethostname(socket.gethostname()) is None",
        "ask for Landlock": "return call(NUMBERS['landlock_create_ruleset'], 0, 0, 1)",
        "change the group": "return os.setresgid(1, 1, 1) or 'gid 1'",
    },
    "memory and threads": {
        "take more memory than is allowed": "return bytearray(2 << 30)",
        "map more memory than is allowed": "return mmap.mmap(-1, 2 << 30)",
        "start threads without end": (
            "go, threads = threading.Event(), []\n"
            "try:\n"
            "    for n in range(20_000):\n"
            "        threads.append(threading.Thread(target=go.wait))\n"
            "        threads[-1].start()\n"
            "    return len(threads)\n"
            "finally:\n"
            "    go.set()\n"
            "    for thread in threads[:-1]: thread.join()"
        ),
        "lock memory": (
            "page = mmap.mmap(-1, 4096)\n"
            "return call(NUMBERS['mlock'], ctypes.addressof(ctypes.c_char.from_buffer(page)), 4096)"
        ),
        "lock all memory": "return call(NUMBERS['mlockall'], 2)",
        "map locked memory": "return mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x2000)",
        "map huge pages": "return mmap.mmap(-1, 2 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)",
        "share memory by System V": (
            "segment = _libc.shmget(0, 4096, 0o1600)\n"
            "if segment < 0: raise OSError(ctypes.get_errno(), 'shmget')\n"
            "_libc.shmctl(segment, 0, None)\n"
            "return f'segment {segment}'"
        ),
        "make memory that the kernel cannot see": "return call(NUMBERS['memfd_secret'], 0)",
        "start threads with small stacks without end": (
            "import _thread\n"
            "threading.stack_size(32768)\n"
            "gate, started = threading.Lock(), 0\n"
            "gate.acquire()\n"
            "def wait():\n"
            "    with gate: pass\n"
            "try:\n"
            "    for started in range(20_000): _thread.start_new_thread(wait, ())\n"
            "    return started\n"
            "finally:\n"
            "    gate.release()\n"
            "    threading.stack_size(0)"
        ),
    },
    "kernel interfaces": {
        "make a file in memory": "return os.memfd_create('x')",
        "make an event descriptor": "return os.eventfd(0)",
        "make a pipe": "return os.pipe()",
        "make a message queue": (
            "queue = _libc.msgget(0, 0o1600)\n"
            "if queue < 0: raise OSError(ctypes.get_errno(), 'msgget')\n"
            "_libc.msgctl(queue, 0, None)\n"
            "return f'queue {queue}'"
        ),
        "make a key": "return call(NUMBERS['add_key'], b'user\\0', b'redwell\\0', b'x', 1, -2)",
        "reach io_uring": "return _libc.syscall(NUMBERS['io_uring_setup'], 0, 0) and ctypes.get_errno() != errno.EPERM",
        "reach userfaultfd": "return call(NUMBERS['userfaultfd'], 1)",
        "set the personality": "return call(NUMBERS['personality'], 0xFFFFFFFF)",
        "rename the process's host": "return call(NUMBERS['unshare'], 0)",
        "send a file past the program": (
            "a, b = socket.socketpair()\nreturn os.sendfile(a.fileno(), os.open(TEXT, os.O_RDONLY), 0, 4)"
        ),
        "make a timer that is a file": "return call(NUMBERS['timerfd_create'], 1, 0)",
        "make a POSIX message queue": (
            "try: return call(NUMBERS['mq_open'], b'redwell-escape\\0', 0o102, 0o600, 0)\n"
            "finally: _libc.syscall(NUMBERS['mq_unlink'], b'redwell-escape')"
        ),
        "make semaphores": (
            "semaphores = _libc.semget(0, 1, 0o1600)\n"
            "if semaphores < 0: raise OSError(ctypes.get_errno(), 'semget')\n"
            "_libc.semctl(semaphores, 0, 0)\n"
            "return f'semaphores {semaphores}'"
        ),
        "ask for a key": (
            "try: return call(NUMBERS['request_key'], b'user\\0', b'redwell\\0', 0, -2)\n"
            "except OSError as error:\n"
            "    if error.errno == 126: return 'there is no such key'\n"
            "    raise"
        ),
        "watch all files": "return call(NUMBERS['fanotify_init'], 0, 0)",
        "count events of the machine": "return call(NUMBERS['perf_event_open'], struct.pack('IIQ', 1, 128, 0) + bytes(112), 0, -1, -1, 0)",
        "load a program into the kernel": "return call(NUMBERS['bpf'], 0, struct.pack('IIII', 2, 4, 4, 1) + bytes(112), 128)",
        "read the kernel's log": "return call(NUMBERS['syslog'], 10, 0, 0)",
    },
    "other entries of x86-64": {
        "call by the 32-bit entry": (
            "page = mmap.mmap(-1, 4096, prot=7)\n"
            "page.write(bytes.fromhex('b814000000cd80c3'))  # getpid: mov eax, 20; int 0x80; ret\n"
            "return ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()"
        ),
        "call by an x32 number": "return call(0x40000000 + 39)",
        "change a segment": "return call(154, 0, 0, 0) or 'modify_ldt'",
        "move a segment's base": ("base = ctypes.c_ulong()\nreturn call(158, 0x1004, ctypes.addressof(base))"),
        "fork by vfork": "return call(58)",
        # A loop of clone, whose threads share one stack that they do not use: they wait on a futex. It returns how many there are.
        "start threads in machine code": (
            "page = mmap.mmap(-1, 8192, prot=7)\n"
            "page.write(bytes.fromhex('4154415541564189fc4989f64531edb838000000bf000f050031f631d24531d24531c00f0585'\n"
            "    'c07414780841ffc541ffcc75dc4489e8415e415d415cc34c89f7b8ca00000031f631d24531d20f05ebed'))\n"
            "at = ctypes.addressof(ctypes.c_char.from_buffer(page))\n"
            "made = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p)(at)(7000, at + 4096)\n"
            "return made == 7000 or os._exit(1)"
        ),
    },
}
"""By what they reach for."""

UNTRIED = {
    "map the readable file for writing": "the file is open for reading, which the kernel itself refuses to map for writing",
    "open the readable file for truncation": "it would empty the file under the other attempts",
    "make a raw socket": "it needs a privilege that tests may lack",
    "make a packet socket": "it needs a privilege that tests may lack",
    "make a vsock": "the machine may have none",
    "clone a process": "it would return twice on one stack",
    "clone into a namespace": "it would return twice on one stack",
    "trace the host": "it would stop the tests; tried on a neighbour",
    "read the host's memory": "it would open the tests' own memory; tried on a neighbour",
    "read the memory of the host": "it would open the tests' own memory",
    "send a made-up signal": "it would signal the tests; tried on a neighbour",
    "raise the memory limit": "limits stand on every backend",
    "raise the limit on files": "limits stand on every backend",
    "make a POSIX message queue": "limits stand on every backend",
    "start threads in machine code": "limits stand on every backend",
    "open files without end": "limits stand on every backend",
    "find a key in the environment": "the environment is cleared on every backend",
    "find a key in the memory of the environment": "the environment is cleared on every backend",
    "read what the host reads": "standard input is empty on every backend",
    "type on the host's terminal": "standard input is no terminal on any backend",
    "find other variables": "the environment is cleared on every backend",
    "become root": "it changes the session for the other attempts",
    "become another": "it changes the session for the other attempts",
    "change the groups": "it changes the session for the other attempts",
    "become dumpable again": "a session without walls is dumpable already",
    "take off no_new_privs": "the kernel itself has no way back",
    "add a filter of its own": "it would end the session",
    "change the root": "it would change the session's root for the other attempts",
    "make a device": "it needs a privilege that tests may lack",
    "change the owner": "it needs a privilege that tests may lack",
    "make a namespace": "it would change the session for the other attempts",
    "change the map of its memory": "the kernel may be built without it",
    "change the group": "it changes the session for the other attempts",
    "take more memory than is allowed": "limits stand on every backend",
    "map more memory than is allowed": "limits stand on every backend",
    "start threads without end": "limits stand on every backend",
    "map locked memory": "limits stand on every backend",
    "map huge pages": "the machine may have set none aside",
    "start threads with small stacks without end": "limits stand on every backend",
    "fork by vfork": "it would return twice on one stack",
}
"""Why an attempt is not made without the walls, where all others must reach their goal: one that never worked would prove nothing."""
