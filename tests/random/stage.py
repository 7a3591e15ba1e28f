"""What a server needs before anybody plays: a namespace, and the definition of
Things with every version served."""

import sys
import time

import kinds
import sequences


def prepare(server, namespace):
    server.ask('POST', '/apis/apiextensions.k8s.io/v1/'
               'customresourcedefinitions', kinds.definition())
    answer = server.ask('POST', '/api/v1/namespaces',
                        {'metadata': {'name': namespace}})
    if answer.status != 201:
        sys.exit('random: no namespace: %s' % (answer.body,))
    # A kube-apiserver serves a new kind some time before it knows the schema
    # for apply.
    for version in kinds.THINGS.shapes:
        until(201, server, 'PATCH', kinds.THINGS.path(
            version, namespace, 'probe') + '?fieldManager=probe&dryRun=All',
            {'apiVersion': kinds.THINGS.api_version(version),
             'kind': 'Thing', 'metadata': {'name': 'probe'}},
            sequences.TYPES['apply'])


def until(status, server, *request):
    """Asks until the answer has that status, for half a minute at most."""
    return until_true(lambda a: a.status == status, server, *request)


def until_true(right, server, *request):
    for _ in range(600):
        answer = server.ask(*request)
        if right(answer):
            return answer
        time.sleep(0.05)
    sys.exit('random: %s %s: %s' % (request[0], request[1], answer.body))
