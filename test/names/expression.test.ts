import fc from 'fast-check'
import t from 'tap'
import { substitute, type TextUse } from '../../src/names/expression.js'
import { namesOf } from '../../src/names/names.js'
import { topology } from '../lab/fixture.js'

const names = namesOf(topology)

function resolvedText(text: string, use: TextUse = 'plain'): string {
  const done = substitute(text, names, use)
  if ('text' in done) return done.text
  return done.hint === undefined ? done.problem : `${done.problem}; ${done.hint}`
}

t.test('names in braces', async (t) => {
  const table: [string, string][] = [
    ['{node-a}', '172.18.0.2'],
    ['{node-a.ipv4}', '172.18.0.2'],
    ['{node-a.ipv6}', 'fd00:18::2'],
    ['{node-a.ipv6}:80', '[fd00:18::2]:80'],
    ['{node-a.ipv6}:{web.port}', '[fd00:18::2]:80'],
    ['{node-a.ipv6}: yes', 'fd00:18::2: yes'],
    ['{web}', '10.96.0.10'],
    ['{default/web}:{web.port}', '10.96.0.10:80'],
    ['{web.nodePort}', '30080'],
    ['{web.nodePort.http}', '30080'],
    ['{web.port.admin}', '9000'],
    ['{app=web@node-b}', '10.244.2.2'],
    ['{app=web@node-b.name}', 'web-7f-b'],
    ['{web-7f-a.node}', 'node-a'],
    ['{{"a": {{"b": 1}}', '{"a": {"b": 1}}'],
    ['plain } text', 'plain } text'],
    ['', ''],
  ]
  for (const [text, expected] of table) t.equal(resolvedText(text), expected, text)
  t.equal(resolvedText('http://{node-a.ipv6}/{web}', 'url'), 'http://[fd00:18::2]/10.96.0.10')
  t.equal(resolvedText('http://{node-a}:{web.nodePort}/', 'url'), 'http://172.18.0.2:30080/')
})

t.test('addresses from outside, and who answers for them', async (t) => {
  const announced = namesOf({
    ...topology,
    services: topology.services.map((service) =>
      service.name === 'web'
        ? {
            ...service,
            externalIPs: ['192.0.2.7', '2001:db8::7', '203.0.113.1'],
            announcedBy: [
              { address: '192.0.2.7', node: 'node-b' },
              { address: '2001:db8::7', node: 'node-a' },
            ],
          }
        : service,
    ),
  })
  const said = (text: string, use: TextUse = 'plain') => substitute(text, announced, use)
  t.same(said('{web.external}'), { text: '192.0.2.7' })
  t.same(said('http://{web.external.ipv6}/', 'url'), { text: 'http://[2001:db8::7]/' })
  t.same(said('{web.announcer}'), { text: 'node-b' })
  t.same(said('{web.announcer.ipv6}'), { text: 'node-a' })
  t.equal(resolvedText('{web.announcer}'), 'no node answers for 192.0.2.7 of Service web')
  t.equal(resolvedText('{web.external.ipv6}'), 'Service web has no external address of IPv6')
  t.equal(resolvedText('{web.external.ipv5}'), '"ipv5" is not an address family; write ipv4 or ipv6')
  t.equal(resolvedText('{node-a.external}'), '"node-a" is a node; a Service is needed here')
})

t.test('what has no meaning', async (t) => {
  const table: [string, string][] = [
    ['{node-x}', 'there is no node, client, pod or Service named "node-x"; did you mean "node-a"?'],
    ['{node-a.ip}', 'there is no node, client, pod or Service named "node-a.ip"; did you mean "node-a"?'],
    ['{node-a.port}', '"node-a" is a node; a Service is needed here'],
    ['{node-a.node}', '"node-a" is not a pod, so it has no node'],
    ['{default/db.ipv6}', '"default/db" has no IPv6 address'],
    ['{headless}', '"headless" has no IP address'],
    ['{headless.port}', 'Service headless has no port'],
    ['{web.port.htpp}', 'Service web has no port "htpp"; its ports are http, admin'],
    ['{web.nodePort.admin}', 'Service web has no node port'],
    ['{db}', '"db" means more than one thing; write default/db or shop/db'],
    ['{"a": 1}', '"{"a": 1}" is not a name in braces; a literal brace is written {{'],
    ['{}', '"{}" is not a name in braces; a literal brace is written {{'],
    ['a{b', 'the brace in "a{b" is never closed; a literal brace is written {{'],
  ]
  for (const [text, expected] of table) t.equal(resolvedText(text), expected, text)
})

t.test('a text with its braces doubled is itself', async () => {
  fc.assert(fc.property(fc.string(), (text) => resolvedText(text.replaceAll('{', '{{')) === text))
})
