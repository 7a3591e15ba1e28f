"""Nodes that run nothing: what kubelets tell an API server about Pods.

A thread looks at all Pods a few times a second.  Those that are bound to a
node become Running and ready, or Succeeded where their label `run` is `once`;
those that are being deleted go.  Leases of nodes are renewed."""

import datetime
import threading

from api import Failed

PODS = '/api/v1/pods'
LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'


def now(decimals=0):
    text = datetime.datetime.now(datetime.timezone.utc)
    return text.strftime('%Y-%m-%dT%H:%M:%S'
                         + ('.%fZ' if decimals else 'Z'))


class Kubelet(threading.Thread):
    def __init__(self, api, nodes):
        super().__init__(daemon=True)
        self.api = api
        self.nodes = nodes
        self.ended = threading.Event()
        self.error = None
        self.n_addresses = 0
        self.renewed = None

    def run(self):
        try:
            for node in self.nodes:
                self.join_node(node)
            while not self.ended.wait(0.3):
                self.renew()
                for pod in self.api.must('GET', PODS)['items']:
                    if pod['spec'].get('nodeName') in self.nodes:
                        self.look_after(pod)
        except Exception as error:    # Whoever waits for Pods says it.
            self.error = error

    def end(self):
        self.ended.set()
        self.join()

    def join_node(self, name):
        self.api.make('/api/v1/nodes', {
            'apiVersion': 'v1', 'kind': 'Node',
            'metadata': {'name': name,
                         'labels': {'kubernetes.io/hostname': name}}})
        amounts = {'cpu': '16', 'memory': '64Gi', 'pods': '200'}
        self.api.change('/api/v1/nodes/%s/status' % name, {'status': {
            'capacity': amounts, 'allocatable': amounts,
            'conditions': [{'type': 'Ready', 'status': 'True',
                            'reason': 'KubeletReady', 'message': 'ready',
                            'lastHeartbeatTime': now(),
                            'lastTransitionTime': now()}]}})

    def renew(self):
        """Every ten seconds: nodes that say nothing for 40 are unreachable."""
        second = int(datetime.datetime.now().timestamp())
        if self.renewed is not None and second - self.renewed < 10:
            return
        self.renewed = second
        for node in self.nodes:
            spec = {'holderIdentity': node, 'leaseDurationSeconds': 40,
                    'renewTime': now(6)}
            if self.api.get('%s/%s' % (LEASES, node)):
                self.api.change('%s/%s' % (LEASES, node), {'spec': spec})
            else:
                self.api.ask('POST', LEASES, {
                    'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease',
                    'metadata': {'name': node}, 'spec': spec})

    def look_after(self, pod):
        meta, status = pod['metadata'], pod.get('status', {})
        path = '/api/v1/namespaces/%s/pods/%s' % (meta['namespace'],
                                                  meta['name'])
        once = meta.get('labels', {}).get('run') == 'once'
        wanted = 'Succeeded' if once else 'Running'
        if meta.get('deletionTimestamp'):
            self.tell(path + '?gracePeriodSeconds=0', None)
        elif status.get('phase') == 'Pending':
            self.tell(path + '/status', self.started(pod, wanted))

    def tell(self, path, body):
        """It may be gone, or have been changed, meanwhile."""
        status, answer = self.api.ask('PATCH' if body else 'DELETE', path,
                                      body, 'application/merge-patch+json')
        if status >= 300 and status not in (404, 409):
            raise Failed('kubelet: %s: %d %s' % (path, status,
                                                 answer.get('message')))

    def started(self, pod, phase):
        self.n_addresses += 1
        address = '10.244.%d.%d' % (self.n_addresses // 250,
                                    self.n_addresses % 250 + 1)
        ready = 'True' if phase == 'Running' else 'False'
        kept = [c for c in pod['status'].get('conditions', [])
                if c['type'] not in ('Ready', 'ContainersReady',
                                     'Initialized')]
        conditions = [{'type': type_, 'status': value,
                       'lastTransitionTime': now()}
                      for type_, value in (('Initialized', 'True'),
                                           ('Ready', ready),
                                           ('ContainersReady', ready))]
        state = {'running': {'startedAt': now()}} if phase == 'Running' else \
            {'terminated': {'exitCode': 0, 'startedAt': now(),
                            'finishedAt': now(), 'reason': 'Completed'}}
        return {'metadata': {'uid': pod['metadata']['uid']}, 'status': {
            'phase': phase, 'podIP': address, 'podIPs': [{'ip': address}],
            'hostIP': '127.0.0.1', 'hostIPs': [{'ip': '127.0.0.1'}],
            'startTime': now(), 'conditions': kept + conditions,
            'observedGeneration': pod['metadata'].get('generation', 0),
            'containerStatuses': [{
                'name': c['name'], 'image': c['image'], 'imageID': 'none',
                'ready': phase == 'Running', 'restartCount': 0,
                'started': phase == 'Running', 'state': state}
                for c in pod['spec']['containers']]}}
