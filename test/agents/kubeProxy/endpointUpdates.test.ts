import t from 'tap'
import type { EndpointSlice } from '../../../src/cluster/types.js'
import { changesBetween } from '../../../src/agents/kubeProxy/changes.js'
import { endpointsMap } from '../../../src/agents/kubeProxy/endpoints.js'
import { endpoint, input, slice } from './objects.js'

// The endpoints after updates of EndpointSlices of UDP ports, and whether conntrack entries may have become stale.
type Port = readonly [string, number, 'UDP']
const local = (address: string) => endpoint(address, 'local')
const remote = (address: string) => endpoint(address, 'remote')
const slices = (name: string, endpoints: EndpointSlice['endpoints'], ...ports: Port[]) =>
  slice(name.split('-')[0] ?? '', endpoints, ports, { name })
const a: Port = ['a', 11, 'UDP']
const b: Port = ['b', 12, 'UDP']

interface Case {
  readonly name: string
  readonly before: readonly EndpointSlice[]
  readonly after: readonly EndpointSlice[]
  /** Service and port name to its endpoints, in order. */
  readonly expected: Readonly<Record<string, readonly string[]>>
  /** Addresses of endpoints on this node that are ready, by Service. */
  readonly local?: Readonly<Record<string, readonly string[]>>
  readonly changed: boolean
}

const one = slices('one-1', [remote('1.1.1.1')], a)
const cases: readonly Case[] = [
  { name: 'nothing', before: [], after: [], expected: {}, changed: false },
  {
    name: 'unchanged, a port without name',
    before: [slices('one-1', [remote('1.1.1.1')], ['', 11, 'UDP'])],
    after: [slices('one-1', [remote('1.1.1.1')], ['', 11, 'UDP'])],
    expected: { 'one:': ['1.1.1.1:11'] },
    changed: false,
  },
  {
    name: 'unchanged, a named port on this node',
    before: [slices('one-1', [local('1.1.1.1')], a)],
    after: [slices('one-1', [local('1.1.1.1')], a)],
    expected: { 'one:a': ['1.1.1.1:11'] },
    local: { one: ['1.1.1.1'] },
    changed: false,
  },
  {
    name: 'unchanged, several ports and slices',
    before: [slices('one-1', [remote('1.1.1.1')], a), slices('one-2', [local('1.1.1.2')], b)],
    after: [slices('one-1', [remote('1.1.1.1')], a), slices('one-2', [local('1.1.1.2')], b)],
    expected: { 'one:a': ['1.1.1.1:11'], 'one:b': ['1.1.1.2:12'] },
    local: { one: ['1.1.1.2'] },
    changed: false,
  },
  {
    name: 'added, for a Service that had none',
    before: [],
    after: [slices('one-1', [local('1.1.1.1')], a)],
    expected: { 'one:a': ['1.1.1.1:11'] },
    local: { one: ['1.1.1.1'] },
    changed: true,
  },
  { name: 'removed with its slice', before: [one], after: [], expected: {}, changed: true },
  {
    name: 'an address and a port added',
    before: [one],
    after: [slices('one-1', [remote('1.1.1.1'), local('1.1.1.2')], a, b)],
    expected: { 'one:a': ['1.1.1.1:11', '1.1.1.2:11'], 'one:b': ['1.1.1.1:12', '1.1.1.2:12'] },
    local: { one: ['1.1.1.2'] },
    changed: true,
  },
  {
    name: 'an address and a port removed',
    before: [slices('one-1', [remote('1.1.1.1'), local('1.1.1.2')], a, b)],
    after: [one],
    expected: { 'one:a': ['1.1.1.1:11'] },
    changed: true,
  },
  {
    name: 'a slice added',
    before: [one],
    after: [one, slices('one-2', [local('1.1.1.2')], b)],
    expected: { 'one:a': ['1.1.1.1:11'], 'one:b': ['1.1.1.2:12'] },
    local: { one: ['1.1.1.2'] },
    changed: true,
  },
  {
    name: 'a slice removed',
    before: [one, slices('one-2', [local('1.1.1.2')], b)],
    after: [one],
    expected: { 'one:a': ['1.1.1.1:11'] },
    changed: true,
  },
  {
    name: 'a port renamed',
    before: [one],
    after: [slices('one-1', [remote('1.1.1.1')], ['b', 11, 'UDP'])],
    expected: { 'one:b': ['1.1.1.1:11'] },
    changed: true,
  },
  {
    name: 'a port renumbered',
    before: [one],
    after: [slices('one-1', [remote('1.1.1.1')], ['a', 22, 'UDP'])],
    expected: { 'one:a': ['1.1.1.1:22'] },
    changed: true,
  },
  {
    name: 'much at once, in several Services',
    before: [
      slices('one-1', [remote('1.1.1.1')], a),
      slices('two-1', [local('2.2.2.2'), remote('2.2.2.22')], ['c', 22, 'UDP']),
      slices('four-1', [local('4.4.4.4')], ['d', 44, 'UDP']),
    ],
    after: [
      slices('one-1', [remote('1.1.1.1'), remote('1.1.1.11')], a),
      slices('one-2', [remote('1.1.1.2')], b),
      slices('three-1', [local('3.3.3.3')], ['e', 33, 'UDP']),
      slices('four-1', [local('4.4.4.4')], ['d', 45, 'UDP']),
    ],
    expected: {
      'one:a': ['1.1.1.11:11', '1.1.1.1:11'],
      'one:b': ['1.1.1.2:12'],
      'three:e': ['3.3.3.3:33'],
      'four:d': ['4.4.4.4:45'],
    },
    local: { three: ['3.3.3.3'], four: ['4.4.4.4'] },
    changed: true,
  },
  {
    name: 'from an empty slice to one endpoint',
    before: [slices('one-1', [], a)],
    after: [one],
    expected: { 'one:a': ['1.1.1.1:11'] },
    changed: true,
  },
  {
    name: 'from one endpoint to an empty slice',
    before: [one],
    after: [slices('one-1', [], a)],
    expected: { 'one:a': [] },
    changed: true,
  },
]

for (const { name, before, after, expected, local: own = {}, changed } of cases) {
  t.test(name, (t) => {
    const found = [...endpointsMap(after, 'IPv4', 'test-node')]
    const texts = found.map(([key, endpoints]) => [
      key.replace(/^ns1\/(.*)\/UDP$/, '$1'),
      endpoints.map(({ text }) => text),
    ])
    t.same(Object.fromEntries(texts), expected)

    const ready: Record<string, string[]> = {}
    for (const [key, endpoints] of found) {
      const service = key.replace(/^ns1\/(.*?):.*$/, '$1')
      for (const one of endpoints) {
        if (one.local && one.ready) ready[service] = [...new Set([...(ready[service] ?? []), one.address])]
      }
    }
    t.same(ready, own, 'ready on this node')

    const changes = changesBetween(input([], before), input([], after), 'IPv4')
    t.equal(changes.cleanConntrack, changed, 'stale conntrack entries are looked for')
    t.equal(changes.sync, changed)
    t.end()
  })
}
