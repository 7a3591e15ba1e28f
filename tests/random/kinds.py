"""The kinds whose objects the sequences write.

A Kind has one shape for each version that it is written in.  Things is a
custom kind made for this: its two versions have equal fields, but do not agree
on which lists and maps are atomic.
"""

from shapes import (Fixed, Free, IntOrString, List, Map, Scalar, Struct)

GROUP = 'random.example.com'


class Kind:
    def __init__(self, kind, plural, group, shapes, status=None, scale=False,
                 strategic=True, creates=False):
        self.kind = kind
        self.plural = plural
        self.group = group
        self.shapes = shapes            # version -> Struct without metadata
        self.status = status            # The shape of /status, if there is.
        self.scale = scale
        self.strategic = strategic      # Takes strategic merge patches.
        self.creates = creates          # A write of the status may create.

    def api_version(self, version):
        return self.group + '/' + version if self.group else version

    def path(self, version, namespace, name='', subresource=''):
        root = '/apis/' + self.group if self.group else '/api'
        path = '%s/%s/namespaces/%s/%s' % (root, version, namespace,
                                           self.plural)
        for part in (name, subresource):
            if part:
                path += '/' + part
        return path


TEXT = Scalar('a', 'b', 'c')
SMALL = Scalar(0, 1, 2)

# Never an empty map: a kube-apiserver keeps the empty labels of a new custom
# resource until it is written next, and then makes a revision of nothing.
METADATA = Struct({
    'labels': Map(TEXT, ('x', 'y', 'z'), least=1),
    'annotations': Map(TEXT, ('p', 'example.com/q'), least=1),
}, likely=0.3)


def thing(version):
    """Of what is atomic in one version, half is not in the other."""
    second = version == 'v2'
    item = Struct({
        'name': Scalar('one', 'two', 'three'), 'value': TEXT, 'n': SMALL,
        'tags': List(TEXT, 'set'),
        'inner': List(Struct({'id': SMALL, 'value': TEXT},
                             required=('id',)), 'map', ('id',)),
    }, required=('name',))
    return Struct({
        'text': TEXT, 'count': SMALL, 'replicas': Scalar(1, 2, 3),
        'flag': Scalar(True, False),
        'mode': Scalar('auto', 'manual', default='auto'),
        'port': IntOrString(80, 'http', '80'),
        'owner': Struct({'first': TEXT, 'last': TEXT,
                         'home': Struct({'street': TEXT, 'town': TEXT})},
                        atomic=second),
        'frozen': Struct({'a': TEXT, 'b': SMALL,
                          'c': Struct({'d': TEXT})}, atomic=not second),
        'map': Map(TEXT, ('k1', 'k2', 'k3')),
        'frozenMap': Map(TEXT, ('k1', 'k2'), atomic=True),
        'parts': Map(Struct({'a': TEXT, 'b': SMALL}), ('p1', 'p2', 'p3')),
        'tags': List(TEXT, 'set'),
        'numbers': List(Scalar(1, 2, 3, 4), 'set'),
        'steps': List(TEXT, 'set' if second else 'atomic', repeat=False),
        'items': List(item, 'map', ('name',)),
        'ports': List(Struct({
            'port': Scalar(80, 443),
            'protocol': Scalar('TCP', 'UDP', default='TCP'),
            'note': TEXT}, required=('port',)), 'map', ('port', 'protocol')),
        'frozenItems': List(Struct({'name': Scalar('one', 'two'),
                                    'value': TEXT}, atomic=True,
                                   required=('name',)), 'map', ('name',)),
        'free': Free({}, {'a': 1}, {'a': 2, 'b': {'c': 'x'}},
                     {'b': {'c': 'y', 'd': [1, 2]}}, {'l': [{'a': 1}]},
                     {'b': 'text'}),
        # Upstream removes an object that was applied empty, if nothing in it
        # but empty lists is owned; this server does not.
    }, likely=0.2, least=1)


CONDITIONS = List(Struct({'type': Scalar('Ready', 'Done'),
                          'status': Scalar('True', 'False'),
                          'reason': TEXT}, required=('type', 'status')),
                  'map', ('type',))
STATUS = Struct({'phase': TEXT, 'replicas': SMALL, 'conditions': CONDITIONS},
                likely=0.5)

THINGS = Kind('Thing', 'things', GROUP,
              {v: Struct({'spec': thing(v)}, likely=0.9)
               for v in ('v1', 'v2')},
              status=STATUS, scale=True, strategic=False)

CONFIG_MAPS = Kind('ConfigMap', 'configmaps', '', {'v1': Struct({
    'data': Map(TEXT, ('k1', 'k2', 'k3', 'k4')),
    'binaryData': Map(Scalar('YQ==', 'Yg=='), ('b1', 'b2')),
}, likely=0.7)})

ENV = List(Struct({'name': Scalar('A', 'B', 'C'), 'value': TEXT},
                  required=('name',), likely=0.8), 'map', ('name',))
