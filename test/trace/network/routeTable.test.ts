import fc from 'fast-check'
import t from 'tap'
import { networkHolds, parseNetwork, type Network } from '../../../src/net/address.js'
import { RouteTable } from '../../../src/trace/network/routeTable.js'

const ipv4 = fc.tuple(fc.constantFrom(10, 203), fc.nat(3), fc.nat(3), fc.nat(7)).map((all) => all.join('.'))
const ipv6 = fc
  .tuple(fc.constantFrom('fd00', '2001'), fc.nat(3), fc.nat(7))
  .map(([a, b, c]) => `${a}::${b}:${c}`)
const network = fc
  .oneof(
    fc.tuple(ipv4, fc.constantFrom(0, 8, 16, 24, 30, 32)),
    fc.tuple(ipv6, fc.constantFrom(0, 16, 64, 112, 127, 128)),
  )
  .map(([address, bits]) => parseNetwork(`${address}/${bits}`))
  .filter((one) => one !== undefined)

t.test('a table of routes finds the first of the longest prefix that holds an address', (t) => {
  fc.assert(
    fc.property(fc.array(network, { maxLength: 12 }), fc.oneof(ipv4, ipv6), (ranges, address) => {
      const routes = ranges
        .map((to: Network, index) => ({ to, index }))
        .sort((a, b) => b.to.prefixLength - a.to.prefixLength)
      const found = new RouteTable(routes).find(address)
      t.equal(
        found,
        routes.find(({ to }) => networkHolds(to, address)),
      )
    }),
  )
  t.end()
})
