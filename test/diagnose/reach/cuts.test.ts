import fc from 'fast-check'
import t from 'tap'
import { networkHolds, parseNetwork } from '../../../src/net/address.js'
import { Cuts } from '../../../src/diagnose/reach/cuts.js'

const octet = fc.nat(3)
const address = fc.tuple(octet, octet, octet).map(([a, b, c]) => `10.${a}.${b}.${c}`)
const range = fc
  .tuple(address, fc.constantFrom(8, 14, 15, 16, 23, 24, 30, 31, 32))
  .map(([base, bits]) => `${base}/${bits}`)

t.test('addresses have one key exactly if the same ranges hold them', (t) => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 8 }), address, address, (ranges, one, other) => {
      const cuts = new Cuts(ranges)
      const holding = (own: string) =>
        ranges.filter((text) => {
          const network = parseNetwork(text)
          return network !== undefined && networkHolds(network, own)
        })
      t.equal(cuts.keyOf(one) === cuts.keyOf(other), holding(one).join() === holding(other).join())
    }),
  )
  t.end()
})

t.test('atoms cover all addresses, in order', (t) => {
  const atoms = new Cuts(['10.0.0.0/8', '10.1.0.0/16', '203.0.113.7-203.0.113.9']).atoms('IPv4')
  t.equal(atoms.length, 7)
  t.equal(atoms[0]?.first, 0n)
  t.equal(atoms.at(-1)?.last, (1n << 32n) - 1n)
  for (const [index, { first }] of atoms.entries())
    if (index > 0) t.equal(first, (atoms[index - 1]?.last ?? 0n) + 1n)
  t.equal(atoms[1]?.key, atoms[3]?.key, 'the same range holds both sides of a range inside of it')
  t.end()
})