PROBE_PORT = IntOrString(80, 'web')
CONTAINER = Struct({
    'name': Scalar('c1', 'c2'), 'image': Scalar('i:1', 'i:2'),
    'command': List(TEXT), 'args': List(TEXT), 'env': ENV,
    'imagePullPolicy': Scalar('Always', 'IfNotPresent'),
    'ports': List(Struct({'containerPort': Scalar(80, 81),
                          'protocol': Scalar('TCP', 'UDP', default='TCP'),
                          'hostIP': Scalar('10.0.0.1')},
                         required=('containerPort',)),
                  'map', ('containerPort', 'protocol')),
    'resources': Struct({
        'limits': Map(Scalar('1', '1000m', '2'), ('cpu', 'memory')),
    }),
    'securityContext': Struct({'runAsUser': Scalar(1, 2),
                               'privileged': Scalar(True, False)}),
    'volumeMounts': List(Struct({'mountPath': Scalar('/a', '/b'),
                                 'name': Fixed('v1'),
                                 'readOnly': Scalar(True, False)},
                                required=('mountPath', 'name')),
                         'map', ('mountPath',)),
}, required=('name', 'image'), likely=0.3)
POD_SPEC = Struct({
    'containers': List(CONTAINER, 'map', ('name',), least=1),
    'volumes': Fixed([{'name': 'v1', 'emptyDir': {}}]),
    'nodeSelector': Map(TEXT, ('x', 'y')),
    'hostAliases': List(Struct({'ip': Scalar('1.1.1.1', '2.2.2.2'),
                                'hostnames': List(TEXT)},
                               required=('ip',)), 'map', ('ip',)),
    'tolerations': List(Struct({'key': TEXT, 'operator': Fixed('Exists')},
                               required=('key', 'operator'))),
    'imagePullSecrets': List(Struct({'name': TEXT}, required=('name',)),
                             'map', ('name',)),
    'serviceAccountName': Scalar('a', 'b'),
    'terminationGracePeriodSeconds': Scalar(1, 30),
    'topologySpreadConstraints': List(Struct({
        'topologyKey': TEXT, 'maxSkew': Scalar(1, 2),
        'whenUnsatisfiable': Scalar('DoNotSchedule', 'ScheduleAnyway'),
    }, required=('topologyKey', 'maxSkew', 'whenUnsatisfiable')),
        'map', ('topologyKey', 'whenUnsatisfiable')),
}, required=('containers', 'volumes'), likely=0.25)
TEMPLATE = Struct({
    'metadata': Fixed({'labels': {'app': 'x'}}), 'spec': POD_SPEC,
}, required=('metadata', 'spec'))
SELECTOR = Fixed({'matchLabels': {'app': 'x'}})
DEPLOYMENTS = Kind('Deployment', 'deployments', 'apps', {'v1': Struct({
    'spec': Struct({
        'replicas': SMALL, 'selector': SELECTOR, 'template': TEMPLATE,
        'paused': Scalar(True, False), 'minReadySeconds': SMALL,
        'strategy': Struct({'type': Fixed('RollingUpdate'),
                            'rollingUpdate': Struct({
                                'maxSurge': IntOrString(1, '50%'),
                                'maxUnavailable': IntOrString(1, '25%')})},
                           required=('type',)),
    }, required=('selector', 'template')),
}, required=('spec',))}, status=Struct({
    'replicas': SMALL, 'updatedReplicas': SMALL,
    'conditions': CONDITIONS,
}), scale=True)

PODS = Kind('Pod', 'pods', '', {'v1': Struct({
    'spec': POD_SPEC}, required=('spec',))},
    status=Struct({
        'phase': Scalar('Pending', 'Running'), 'reason': TEXT,
        'conditions': CONDITIONS,
        'podIPs': List(Struct({'ip': Scalar('10.1.0.1')},
                              required=('ip',)), 'map', ('ip',)),
    }))

SERVICES = Kind('Service', 'services', '', {'v1': Struct({
    'spec': Struct({
        'ports': List(Struct({'port': Scalar(80, 81),
                              'protocol': Scalar('TCP', 'UDP',
                                                 default='TCP'),
                              'name': Scalar('p1', 'p2'),
                              'targetPort': IntOrString(80, 'web')},
                             required=('port', 'name'), likely=0.5),
                      'map', ('port', 'protocol'), least=1),
        'selector': Map(TEXT, ('x', 'y')),
        'sessionAffinity': Scalar('None', 'ClientIP'),
        'externalIPs': List(Scalar('1.2.3.4', '1.2.3.5'), repeat=False),
        'publishNotReadyAddresses': Scalar(True, False),
    }, required=('ports',))}, required=('spec',))},
    status=Struct({
        'conditions': CONDITIONS,
        'loadBalancer': Struct({'ingress': List(Struct(
            {'ip': Scalar('1.2.3.4', '1.2.3.5')}, required=('ip',)))}),
    }), creates=True)

