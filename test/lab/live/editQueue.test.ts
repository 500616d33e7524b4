import t from 'tap'
import { createEditQueue, type Edit } from '../../../src/lab/live/editQueue.js'
import type { LabState } from '../../../src/snapshot/model/labState.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'

const { topology, cluster } = prepareLab('labs/nodeport')

/** An edit that sets an annotation of the first Service, and what it notes when it is carried out. */
function annotating(key: string, noted: string[]): Edit {
  return (before) => {
    noted.push(key)
    const [service, ...others] = before.services
    if (service === undefined) throw new Error('the lab has no Service')
    const annotations = { ...service.metadata.annotations, [key]: 'set' }
    return {
      ...before,
      services: [{ ...service, metadata: { ...service.metadata, annotations } }, ...others],
    }
  }
}

t.test('between the edits of a batch, what has arrived meanwhile is carried out', async (t) => {
  const noted: string[] = []
  const states: LabState[] = []
  const edits = createEditQueue({
    initial: { cluster } as LabState,
    topologyOf: () => topology,
    followers: [(state) => Promise.resolve(void states.push(state))],
    idle: () => undefined,
  })
  const first = edits.edit(annotating('first', noted))
  const failing = edits.edit(() => {
    throw new Error('invalid')
  })
  const last = edits.edit(annotating('last', noted))
  setImmediate(() => noted.push('another'))
  await t.rejects(failing, { message: 'invalid' })
  await Promise.all([first, last])
  t.strictSame(noted, ['first', 'another', 'last'])
  t.equal(states.length, 1, 'followers see no partial batch')
  t.match(states[0]?.cluster.services[0]?.metadata.annotations, { first: 'set', last: 'set' })
})
