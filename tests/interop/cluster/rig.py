"""A control plane for a test: a server, ours or theirs, and controllers.

    with rig.Rig('yuloh') as cluster:          or 'kube', with an etcd
        cluster.start_server()
        cluster.start_controllers()            kube-controller-manager
        cluster.start_scheduler()              kube-scheduler
        ... cluster.kubectl('get', 'nodes') ...

All of it listens on the loopback interface, keeps its data and logs in a
folder of its own (cluster.folder), and is stopped at the end, whatever happens.
The programs come from ./programs; rig.Missing says what cannot be had.

Whoever shows `token` may do everything.
"""

import os
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))

KUBECONFIG = '''apiVersion: v1
kind: Config
clusters:
- name: rig
  cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}
users:
- name: rig
  user: {token: %s}
contexts:
- name: rig
  context: {cluster: rig, user: rig}
current-context: rig
'''


class Missing(Exception):
    """Something that a test needs cannot be had."""


def find_programs(*names):
    """The folder with these programs; they are built the first time."""
    done = subprocess.run([os.path.join(HERE, 'programs'), *names],
                          stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise Missing('%s cannot be built' % ', '.join(names))
    return done.stdout.strip()


def find_sources():
    """The folder of Kubernetes' sources, as Go's module cache has them."""
    try:
        done = subprocess.run(['go', 'list', '-m', '-f', '{{.Dir}}',
                               'k8s.io/kubernetes'], cwd=HERE, text=True,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
    except FileNotFoundError:
        raise Missing('Go is not installed') from None
    folder = done.stdout.strip()
    if not folder or not os.path.isdir(folder):
        raise Missing("the sources of Kubernetes are not in Go's cache")
    return folder


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


class Rig:
    def __init__(self, kind, token='admintoken', keep=None):
        """'kind' is yuloh or kube; 'keep' is a folder for the logs."""
        self.kind = kind
        self.token = token
        self.folder = tempfile.mkdtemp(prefix='yuloh-rig-')
        self.logs = keep or self.folder
        self.processes = {}
        self.context = ssl._create_unverified_context()
        os.makedirs(self.logs, exist_ok=True)
        self.tokens = self.write('tokens', '%s,admin,admin,"system:masters"\n'
                                 % token)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        for name in reversed(list(self.processes)):
            self.end(name)
        shutil.rmtree(self.folder, ignore_errors=True)

    def end(self, name):
        """Ends one process; its log stays."""
        process = self.processes.pop(name)
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w') as f:
            f.write(text)
        return path

    def log_of(self, name):
        return os.path.join(self.logs, name + '.log')

    def spawn(self, name, *command):
        with open(self.log_of(name), 'wb') as log:
            self.processes[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=self.folder)

    def wait_until(self, name, url, limit=120):
        """Until a process of ours answers 200 there."""
        request = urllib.request.Request(
            url, headers={'Authorization': 'Bearer ' + self.token})
        end = time.monotonic() + limit
        while True:
            try:
                with urllib.request.urlopen(request, timeout=5,
                                            context=self.context):
                    return
            except (OSError, urllib.error.URLError):
                pass
            if time.monotonic() > end \
                    or self.processes[name].poll() is not None:
                with open(self.log_of(name), errors='replace') as f:
                    tail = ''.join(f.readlines()[-5:])
                raise RuntimeError('%s does not become ready:\n%s'
                                   % (name, tail))
            time.sleep(0.1)

    def start_server(self, *flags, client_ca=None, authorization='RBAC'):
        """The API server; 'flags' are for one of this kind alone."""
        self.port = free_port()
        self.url = 'https://127.0.0.1:%d' % self.port
        start = self.start_yuloh if self.kind == 'yuloh' else self.start_kube
        start(flags, client_ca, authorization)
        self.wait_until('server', self.url + '/readyz')
        self.kubeconfig = self.write('kubeconfig',
                                     KUBECONFIG % (self.port, self.token))

    def start_yuloh(self, flags, client_ca, authorization):
        # A kube-controller-manager is started beside it.
        build = os.path.abspath(os.environ.get(
            'BUILD', os.path.join(ROOT, 'build')))
        more = ['--tls-client-ca-file', client_ca] if client_ca else []
        self.spawn('server', os.path.join(build, 'yuloh'), 'serve',
                   '--data-dir', os.path.join(self.folder, 'data'),
                   '--listen', '127.0.0.1:%d' % self.port,
                   '--token-auth-file', self.tokens, '--controllers=-*',
                   '--authorization-mode', authorization, *more, *flags)

    def start_kube(self, flags, client_ca, authorization):
        programs = find_programs('etcd', 'kube-apiserver')
        client, peer = ('http://127.0.0.1:%d' % free_port() for _ in '12')
        self.spawn('etcd', os.path.join(programs, 'etcd'),
                   '--data-dir', os.path.join(self.folder, 'etcd'),
                   '--unsafe-no-fsync', '--listen-client-urls', client,
                   '--advertise-client-urls', client,
                   '--listen-peer-urls', peer)
        self.wait_until('etcd', client + '/health')
        key = self.make_key()
        more = ['--client-ca-file', client_ca] if client_ca else []
        if authorization != 'RBAC':
            authorization = 'RBAC,' + authorization
        self.spawn('server', os.path.join(programs, 'kube-apiserver'),
                   '--etcd-servers', client,
                   '--cert-dir', os.path.join(self.folder, 'certs'),
                   '--bind-address', '127.0.0.1',
                   '--secure-port', str(self.port),
                   '--service-cluster-ip-range', '10.0.0.0/24',
                   '--service-account-issuer',
                   'https://kubernetes.default.svc',
                   '--service-account-key-file', key,
                   '--service-account-signing-key-file', key,
                   '--token-auth-file', self.tokens, '--allow-privileged',
                   '--authorization-mode', authorization, *more, *flags)

    def make_key(self):
        path = os.path.join(self.folder, 'key.pem')
        subprocess.run(['openssl', 'genrsa', '-out', path, '2048'],
                       check=True, stderr=subprocess.DEVNULL)
        return path

    def start_controllers(self, *flags):
        self.start_beside('kube-controller-manager', *flags)

    def start_scheduler(self, *flags):
        self.start_beside('kube-scheduler', *flags)

    def start_beside(self, name, *flags):
        port = free_port()
        self.spawn(name, os.path.join(find_programs(name), name),
                   '--kubeconfig', self.kubeconfig,
                   '--authentication-kubeconfig', self.kubeconfig,
                   '--authorization-kubeconfig', self.kubeconfig,
                   '--authorization-always-allow-paths', '*',
                   '--cert-dir', self.folder, '--bind-address', '127.0.0.1',
                   '--secure-port', str(port), *flags)
        self.wait_until(name, 'https://127.0.0.1:%d/healthz' % port)

    def kubectl(self, *arguments, text=None):
        """Its output; raises CalledProcessError when it fails."""
        program = os.path.join(find_programs('kubectl'), 'kubectl')
        return subprocess.run(
            [program, '--kubeconfig', self.kubeconfig, *arguments],
            input=text, text=True, check=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd=self.folder).stdout