TARGET = Fixed({'apiVersion': 'apps/v1', 'kind': 'Deployment', 'name': 'x'})
AUTOSCALERS = Kind(
    'HorizontalPodAutoscaler', 'horizontalpodautoscalers', 'autoscaling', {
        'v1': Struct({'spec': Struct({
            'scaleTargetRef': TARGET, 'minReplicas': Scalar(1, 2),
            'maxReplicas': Scalar(3, 4),
            'targetCPUUtilizationPercentage': Scalar(50, 60),
        }, required=('scaleTargetRef', 'maxReplicas'))}, required=('spec',)),
        'v2': Struct({'spec': Struct({
            'scaleTargetRef': TARGET, 'minReplicas': Scalar(1, 2),
            'maxReplicas': Scalar(3, 4),
            'metrics': List(Struct({
                'type': Fixed('Resource'),
                'resource': Struct({
                    'name': Scalar('cpu', 'memory'),
                    'target': Struct({'type': Fixed('Utilization'),
                                      'averageUtilization': Scalar(50, 60)},
                                     required=('type',
                                               'averageUtilization')),
                }, required=('name', 'target')),
            }, required=('type', 'resource'))),
            'behavior': Struct({'scaleUp': Struct({
                'stabilizationWindowSeconds': Scalar(0, 10)},
                required=('stabilizationWindowSeconds',))},
                required=('scaleUp',)),
        }, required=('scaleTargetRef', 'maxReplicas'))}, required=('spec',)),
    }, status=Struct({'currentReplicas': SMALL, 'desiredReplicas': SMALL}))

RULE = Struct({'apiGroups': Fixed(['']), 'resources': List(
    Scalar('pods', 'nodes'), least=1), 'verbs': List(
    Scalar('get', 'list', '*'), least=1)},
    required=('apiGroups', 'resources', 'verbs'))
ROLES = Kind('Role', 'roles', 'rbac.authorization.k8s.io', {
    'v1': Struct({'rules': List(RULE)}, likely=0.8)})

SECRETS = Kind('Secret', 'secrets', '', {'v1': Struct({
    'data': Map(Scalar('YQ==', 'Yg=='), ('k1', 'k2', 'k3')),
    'stringData': Map(TEXT, ('k1', 'k4')),
}, likely=0.6)})

ACCOUNTS = Kind('ServiceAccount', 'serviceaccounts', '', {'v1': Struct({
    'secrets': List(Struct({'name': TEXT}, required=('name',)),
                    'map', ('name',)),
    'imagePullSecrets': List(Struct({'name': TEXT}, required=('name',))),
    'automountServiceAccountToken': Scalar(True, False),
}, likely=0.6)})

LEASES = Kind('Lease', 'leases', 'coordination.k8s.io', {'v1': Struct({
    'spec': Struct({'holderIdentity': TEXT,
                    'leaseDurationSeconds': Scalar(1, 2),
                    'leaseTransitions': SMALL,
                    'renewTime': Scalar('2026-01-01T00:00:00.000000Z',
                                        '2026-01-02T00:00:00.000000Z')})})})

SLICES = Kind('EndpointSlice', 'endpointslices', 'discovery.k8s.io', {
    'v1': Struct({
        'addressType': Fixed('IPv4'),
        'endpoints': List(Struct({
            'addresses': List(Scalar('10.0.0.1', '10.0.0.2'), least=1,
                              repeat=False),
            'conditions': Struct({'ready': Scalar(True, False)}),
        }, required=('addresses',))),
        'ports': List(Struct({'name': Scalar('p1', 'p2'),
                              'port': Scalar(80, 81)},
                             required=('name',)), 'map', ('name',)),
    }, required=('addressType', 'endpoints'))})

POLICIES = Kind('NetworkPolicy', 'networkpolicies', 'networking.k8s.io', {
    'v1': Struct({'spec': Struct({
        'podSelector': Struct({'matchLabels': Map(TEXT, ('x', 'y'))}),
        'policyTypes': List(Scalar('Ingress', 'Egress'), repeat=False),
        'ingress': List(Struct({'ports': List(Struct({
            'port': IntOrString(80, 'web'),
            'protocol': Scalar('TCP', 'UDP')}))})),
    }, required=('podSelector',))}, required=('spec',))})

BUILT_IN = (CONFIG_MAPS, DEPLOYMENTS, PODS, SERVICES, AUTOSCALERS, ROLES,
            SECRETS, ACCOUNTS, LEASES, SLICES, POLICIES)


def definition():
    """The CustomResourceDefinition of Things."""
    versions = []
    for version, shape in sorted(THINGS.shapes.items()):
        properties = {'spec': shape.fields['spec'].schema(),
                      'status': STATUS.schema()}
        versions.append({
            'name': version, 'served': True, 'storage': version == 'v1',
            'schema': {'openAPIV3Schema': {'type': 'object',
                                           'properties': properties}},
            'subresources': {'status': {}, 'scale': {
                'specReplicasPath': '.spec.replicas',
                'statusReplicasPath': '.status.replicas'}}})
    return {
        'apiVersion': 'apiextensions.k8s.io/v1',
        'kind': 'CustomResourceDefinition',
        'metadata': {'name': 'things.' + GROUP},
        'spec': {'group': GROUP, 'scope': 'Namespaced',
                 'names': {'plural': 'things', 'singular': 'thing',
                           'kind': 'Thing', 'listKind': 'ThingList'},
                 'versions': versions}}
