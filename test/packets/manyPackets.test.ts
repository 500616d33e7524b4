import t from 'tap'
import { hops, joinRecordings, recordings } from './manyPackets.js'

for (const [name, record] of Object.entries(recordings))
  t.test(`${name}: each flow of many packets has all its hops`, async (t) => {
    const { flows, packets } = joinRecordings(record(20_000))
    t.ok(packets >= 20_000)
    t.ok(flows.length > 140, `${flows.length} flows`)
    t.equal(flows.filter((flow) => flow.hops.length === hops.length).length, flows.length)
  })
