import fc from 'fast-check'
import t from 'tap'
import { networkHolds, parseAddress, parseNetwork } from '../../src/net/address.js'

t.test('addresses', (t) => {
  for (const [text, expected] of [
    ['10.0.0.1', '10.0.0.1'],
    ['172.30.0.041', '172.30.0.41'],
    ['FD00:0::1', 'fd00::1'],
    ['fd00:0:0:1:0:0:0:1', 'fd00:0:0:1::1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::', '::'],
    ['256.0.0.1', undefined],
    ['10.0.0', undefined],
    ['10.0.0.1.', undefined],
    ['fe80::1%eth0', undefined],
    ['None', undefined],
    ['', undefined],
  ] as const) {
    t.equal(parseAddress(text)?.text, expected, text)
  }
  t.end()
})

t.test('networks are masked', (t) => {
  for (const [text, expected] of [
    ['10.1.2.3/14', '10.0.0.0/14'],
    ['203.0.113.000/025', '203.0.113.0/25'],
    ['2002:0:0:1234::1/64', '2002:0:0:1234::/64'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['10.0.0.0/0008', '10.0.0.0/8'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['::ffff:10.1.2.3/64', undefined],
    ['::/0', '::/0'],
    ['10.0.0.0/-1', undefined],
    ['10.0.0.0/33', undefined],
    ['10.0.0.0', undefined],
    ['/8', undefined],
  ] as const) {
    t.equal(parseNetwork(text)?.text, expected, text)
  }
  t.end()
})

t.test('a network made from an address contains it', (t) => {
  // An IPv4-mapped address is IPv4, and has no 128 bits to mask.
  const six = fc.ipV6().filter((text) => parseAddress(text)?.family === 'IPv6')
  const address = fc.oneof(
    fc.ipV4().map((text) => [text, 32] as const),
    six.map((text) => [text, 128] as const),
  )
  fc.assert(
    fc.property(address, fc.nat(128), ([text, bits], length) => {
      const network = parseNetwork(`${text}/${Math.min(length, bits)}`)
      return (
        network !== undefined &&
        networkHolds(network, text) &&
        parseNetwork(network.text)?.text === network.text
      )
    }),
  )
  t.end()
})
