import t from 'tap'
import { wantedObjects } from '../../src/inspect/wantedObjects.js'

function asked(kinds: string, ...names: string[]) {
  return wantedObjects(kinds.split(','), names).map((one) => [one.resource.kind, ...one.names])
}

t.test('kinds, with names or without', async (t) => {
  t.strictSame(asked('svc'), [['Service']])
  t.strictSame(asked('pods,gtw'), [['Pod'], ['Gateway']])
  t.strictSame(asked('ingress', 'web', 'shop'), [['Ingress', 'web', 'shop']])
  t.strictSame(asked('ingress,svc', 'web'), [
    ['Ingress', 'web'],
    ['Service', 'web'],
  ])
})

t.test('kinds as answers name them', async (t) => {
  t.strictSame(asked('httproute.gateway.networking.k8s.io'), [['HTTPRoute']])
  t.strictSame(asked('Deployments.apps'), [['Deployment']])
  t.strictSame(asked('gateway.gateway.networking.k8s.io/front'), [['Gateway', 'front']])
  t.throws(() => asked('deployments.networking.k8s.io'), { message: /have a resource type/ })
})

t.test('kind and name in one word, each kind once', async (t) => {
  t.strictSame(asked('svc/web', 'pod/a', 'service/shop', 'pods/b'), [
    ['Service', 'web', 'shop'],
    ['Pod', 'a', 'b'],
  ])
  t.strictSame(asked('svc/web,pod/a'), [
    ['Service', 'web'],
    ['Pod', 'a'],
  ])
})

t.test('what names nothing', async (t) => {
  for (const [kinds, ...names] of [['svc/'], ['svc/a/b'], ['/a'], ['svc/a', 'b'], ['svc,pod/a']] as [
    string,
    ...string[],
  ][])
    t.throws(() => asked(kinds, ...names), { message: /names no object/ }, `${kinds} ${names.join(' ')}`)
  t.throws(() => asked('pudding/x'), { message: /have a resource type "pudding"/ })
})
