import fc from 'fast-check'
import t from 'tap'
import {
  addressFamily,
  addressNumber,
  addressText,
  canonicalAddress,
  isAddressOrRange,
  isIPv4Mapped,
  nthAddress,
  nthSubnet,
  offsetIn,
  parseRange,
  rangeContains,
  rangeOf,
  rangeSize,
} from '../../src/net/ranges.js'
import type { IpFamily } from '../../src/net/ipFamily.js'

t.test('an address or a range is written in full', (t) => {
  for (const text of ['10.0.0.1', '10.0.0.0/8', '::1', '::/0']) t.equal(isAddressOrRange(text), true, text)
  for (const text of [
    '0',
    '10.1',
    '0x0a.0.0.1',
    '010.0.0.0/8',
    '10.0.0.0/33',
    'all',
    '',
    'fe80::1%eth0',
    '1/8',
  ])
    t.equal(isAddressOrRange(text), false, text)
  t.end()
})

t.test('only text that Go parses is an address', (t) => {
  const table: [string, IpFamily | undefined][] = [
    ['10.96.0.1', 'IPv4'],
    ['255.255.255.255', 'IPv4'],
    ['fd00:10:96::1', 'IPv6'],
    ['::', 'IPv6'],
    ['::ffff:10.0.0.1', 'IPv6'],
    ['10.96.0', undefined],
    ['10.96.0.01', undefined],
    ['10.96.0.256', undefined],
    ['0x0a.0.0.1', undefined],
    ['167772161', undefined],
    ['fe80::1%eth0', undefined],
    ['1::2::3', undefined],
    ['example.com', undefined],
    ['', undefined],
    [' 10.0.0.1', undefined],
  ]
  for (const [text, family] of table) t.equal(addressFamily(text), family, JSON.stringify(text))
  t.ok(isIPv4Mapped('::ffff:10.0.0.1'))
  t.notOk(isIPv4Mapped('10.0.0.1'))
  t.throws(() => canonicalAddress('nope'), RangeError)
  t.end()
})

t.test('canonical text is that of Go', (t) => {
  t.equal(canonicalAddress('FD00:0:0:0:0:0:0:1'), 'fd00::1')
  t.equal(canonicalAddress('2001:db8:0:0:1:0:0:1'), '2001:db8::1:0:0:1')
  t.equal(canonicalAddress('::ffff:10.0.0.1'), '10.0.0.1')
  t.end()
})

t.test('ranges', (t) => {
  const services = rangeOf('10.96.0.0/16')
  t.equal(rangeSize(services), 65536n)
  t.equal(nthAddress(services, 257), '10.96.1.1')
  t.equal(offsetIn(services, '10.96.1.1'), 257n)
  t.equal(offsetIn(services, '10.97.0.0'), undefined)
  t.equal(offsetIn(services, 'fd00::1'), undefined)
  t.ok(rangeContains(rangeOf('::1/128'), '::1'))
  t.equal(nthSubnet(rangeOf('10.244.0.0/16'), 24, 2), '10.244.2.0/24')
  t.equal(nthSubnet(rangeOf('10.244.0.0/16'), 24, 256), undefined)
  t.equal(nthSubnet(rangeOf('fd00:244::/48'), 64, 10), 'fd00:244:0:a::/64')
  t.same(parseRange('10.1.2.3/8'), { family: 'IPv4', first: 10n << 24n, prefixLength: 8 })
  for (const text of ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/08', 'fd00::/129', '/8', 'x/8'])
    t.equal(parseRange(text), undefined, text)
  t.throws(() => nthAddress(rangeOf('10.0.0.0/30'), 4), RangeError)
  t.throws(() => rangeOf('10.0.0.0'), RangeError)
  t.end()
})

t.test('number and text convert to each other', (t) => {
  const bits: Record<IpFamily, bigint> = { IPv4: 32n, IPv6: 128n }
  const sample = fc
    .constantFrom<IpFamily>('IPv4', 'IPv6')
    .chain((family) =>
      fc.record({ family: fc.constant(family), value: fc.bigInt(0n, (1n << bits[family]) - 1n) }),
    )
  fc.assert(
    fc.property(sample, ({ family, value }) => {
      const text = addressText(family, value)
      return addressFamily(text) === family && addressNumber(text) === value
    }),
  )
  t.pass('held for all samples')
  t.end()
})
