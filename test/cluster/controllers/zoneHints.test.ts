import t from 'tap'
import { withZoneHints, zoneShares } from '../../../src/cluster/controllers/zoneHints.js'
import type { Endpoint, EndpointSlice, Node } from '../../../src/cluster/types.js'

function node(name: string, zone: string, cpu: string | undefined, labels = {}): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { ...(zone === '' ? {} : { 'topology.kubernetes.io/zone': zone }), ...labels },
    },
    status: cpu === undefined ? {} : { allocatable: { cpu } },
  }
}

function endpoints(...zones: string[]): Endpoint[] {
  return zones.map((zone, index) => ({
    addresses: [`10.0.0.${index}`],
    conditions: { ready: true },
    ...(zone === '' ? {} : { zone }),
  }))
}

function hints(slices: readonly { endpoints: readonly Endpoint[] }[]): (string | undefined)[] {
  return slices.flatMap((slice) => slice.endpoints.map((endpoint) => endpoint.hints?.forZones?.[0]?.name))
}

const made = (...zones: string[]) => ({ before: undefined, unchanged: false, endpoints: endpoints(...zones) })

const even = zoneShares([node('a', 'east', '2'), node('b', 'west', '2000m')])

t.test('the share of a zone is its part of the CPU', (t) => {
  t.same(even, new Map(Object.entries({ east: 0.5, west: 0.5 })))
  const uneven = [node('a', 'east', '1'), node('b', 'west', '2'), node('c', 'west', '1')]
  t.same(zoneShares(uneven), new Map(Object.entries({ east: 0.25, west: 0.75 })))
  const controlPlane = node('d', '', undefined, { 'node-role.kubernetes.io/control-plane': '' })
  t.same(zoneShares([...uneven, controlPlane]), zoneShares(uneven), 'without the control plane')
  t.equal(zoneShares([...uneven, node('d', '', '1')]), undefined, 'a node without a zone')
  t.equal(zoneShares([...uneven, node('d', 'east', undefined)]), undefined, 'a node without CPU')
  t.equal(zoneShares([node('a', 'east', '1'), node('b', 'east', '1')]), undefined, 'one zone')
  t.end()
})

t.test('each zone has hints for its own endpoints; a zone with too many gives some to another', (t) => {
  t.same(hints(withZoneHints([made('east', 'west', 'east', 'west')], even)), ['east', 'west', 'east', 'west'])
  t.same(hints(withZoneHints([made('east', 'east', 'east', 'west')], even)), ['west', 'east', 'east', 'west'])
  t.end()
})

t.test('without enough endpoints or facts no endpoint has hints', (t) => {
  const none = (...zones: string[]) => zones.map(() => undefined)
  t.same(hints(withZoneHints([made('east')], even)), none('east'), 'fewer endpoints than zones')
  t.same(
    hints(withZoneHints([made('east', 'east', 'west')], even)),
    none('', '', ''),
    'too much for one of them',
  )
  t.same(hints(withZoneHints([made('east', 'west')], undefined)), none('east', 'west'), 'unknown shares')
  t.same(hints(withZoneHints([made('east', '')], even)), none('east', ''), 'an endpoint without a zone')
  const overloaded = zoneShares([node('a', 'east', '1'), node('b', 'west', '9')])
  t.same(
    hints(withZoneHints([made('east', 'west')], overloaded)),
    none('east', 'west'),
    'too few for the shares',
  )
  const unready = { ...made('east', 'west', 'west') }
  unready.endpoints[2] = { ...unready.endpoints[2], addresses: ['10.0.0.9'], conditions: { ready: false } }
  t.same(hints(withZoneHints([unready], even)), ['east', 'west', undefined], 'an endpoint that is not ready')
  t.end()
})

t.test('an unchanged slice keeps its hints while they are possible', (t) => {
  const kept = (...zones: string[]) => {
    const hinted = endpoints('east', 'east').map((endpoint, index) => ({
      ...endpoint,
      hints: { forZones: [{ name: zones[index] ?? '' }] },
    }))
    const before = { endpoints: hinted } as EndpointSlice
    return { before, unchanged: true, endpoints: endpoints('east', 'east') }
  }
  t.same(hints(withZoneHints([kept('west', 'east')], even)), ['west', 'east'])
  t.same(hints(withZoneHints([kept('north', 'east')], even)), ['west', 'east'], 'a zone that is gone')
  t.same(hints(withZoneHints([kept('east', 'east'), made('west', 'west')], even)), [
    'east',
    'east',
    'west',
    'west',
  ])
  t.end()
})
