import t from 'tap'
import type { NamedKind } from '../../src/names/named.js'
import { namesOf, placeKinds } from '../../src/names/names.js'
import type { TopologyView } from '../../src/results/events.js'
import { topology } from '../lab/fixture.js'

function lookUp(reference: string, kinds?: readonly NamedKind[], view: TopologyView = topology): string {
  const lookup = namesOf(view).lookup(reference, kinds)
  if ('found' in lookup) return lookup.found.map(({ kind, label }) => `${kind} ${label}`).join(', ')
  return lookup.hint === undefined ? lookup.problem : `${lookup.problem}; ${lookup.hint}`
}

t.test('references by name, namespace, kind and selector', async (t) => {
  const table: [string, string][] = [
    ['node-a', 'node node-a'],
    ['client', 'client client'],
    ['web', 'service web'],
    ['service/web', 'service web'],
    ['default/web', 'service web'],
    ['service/default/web', 'service web'],
    ['web-7f-a', 'pod web-7f-a'],
    ['shop/db', 'pod shop/db'],
    ['default/db', 'pod default/db'],
    ['app=web', 'pod web-7f-a, pod web-7f-b'],
    ['app==web', 'pod web-7f-a, pod web-7f-b'],
    ['app=web,tier=front', 'pod web-7f-b'],
    ['app=web@node-a', 'pod web-7f-a'],
    ['app=db', 'pod default/db, pod shop/db'],
    ['db', '"db" means more than one thing; write default/db or shop/db'],
    ['node-c', 'there is no node, client, pod or Service named "node-c"; did you mean "node-a"?'],
    ['something', 'there is no node, client, pod or Service named "something"'],
    ['app=wbe', 'no pod has the label app=wbe; did you mean "app=web"?'],
    ['app=web@node-c', 'there is no node named "node-c"; did you mean "node-a"?'],
    ['tier=front@node-a', 'no pod with tier=front is on node-a; there are some on node-b'],
    ['=web', '"=web" is not a label selector; write app=web, app=web,tier=front or app=web@node-b'],
    ['a=b=c', '"a=b=c" is not a label selector; write app=web, app=web,tier=front or app=web@node-b'],
    ['constructor', 'there is no node, client, pod or Service named "constructor"'],
  ]
  for (const [reference, expected] of table) t.equal(lookUp(reference), expected, reference)
})

t.test('only the kinds that may stand there', async (t) => {
  t.equal(lookUp('web', placeKinds), '"web" is a Service; a node, client or pod is needed here')
  t.equal(lookUp('node-a', ['service']), '"node-a" is a node; a Service is needed here')
  t.equal(lookUp('wbe', ['service']), 'there is no Service named "wbe"; did you mean "web"?')
})

t.test('one name, several kinds', async (t) => {
  const [pod] = topology.pods
  if (pod === undefined) throw new Error('the fixture has no pod')
  const view = {
    ...topology,
    pods: [
      { ...pod, name: 'web' },
      { ...pod, name: 'node-a', namespace: 'node' },
    ],
  }
  t.equal(lookUp('web', undefined, view), '"web" means more than one thing; write pod/web or service/web')
  t.equal(lookUp('web', placeKinds, view), 'pod pod/web')
  t.equal(
    lookUp('default/web', undefined, view),
    '"default/web" means more than one thing; write pod/web or service/web',
  )
  t.equal(
    lookUp('node/node-a', undefined, view),
    '"node/node-a" means more than one thing; write node/node-a or pod/node-a',
  )
})

t.test('whose an address is', async (t) => {
  const names = namesOf(topology)
  const table: [string, string | undefined][] = [
    ['172.18.0.2', 'node-a'],
    ['10.244.1.1', 'node-a'],
    ['fd00:244:0:2::1', 'node-b'],
    ['172.18.0.3', 'node-b'],
    ['10.244.2.9', 'shop/db'],
    ['10.96.0.10', 'web'],
    ['192.0.2.7', 'web'],
    ['None', undefined],
    ['10.0.0.1', undefined],
  ]
  for (const [address, label] of table) t.equal(names.at(address)?.label, label, address)
})
