import t from 'tap'
import { endedSoon, unlessAborted } from '../../../src/host/sandbox/unlessAborted.js'

const never = new Promise<never>(() => undefined)

t.test('work that does not end is not waited for after the signal', async (t) => {
  const controller = new AbortController()
  const ended = endedSoon(controller.signal, 1, never)
  controller.abort()
  await t.resolves(ended)
  await t.resolves(endedSoon(AbortSignal.abort(), 1, never), 'the signal was there before')
})

t.test('until the signal, the end of the work is waited for', async (t) => {
  const { signal } = new AbortController()
  let isDone = false
  const work = new Promise<void>((resolve) => setImmediate(resolve)).then(() => void (isDone = true))
  await endedSoon(signal, 1, work)
  t.equal(isDone, true)
  await t.rejects(endedSoon(signal, 1, Promise.reject(new Error('fault'))), /fault/)
  await t.rejects(endedSoon(undefined, 1, Promise.reject(new Error('fault'))), /fault/)
})

t.test('work ends with the reason of the signal', async (t) => {
  const controller = new AbortController()
  const work = unlessAborted(controller.signal, never)
  controller.abort(new Error('enough'))
  await t.rejects(work, /enough/)
  t.equal(await unlessAborted(new AbortController().signal, Promise.resolve(7)), 7)
})
