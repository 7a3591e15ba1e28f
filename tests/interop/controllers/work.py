"""What controllers are given to do: rounds of work, each in a namespace.

A round makes objects and waits until controllers and a scheduler have done what
they do with them; api.Failed says what did not come.  run() does rounds until
a time is over."""

import time

APPS = '/apis/apps/v1/namespaces/'
BATCH = '/apis/batch/v1/namespaces/'
CORE = '/api/v1/namespaces/'
SLICES = '/apis/discovery.k8s.io/v1/namespaces/'
CIDRS = '/apis/networking.k8s.io/v1/servicecidrs'
CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles'

CONTAINERS = [{'name': 'main', 'image': 'one'}]


def template(app, **labels):
    return {'metadata': {'labels': dict(labels, app=app)},
            'spec': {'containers': CONTAINERS,
                     'terminationGracePeriodSeconds': 1}}


def selected(app):
    return {'matchLabels': {'app': app}}


def status_of(found, key):
    return (found or {}).get('status', {}).get(key)


def has_condition(found, type_, value='True'):
    return any(c['type'] == type_ and c['status'] == value
               for c in status_of(found, 'conditions') or [])


class Round:
    """One namespace, from its creation to its end."""

    def __init__(self, api, number):
        self.api = api
        self.number = number
        self.ns = 'work-%d' % number

    def run(self):
        """Each step leaves things for the next; the end deletes them all."""
        self.begin()
        self.start_cron_job()
        self.deployment()
        self.service()
        self.stateful_set()
        self.daemon_set()
        self.jobs()
        self.disruption()
        self.volumes()
        self.owners()
        self.custom_resources()
        self.service_addresses()
        self.roles()
        self.scheduling()
        self.claims()
        self.eviction()
        self.orphans()
        self.finish()

    def begin(self):
        self.api.make('/api/v1/namespaces', {
            'apiVersion': 'v1', 'kind': 'Namespace',
            'metadata': {'name': self.ns}})
        self.api.wait('a namespace gets its account', CORE + self.ns
                      + '/serviceaccounts/default', bool)
        self.api.wait('a namespace gets its authority', CORE + self.ns
                      + '/configmaps/kube-root-ca.crt', bool)
        self.api.make(CORE + self.ns + '/resourcequotas', {
            'apiVersion': 'v1', 'kind': 'ResourceQuota',
            'metadata': {'name': 'wide'},
            'spec': {'hard': {'pods': '500', 'configmaps': '500'}}})

    def start_cron_job(self):
        self.api.make(BATCH + self.ns + '/cronjobs', {
            'apiVersion': 'batch/v1', 'kind': 'CronJob',
            'metadata': {'name': 'tick'},
            'spec': {'schedule': '* * * * *', 'jobTemplate': {'spec': {
                'template': self.once('tick')}}}})

    def once(self, app):
        made = template(app, run='once')
        made['spec']['restartPolicy'] = 'Never'
        return made

    def workload(self, kind, name, **spec):
        version = 'v1' if kind == 'ReplicationController' else 'apps/v1'
        made = {'apiVersion': version, 'kind': kind,
                'metadata': {'name': name}, 'spec': {
                    'selector': selected(name), 'template': template(name)}}
        made['spec'].update(spec)
        root = CORE if version == 'v1' else APPS
        path = '%s%s/%ss' % (root, self.ns, kind.lower())
        self.api.make(path, made)
        return '%s/%s' % (path, name)

    def wait_ready(self, what, path, n, key='readyReplicas'):
        """Controllers have seen the last change, and 'n' are ready."""
        self.api.wait(what, path, lambda found: found
                      and status_of(found, 'observedGeneration')
                      == found['metadata']['generation']
                      and (status_of(found, key) or 0) == n
                      and status_of(found, 'updatedReplicas') in (n, None))

    def deployment(self):
        path = self.workload('Deployment', 'web', replicas=3)
        self.wait_ready('a Deployment becomes ready', path, 3)
        self.api.change(path + '/scale', {'spec': {'replicas': 5}})
        self.wait_ready('a Deployment is scaled up', path, 5)
        self.api.change(path, {'spec': {'template': {'spec': {
            'containers': [{'name': 'main', 'image': 'two'}]}}}})
        self.wait_ready('a Deployment is rolled', path, 5)
        self.api.wait('the old ReplicaSet is empty',
                      APPS + self.ns + '/replicasets', lambda found: sorted(
                          i['status']['replicas'] for i in found['items']
                      ) == [0, 5])
        self.api.change(path + '/scale', {'spec': {'replicas': 2}})
        self.wait_ready('a Deployment is scaled down', path, 2)
        path = self.workload('ReplicationController', 'old', replicas=1,
                             selector={'app': 'old'})
        self.wait_ready('a ReplicationController becomes ready', path, 1)

    def service(self):
        self.api.make(CORE + self.ns + '/services', {
            'apiVersion': 'v1', 'kind': 'Service',
            'metadata': {'name': 'web'},
            'spec': {'selector': {'app': 'web'}, 'ports': [{'port': 80}]}})
        self.api.wait('a Service gets its endpoints',
                      SLICES + self.ns + '/endpointslices?labelSelector='
                      'kubernetes.io/service-name%3Dweb',
                      lambda found: sum(len(s.get('endpoints') or []) for s
                                        in found['items']) == 2)
        # Endpoints that somebody else makes are mirrored.
        self.api.make(CORE + self.ns + '/services', {
            'apiVersion': 'v1', 'kind': 'Service',
            'metadata': {'name': 'far'}, 'spec': {'ports': [{'port': 80}]}})
        self.api.make(CORE + self.ns + '/endpoints', {
            'apiVersion': 'v1', 'kind': 'Endpoints',
            'metadata': {'name': 'far'},
            'subsets': [{'addresses': [{'ip': '192.0.2.1'}],
                         'ports': [{'port': 80}]}]})
        self.api.wait('Endpoints are mirrored',
                      SLICES + self.ns + '/endpointslices?labelSelector='
                      'kubernetes.io/service-name%3Dfar',
                      lambda found: found['items'])

    def stateful_set(self):
        path = self.workload('StatefulSet', 'store', replicas=2,
                             serviceName='store')
        self.wait_ready('a StatefulSet becomes ready', path, 2)
        self.api.change(path, {'spec': {'template': {'metadata': {
            'annotations': {'rolled': 'yes'}}}}})
        self.wait_ready('a StatefulSet is rolled', path, 2)

    def daemon_set(self):
        path = self.workload('DaemonSet', 'agent')
        self.wait_ready('a DaemonSet is on every node', path, 2,
                        'numberReady')

    def jobs(self):
        path = BATCH + self.ns + '/jobs'
        for name, more in (('sum', {}), ('brief',
                                         {'ttlSecondsAfterFinished': 1})):
            self.api.make(path, {
                'apiVersion': 'batch/v1', 'kind': 'Job',
                'metadata': {'name': name},
                'spec': dict(more, completions=3, parallelism=2,
                             template=self.once(name))})
        self.api.wait('a Job completes', path + '/sum',
                      lambda found: has_condition(found, 'Complete'))
        self.api.wait_gone('a Job that is brief goes', path + '/brief')

    def disruption(self):
        path = '/apis/policy/v1/namespaces/%s/poddisruptionbudgets' % self.ns
        self.api.make(path, {
            'apiVersion': 'policy/v1', 'kind': 'PodDisruptionBudget',
            'metadata': {'name': 'web'},
            'spec': {'minAvailable': 1, 'selector': selected('web')}})
        self.api.wait('a budget is counted', path + '/web',
                      lambda found: status_of(found, 'currentHealthy') == 2)

    def volumes(self):
        name = 'disk-%d' % self.number
        self.api.make('/api/v1/persistentvolumes', {
            'apiVersion': 'v1', 'kind': 'PersistentVolume',
            'metadata': {'name': name},
            'spec': {'capacity': {'storage': '1Gi'}, 'storageClassName': '',
                     'accessModes': ['ReadWriteOnce'],
                     'persistentVolumeReclaimPolicy': 'Retain',
                     'claimRef': {'namespace': self.ns, 'name': 'disk'},
                     'hostPath': {'path': '/disk'}}})
        path = CORE + self.ns + '/persistentvolumeclaims'
        self.api.make(path, {
            'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim',
            'metadata': {'name': 'disk'},
            'spec': {'storageClassName': '', 'volumeName': name,
                     'accessModes': ['ReadWriteOnce'],
                     'resources': {'requests': {'storage': '1Gi'}}}})
        self.api.wait('a claim is bound', path + '/disk',
                      lambda found: status_of(found, 'phase') == 'Bound')
        self.api.remove(path + '/disk')
        self.api.wait_gone('a claim goes', path + '/disk')
        self.api.remove('/api/v1/persistentvolumes/' + name)
        self.api.wait_gone('a volume goes', '/api/v1/persistentvolumes/'
                           + name)

    def make_map(self, name, owner=None):
        meta = {'name': name}
        if owner:
            meta['ownerReferences'] = [{
                'apiVersion': owner['apiVersion'], 'kind': owner['kind'],
                'name': owner['metadata']['name'],
                'uid': owner['metadata']['uid'],
                'blockOwnerDeletion': True}]
        return self.api.make(CORE + self.ns + '/configmaps', {
            'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': meta})

    def owners(self):
        """Garbage: in the background, and in the foreground."""
        path = CORE + self.ns + '/configmaps/'
        owner = dict(self.make_map('owner'), apiVersion='v1',
                     kind='ConfigMap')
        self.make_map('owned', owner)
        self.api.remove(path + 'owner?propagationPolicy=Background')
        self.api.wait_gone('what is owned goes', path + 'owned')
        self.api.remove(APPS + self.ns + '/statefulsets/store'
                        '?propagationPolicy=Foreground')
        self.api.wait_gone('an owner goes last',
                           APPS + self.ns + '/statefulsets/store')

    def custom_resources(self):
        """A kind of the round's own, with dependents, and deleted again."""
        group = 'round%d.example.com' % self.number
        self.api.make(CRDS, {
            'apiVersion': 'apiextensions.k8s.io/v1',
            'kind': 'CustomResourceDefinition',
            'metadata': {'name': 'nets.' + group},
            'spec': {'group': group, 'scope': 'Namespaced',
                     'names': {'plural': 'nets', 'kind': 'Net'},
                     'versions': [{
                         'name': 'v1', 'served': True, 'storage': True,
                         'schema': {'openAPIV3Schema': {
                             'type': 'object', 'properties': {'spec': {
                                 'type': 'object', 'properties': {
                                     'cidr': {'type': 'string'}}}}}}}]}})
        self.api.wait('a definition is established', CRDS + '/nets.' + group,
                      lambda found: has_condition(found, 'Established'))
        path = '/apis/%s/v1/namespaces/%s/nets' % (group, self.ns)
        self.api.wait('its kind is served', path, bool)
        owner = None
        for name in ('first', 'second'):
            owner = self.api.make(path, {
                'apiVersion': group + '/v1', 'kind': 'Net',
                'metadata': {'name': name}, 'spec': {'cidr': '10.0.0.0/8'}})
            self.make_map('of-' + name, owner)
        self.api.remove(path + '/first')
        self.api.wait_gone('what a custom resource owns goes', CORE + self.ns
                           + '/configmaps/of-first', 120)
        # Only who watches the kind ends this: so all have seen it, and none
        # waits for it in vain afterwards.
        self.api.remove(path + '/second?propagationPolicy=Foreground')
        self.api.wait_gone('a custom resource goes last', path + '/second',
                           120)
        self.api.remove(CRDS + '/nets.' + group)
        self.api.wait_gone('a definition goes', CRDS + '/nets.' + group)
        self.api.wait_gone('with its kind', path)

    def service_addresses(self):
        """Addresses for Services come and go."""
        path = CIDRS + '/more-%d' % self.number
        self.api.make(CIDRS, {
            'apiVersion': 'networking.k8s.io/v1', 'kind': 'ServiceCIDR',
            'metadata': {'name': 'more-%d' % self.number},
            'spec': {'cidrs': ['10.77.%d.0/24' % (self.number % 256)]}})
        self.api.wait('addresses for Services are ready', path,
                      lambda found: has_condition(found, 'Ready') and
                      found['metadata'].get('finalizers'))
        self.api.remove(path)
        self.api.wait_gone('addresses for Services go', path)

    def roles(self):
        """Roles that are the sum of others."""
        name = 'part-%d' % self.number
        rule = {'apiGroups': ['round%d' % self.number], 'resources': ['x'],
                'verbs': ['get']}
        self.api.make(ROLES, {
            'apiVersion': 'rbac.authorization.k8s.io/v1',
            'kind': 'ClusterRole', 'metadata': {'name': name, 'labels': {
                'rbac.authorization.k8s.io/aggregate-to-view': 'true'}},
            'rules': [rule]})
        self.api.wait('a role is added up', ROLES + '/view',
                      lambda found: rule in found['rules'])
        self.api.remove(ROLES + '/' + name)
        self.api.wait('a role is subtracted', ROLES + '/view',
                      lambda found: rule not in found['rules'])

    def make_pod(self, name, **spec):
        path = CORE + self.ns + '/pods'
        made = {'apiVersion': 'v1', 'kind': 'Pod',
                'metadata': {'name': name, 'labels': {'app': name}},
                'spec': dict(spec, containers=CONTAINERS)}
        self.api.make(path, made)
        return path + '/' + name

    def scheduling(self):
        """A Pod waits for a node that it wants."""
        key = 'round-%d' % self.number
        path = self.make_pod('picky', nodeSelector={key: 'yes'})
        self.api.wait('a Pod finds no node', path, lambda found:
                      has_condition(found, 'PodScheduled', 'False'))
        self.api.change('/api/v1/nodes/node-1', {'metadata': {'labels': {
            key: 'yes'}}})
        self.api.wait('a Pod finds its node', path, lambda found:
                      found['spec'].get('nodeName') == 'node-1'
                      and has_condition(found, 'Ready'))

    def claims(self):
        """A Pod's claim is made from a template, and noted in the Pod."""
        self.api.make('/apis/resource.k8s.io/v1/namespaces/%s'
                      '/resourceclaimtemplates' % self.ns, {
                          'apiVersion': 'resource.k8s.io/v1',
                          'kind': 'ResourceClaimTemplate',
                          'metadata': {'name': 'card'},
                          'spec': {'spec': {'devices': {'requests': [{
                              'name': 'card', 'exactly': {
                                  'deviceClassName': 'none'}}]}}}})
        path = self.make_pod('player', resourceClaims=[{
            'name': 'card', 'resourceClaimTemplateName': 'card'}])
        self.api.wait('a Pod gets its claim', path, lambda found:
                      status_of(found, 'resourceClaimStatuses'))
        self.api.remove(path + '?gracePeriodSeconds=0')
        self.api.wait('its claim goes with it', '/apis/resource.k8s.io/v1/'
                      'namespaces/%s/resourceclaims' % self.ns,
                      lambda found: not found['items'])

    def eviction(self):
        """Pods leave a node that does not want them."""
        self.api.change('/api/v1/nodes/node-2', {'spec': {'taints': [
            {'key': 'out', 'effect': 'NoExecute', 'value': 'yes'}]}})
        self.api.wait('the node is empty', CORE + self.ns + '/pods'
                      '?fieldSelector=spec.nodeName%3Dnode-2',
                      lambda found: not [
                          p for p in found['items']
                          if p['metadata']['labels']['app'] == 'web'])
        self.api.change('/api/v1/nodes/node-2', {'spec': {'taints': None}})
        self.wait_ready('others take their place', APPS + self.ns
                        + '/deployments/web', 2)

    def orphans(self):
        path = APPS + self.ns + '/replicasets'
        owned = [i for i in self.api.must('GET', path)['items']
                 if i['metadata'].get('ownerReferences')]
        self.api.remove(APPS + self.ns + '/deployments/web'
                        '?propagationPolicy=Orphan')
        self.api.wait('orphans have no owner', path + '/'
                      + owned[0]['metadata']['name'], lambda found: found
                      and not found['metadata'].get('ownerReferences'))

    def finish(self):
        if self.number == 1:    # It started a minute ago at the most.
            self.api.wait('a CronJob makes Jobs',
                          BATCH + self.ns + '/cronjobs/tick',
                          lambda found: status_of(found, 'lastScheduleTime'))
        self.api.remove('/api/v1/namespaces/' + self.ns)
        self.api.wait_gone('a namespace goes',
                           '/api/v1/namespaces/' + self.ns)


def run(api, seconds):
    """How many rounds were done."""
    end = time.monotonic() + seconds
    n = 0
    while n == 0 or time.monotonic() < end:
        n += 1
        Round(api, n).run()
    return n
