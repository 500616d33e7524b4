import * as fc from 'fast-check'
import t from 'tap'
import { decodeAnswer, decodeQuery, MalformedMessage } from '../../src/dns/decode.js'
import { encodeAnswer, encodeQuery } from '../../src/dns/encode.js'
import { resolve } from '../../src/dns/resolve.js'
import { rcodes, typeNumbers, type AnswerRecord } from '../../src/dns/types.js'
import { indexZone } from '../../src/dns/zoneIndex.js'

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/)
const name = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'))

t.test('a query is read as it was written', async () => {
  fc.assert(
    fc.property(fc.nat(0xffff), name, fc.constantFrom(...Object.values(typeNumbers)), (id, asked, type) => {
      const read = decodeQuery(encodeQuery(id, asked, type))
      return read?.id === id && read.name === asked && read.type === type && read.recursionDesired
    }),
  )
})

t.test('so are addresses and aliases, whatever names they share', async (t) => {
  const record = fc.oneof(
    fc.record<AnswerRecord>({
      name,
      type: fc.constant('A'),
      ttl: fc.nat(),
      data: fc.ipV4(),
    }),
    fc.record<AnswerRecord>({ name, type: fc.constant('CNAME'), ttl: fc.nat(), data: name }),
  )
  fc.assert(
    fc.property(name, fc.array(record, { maxLength: 12 }), (asked, answers) => {
      const query = decodeQuery(encodeQuery(1, asked, 1))
      if (query === undefined) return false
      const answer = { rcode: 0, authoritative: true, answers, authority: [] }
      t.same(decodeAnswer(encodeAnswer(query, answer)).answers, answers)
      return true
    }),
  )
})

t.test('no bytes make it do more than refuse them', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
      for (const read of [decodeQuery, decodeAnswer]) {
        try {
          read(Buffer.from(bytes))
        } catch (error) {
          if (!(error instanceof MalformedMessage)) throw error
        }
      }
    }),
    { numRuns: 2000 },
  )
})

t.test('an answer that is too long is cut, and says so', async (t) => {
  const query = decodeQuery(encodeQuery(7, 'db.example', typeNumbers.A))
  if (query === undefined) throw new Error('not a query')
  const answers = Array.from({ length: 60 }, (_, index): AnswerRecord => {
    return { name: 'db.example', type: 'A', ttl: 30, data: `10.0.0.${index}` }
  })
  const message = encodeAnswer(query, { rcode: 0, authoritative: true, answers, authority: [] }, 512)
  t.ok(message.length <= 512)
  t.equal(message.readUInt16BE(2) & 0x0200, 0x0200)
})

const zone = indexZone({
  origin: 'cluster.local',
  records: [
    { name: 'web.default.svc.cluster.local', type: 'A', address: '10.96.0.1' },
    { name: '_http._tcp.web.default.svc.cluster.local', type: 'SRV', port: 80, target: 'web' },
    { name: 'out.default.svc.cluster.local', type: 'CNAME', target: 'www.example.com' },
    { name: 'in.default.svc.cluster.local', type: 'CNAME', target: 'web.default.svc.cluster.local' },
    { name: 'round.default.svc.cluster.local', type: 'CNAME', target: 'round.default.svc.cluster.local' },
  ],
  emptyNames: ['empty.svc.cluster.local'],
})

t.test('what exists without such a record, what does not, and what is not of the zone', async (t) => {
  const ask = (asked: string, type: keyof typeof typeNumbers) =>
    resolve(zone, { name: asked, type: typeNumbers[type] }, undefined)
  t.match(await ask('WEB.default.svc.cluster.local', 'A'), { rcode: 0, answers: [{ data: '10.96.0.1' }] })
  for (const exists of ['web.default', '_tcp.web.default', 'default', 'empty'])
    t.match(await ask(`${exists}.svc.cluster.local`, 'AAAA'), {
      rcode: rcodes.noError,
      answers: [],
      authority: [{ type: 'SOA' }],
    })
  t.match(await ask('nobody.default.svc.cluster.local', 'A'), { rcode: rcodes.nxDomain, answers: [] })
  t.equal(await ask('www.example.com', 'A'), undefined)
  t.equal(await ask('notcluster.local', 'A'), undefined)
})

t.test('aliases are followed, inside and outside, and not for ever', async (t) => {
  const asked: string[] = []
  const outside = (target: string) => {
    asked.push(target)
    const answers: AnswerRecord[] = [{ name: target, type: 'A', ttl: 60, data: '203.0.113.7' }]
    return Promise.resolve({ rcode: 0, authoritative: false, answers, authority: [] })
  }
  const ask = (of: string) => resolve(zone, { name: `${of}.default.svc.cluster.local`, type: 1 }, outside)
  t.same(
    (await ask('in'))?.answers.map(({ data }) => data),
    ['web.default.svc.cluster.local', '10.96.0.1'],
  )
  t.same(
    (await ask('out'))?.answers.map(({ data }) => data),
    ['www.example.com', '203.0.113.7'],
  )
  t.same(asked, ['www.example.com'])
  t.equal((await ask('round'))?.rcode, rcodes.servFail)
})
