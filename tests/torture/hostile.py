#!/usr/bin/python3
"""Attacks an API server and checks that nobody else notices.

    hostile.py HOST:PORT [--kubeconfig FILE | [--tls] [--token TOKEN]]
               [--pid PID] [--rss MB] [--head-timeout S]
               [--body-timeout S] [--scale PERCENT] [SCENARIO...]

Each scenario does what no honest client does, and must be answered with the
right 4xx or a closed connection.  All the while a second process asks for a
namespace again and again: it must be served, and soon.  With a pid the
server's resident memory is watched too.  Speaks TAP.
"""

import argparse
import multiprocessing
import os
import resource
import ssl
import sys
import time

import malformed
import overload
import streams
import wire

# How long a well-behaved client waits at most, and on average, in seconds.
# The attackers run on the same few cores, and perhaps others.
WORST = 30.0
AVERAGE = 3.0


class Report:
    def __init__(self):
        self.n = 0
        self.n_bad = 0

    def holds(self, name, truth, detail=""):
        self.n += 1
        self.n_bad += not truth
        print("%sok %d - %s" % ("" if truth else "not ", self.n, name))
        if not truth and detail:
            print("# %s" % detail)
        sys.stdout.flush()

    def note(self, text):
        print("# " + text, flush=True)


def main():
    options = parse_arguments()
    n_files = raise_file_limit()
    target = wire.Target(options.address, options.kubeconfig, options.token,
                         options.tls)
    report = Report()
    bystander = Bystander(target, options.pid)
    bystander.start()
    try:
        for name, scenario in SCENARIOS.items():
            if options.names and name not in options.names:
                continue
            started = time.monotonic()
            bystander.reset()
            scenario(target, options, report, n_files)
            bystander.judge(name, options, report)
            report.note("%s: %.1f s" % (name, time.monotonic() - started))
    finally:
        bystander.stop()
    print("1..%d" % report.n)
    return 1 if report.n_bad or not report.n else 0


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("address", metavar="HOST:PORT")
    p.add_argument("--kubeconfig", help="TLS, with the certificates in it")
    p.add_argument("--tls", action="store_true",
                   help="TLS, whoever the server is")
    p.add_argument("--token")
    p.add_argument("--pid", type=int, help="the server's")
    p.add_argument("--rss", type=int, default=1024,
                   help="MB it may have resident [1024]")
    p.add_argument("--head-timeout", type=float, default=32)
    p.add_argument("--body-timeout", type=float, default=60)
    p.add_argument("--scale", type=int, default=100,
                   help="percent of the connections [100]")
    p.add_argument("names", nargs="*", metavar="SCENARIO")
    options = p.parse_intermixed_args()
    for name in options.names:
        if name not in SCENARIOS:
            p.error("no scenario '%s'; there are: %s"
                    % (name, " ".join(SCENARIOS)))
    return options


def raise_file_limit():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


class Bystander:
    """A well-behaved client in a process of its own."""

    def __init__(self, target, pid):
        self.target = target
        self.pid = pid
        self.stopping = multiprocessing.Value("b", 0)
        self.n_good = multiprocessing.Value("l", 0)
        self.n_bad = multiprocessing.Value("l", 0)
        self.worst = multiprocessing.Value("d", 0)
        self.all = multiprocessing.Value("d", 0)
        self.rss = multiprocessing.Value("l", 0)
        self.why = multiprocessing.Array("c", 200)
        self.process = multiprocessing.Process(target=self.run, daemon=True)

    def start(self):
        self.process.start()

    def stop(self):
        self.stopping.value = 1
        self.process.join()

    def reset(self):
        for value in (self.n_good, self.n_bad, self.worst, self.all,
                      self.rss):
            value.value = 0

    def judge(self, name, options, report):
        # At least one more after the attack.
        before = self.n_good.value
        until = time.monotonic() + wire.PATIENCE
        while self.n_good.value == before and time.monotonic() < until:
            time.sleep(0.02)
        good, bad = self.n_good.value, self.n_bad.value
        average = self.all.value / max(good + bad, 1)
        report.holds("%s: others are served" % name,
                     good > before and bad == 0
                     and self.worst.value < WORST and average < AVERAGE,
                     "%d good, %d bad, the slowest took %.1f s, all %.1f s "
                     "on average; %s"
                     % (good, bad, self.worst.value, average,
                        self.why.value.decode()))
        report.note("%s: others had %d answers in %.0f ms, the slowest in "
                    "%.0f ms" % (name, good, average * 1000,
                                 self.worst.value * 1000))
        if self.pid:
            report.holds("%s: memory stays bounded" % name,
                         0 < self.rss.value <= options.rss << 10,
                         "%d MB" % (self.rss.value >> 10))
            report.note("%s: %d MB resident at most"
                        % (name, self.rss.value >> 10))

    def run(self):
        request = self.target.request(b"GET", wire.QUIET_PATH)
        kept = None
        i = 0
        while not self.stopping.value:
            started = time.monotonic()
            why = ""
            s = kept
            try:
                s = kept or self.target.connect()
                responses, closed = wire.talk(s, request, 1)
                statuses = [r.status for r in responses]
                if statuses != [200]:
                    why = "answers %s, %s" % (
                        statuses, "closed" if closed else "open")
            except (OSError, ssl.SSLError) as e:
                why = str(e)
            took = time.monotonic() - started
            self.worst.value = max(self.worst.value, took)
            self.all.value += took
            if why:
                self.n_bad.value += 1
                self.why.value = why.encode()[:199]
            else:
                self.n_good.value += 1
            # Every third request comes on a new connection.
            i += 1
            kept = s
            if s and (why or i % 3 == 0):
                s.close()
                kept = None
            if self.pid:
                self.rss.value = max(self.rss.value, rss_of(self.pid))
            time.sleep(0.05)


def rss_of(pid):
    """Resident kilobytes."""
    try:
        with open("/proc/%d/statm" % pid, encoding="ascii") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE") >> 10
    except OSError:
        return 0


SCENARIOS = {
    "smuggling": malformed.smuggling,
    "header-bytes": malformed.header_bytes,
    "selectors": malformed.selectors,
    "utf8": malformed.utf8,
    "paths": malformed.paths,
    "http2-heads": streams.http2_heads,
    "rapid-reset": streams.rapid_reset,
    "streams": streams.many,
    "continuation": streams.continuation,
    "idle": overload.idle,
    "bodies": overload.bodies,
    "slow": overload.slow,
}


if __name__ == "__main__":
    sys.exit(main())
