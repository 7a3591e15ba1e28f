#!/usr/bin/python3
"""Leader election with three replicas that are stopped, killed and cut off.

    tests/torture/election.py [--build FOLDER] [--acts N] [--seed N]

Three processes (torture-elected) compete for a Lease of `yuloh serve`, each
through a relay of its own.  N times [8] the leader, or another one, meets
something: SIGSTOP for longer than the Lease lasts, SIGKILL, SIGTERM, all its
connections cut, or no byte passing for a while.  A process that ends is
started again.

The audit log of the server is the judge.  It has every write with its
revision, and the revisions of the Lease and of the work are of one counter:

  - each write of work was made by the holder of the Lease at that revision;
  - several replicas worked.  One that held the Lease need not have: a busy
    machine may take it away before the first write.

Python's own library only.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
NAMES = ('a', 'b', 'c')

# How long anything may take on a busy machine, in seconds.
PATIENCE = 120

POLICY = '''apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: RequestResponse
  resources:
  - {group: "", resources: [configmaps]}
  - {group: coordination.k8s.io, resources: [leases]}
- level: None
'''

KUBECONFIG = '''apiVersion: v1
kind: Config
clusters:
- name: c
  cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}
users:
- name: u
  user: {token: admintoken}
contexts:
- name: x
  context: {cluster: c, user: u}
current-context: x
'''


class Relay:
    """Passes bytes between one replica and the server, or does not."""

    def __init__(self, target):
        self.target = target
        self.pairs = set()
        self.lock = threading.Lock()
        self.open = threading.Event()
        self.open.set()
        self.socket = socket.create_server(('127.0.0.1', 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                one, _ = self.socket.accept()
                other = socket.create_connection(('127.0.0.1', self.target))
            except OSError:
                return
            with self.lock:
                self.pairs.add((one, other))
            for a, b in ((one, other), (other, one)):
                threading.Thread(target=self.pump, args=(a, b),
                                 daemon=True).start()

    def pump(self, one, other):
        try:
            while True:
                data = one.recv(65536)
                self.open.wait()
                if not data:
                    break
                other.sendall(data)
        except OSError:
            pass
        for s in (one, other):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        with self.lock:
            pairs, self.pairs = self.pairs, set()
        for pair in pairs:
            for s in pair:
                try:
                    s.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


class Replica:
    """A process under its relay; started again whenever it has ended."""

    def __init__(self, test, name):
        self.test = test
        self.name = name
        self.relay = Relay(test.port)
        self.config = os.path.join(test.folder, name + '.kubeconfig')
        self.n_starts = 0
        with open(self.config, 'w') as f:
            f.write(KUBECONFIG % self.relay.port)
        self.start()

    def start(self):
        self.n_starts += 1
        log = open(os.path.join(self.test.folder, self.name + '.log'), 'a')
        self.process = subprocess.Popen(
            [os.path.join(self.test.build, 'tests', 'torture-elected'),
             self.config, self.name], stdout=log, stderr=log)
        log.close()

    def tend(self):
        if self.process.poll() is not None:
            self.start()

    def end(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait()


class Test:
    def __init__(self, build, folder, seed):
        self.build = build
        self.folder = folder
        self.random = random.Random(seed)
        self.replicas = {}
        self.server = None
        self.context = ssl._create_unverified_context()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w') as f:
            f.write(text)
        return path

    def start_server(self):
        self.audit = os.path.join(self.folder, 'audit.log')
        out = os.path.join(self.folder, 'serve.out')
        with open(out, 'w') as f, \
                open(os.path.join(self.folder, 'serve.log'), 'w') as log:
            self.server = subprocess.Popen(
                [os.path.join(self.build, 'yuloh'), 'serve',
                 '--data-dir', os.path.join(self.folder, 'data'),
                 '--listen', '127.0.0.1:0',
                 '--token-auth-file', self.write(
                     'tokens', 'admintoken,admin,admin,"system:masters"\n'),
                 '--audit-policy-file', self.write('policy', POLICY),
                 '--audit-log-path', self.audit], stdout=f, stderr=log)
        end = time.monotonic() + PATIENCE
        while True:
            found = re.search('serving on port ([0-9]+)', open(out).read())
            if found:
                break
            if time.monotonic() > end or self.server.poll() is not None:
                raise SystemExit('the server did not start')
            time.sleep(0.02)
        self.port = int(found.group(1))

    def ask(self, method, path, body=None):
        request = urllib.request.Request(
            'https://127.0.0.1:%d%s' % (self.port, path), method=method,
            data=body and json.dumps(body).encode(),
            headers={'Authorization': 'Bearer admintoken',
                     'Content-Type': 'application/json'})
        with urllib.request.urlopen(request, context=self.context) as answer:
            return json.load(answer)

    def worker(self):
        """Who wrote last; None at first."""
        work = self.ask('GET', '/api/v1/namespaces/default/configmaps/work')
        return work.get('data', {}).get('by')

    def await_work(self, others_than=None):
        """Waits until somebody works now, somebody else if that is said."""
        end = time.monotonic() + PATIENCE
        before = self.ask('GET',
                          '/api/v1/namespaces/default/configmaps/work')
        while time.monotonic() < end:
            for replica in self.replicas.values():
                replica.tend()
            now = self.ask('GET',
                           '/api/v1/namespaces/default/configmaps/work')
            by = now.get('data', {}).get('by')
            if now['metadata']['resourceVersion'] \
                    != before['metadata']['resourceVersion'] \
                    and by and by != others_than:
                return by
            time.sleep(0.05)
        raise SystemExit('nobody works')

    def act(self):
        """Something happens to the leader; sometimes to another."""
        leader = self.await_work()
        name = leader
        if self.random.random() < 0.25:
            name = self.random.choice([n for n in NAMES if n != leader])
        replica = self.replicas[name]
        what = self.random.choice(('stop', 'stop', 'stop', 'kill', 'leave',
                                   'cut', 'mute', 'mute'))
        print('# %s %s%s' % (what, name, ', the leader' if name == leader
                             else ''), flush=True)
        if what == 'stop':
            replica.process.send_signal(signal.SIGSTOP)
            if name == leader:
                self.await_work(others_than=leader)
            # Only when the next one works: see torture-elected.
            replica.process.send_signal(signal.SIGCONT)
        elif what == 'kill':
            replica.process.kill()
            replica.process.wait()
        elif what == 'leave':
            replica.process.terminate()
            replica.process.wait()
        elif what == 'cut':
            for _ in range(5):
                replica.relay.cut()
                time.sleep(self.random.random() / 4)
        elif what == 'mute':
            replica.relay.open.clear()
            if name == leader:
                self.await_work(others_than=leader)
            replica.relay.cut()     # What it holds never arrives.
            replica.relay.open.set()
        time.sleep(self.random.random())

    def run(self, n_acts):
        self.start_server()
        self.ask('POST', '/api/v1/namespaces/default/configmaps',
                 {'metadata': {'name': 'work'}})
        self.replicas = {name: Replica(self, name) for name in NAMES}
        for _ in range(n_acts):
            self.act()
        self.await_work()

    def stop(self):
        for replica in self.replicas.values():
            replica.end()
        if self.server:
            self.server.terminate()
            self.server.wait()


class Write:
    """A write of the Lease or of the work, as the audit log has it."""

    def __init__(self, event):
        self.what = event['objectRef']['resource']
        self.agent = event.get('userAgent', '')
        asked = event.get('requestObject', {})
        written = event.get('responseObject', {})
        self.before = int(asked['metadata'].get('resourceVersion', 0))
        self.holder = asked.get('spec', {}).get('holderIdentity', '')
        self.revision = int(written.get('metadata', {})
                            .get('resourceVersion', 0))


def read_audit(path):
    """The writes that were made, in order; and how many were refused."""
    writes = []
    n_refused = 0
    for line in open(path):
        event = json.loads(line)
        if event['verb'] not in ('create', 'update', 'patch') \
                or event['objectRef'].get('name') not in ('work', 'torture') \
                or event.get('userAgent') not in NAMES:
            continue
        if event['responseStatus']['code'] >= 300:
            n_refused += 1
        else:
            writes.append(Write(event))
    for what in ('configmaps', 'leases'):
        find_unanswered([w for w in writes if w.what == what])
    return sorted((w for w in writes if w.revision),
                  key=lambda w: w.revision), n_refused


def find_unanswered(writes):
    """Of a write whose client was gone before the answer, the log does not tell
    the revision, nor whether it was made.  If it was, a later write, which
    names the revision before it, names that one."""
    known = {w.revision for w in writes}
    for write in writes:
        if not write.revision and write.before:
            later = [w.before for w in writes
                     if w.before > write.before and w.before not in known]
            if later and not any(w.before == write.before and w.revision
                                 for w in writes):
                write.revision = min(later)
                known.add(write.revision)


def judge(writes):
    """The first thing that must not be; or None."""
    holder = ''
    worked = set()
    for w in writes:
        if w.what == 'leases':
            if w.holder not in ('', w.agent):
                return 'revision %d: %s makes %s the leader' % (
                    w.revision, w.agent, w.holder)
            holder = w.holder
        elif w.agent != holder:
            return 'revision %d: %s works, but %s leads' % (
                w.revision, w.agent, holder or 'nobody')
        else:
            worked.add(w.agent)
    if len(worked) < 2:
        return 'only %s worked' % (', '.join(worked) or 'nobody')
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'))
    parser.add_argument('--acts', type=int, default=8)
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix='yuloh-election-')
    test = Test(args.build, folder, args.seed)
    try:
        try:
            test.run(args.acts)
        finally:
            test.stop()
        writes, n_refused = read_audit(test.audit)
        wrong = judge(writes)
        print('seed %d: %d writes of work, %d of the Lease, %d refused, '
              '%d starts: %s' % (
                  args.seed, sum(w.what == 'configmaps' for w in writes),
                  sum(w.what == 'leases' for w in writes), n_refused,
                  sum(r.n_starts for r in test.replicas.values()),
                  wrong or 'never two at work'))
        return wrong is not None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(main())
