import t from 'tap'
import { nextProxyPort, parsePortRange } from '../../../../src/agents/kubeProxy/userspace/proxyPorts.js'

t.test('a range of ports is two ends, a start and a size, or one port', (t) => {
  const table: readonly [string, ReturnType<typeof parsePortRange>][] = [
    ['300-2000', { first: 300, last: 2000 }],
    ['300+1700', { first: 300, last: 2000 }],
    ['300', { first: 300, last: 300 }],
    [' 300 - 301 ', { first: 300, last: 301 }],
    ['', undefined],
    ['0-10', undefined],
    ['20-10', undefined],
    ['65535-65536', undefined],
    ['many', undefined],
  ]
  for (const [text, range] of table) t.same(parsePortRange(text), range, `"${text}"`)
  t.end()
})

t.test('ports are allocated in order, wrapping around, while any is free', (t) => {
  const range = { first: 10, last: 12 }
  const next = (after: number, ...taken: number[]) =>
    nextProxyPort(range, after, (port) => taken.includes(port))
  t.equal(next(0), 10)
  t.equal(next(10), 11)
  t.equal(next(12), 10)
  t.equal(next(12, 10), 11)
  t.equal(next(10, 11, 12), 10)
  t.equal(next(10, 10, 11, 12), undefined)
  t.end()
})
