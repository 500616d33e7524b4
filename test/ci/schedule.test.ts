import t from 'tap'
import type { Cell } from '../../src/ci/matrix.js'
import { schedule, type Place } from '../../src/ci/schedule.js'

const cell = (name: string): Cell => ({ name, lab: name, variant: {} })
const all = ['a', 'b', 'c', 'd'].map((name) => [cell(name)])

t.test('every share runs once', async (t) => {
  const ran: string[] = []
  const place: Place = {
    host: 'one',
    run: async (share) => {
      ran.push(...share.map(({ name }) => name))
      return { again: [] }
    },
  }
  t.strictSame(await schedule(all, [place, place]), [])
  t.strictSame(ran.sort(), ['a', 'b', 'c', 'd'])
})

t.test('what a lost host left runs elsewhere, though the others wait already', async (t) => {
  const ran: string[] = []
  let lose: () => void = () => undefined
  const losing = new Promise<void>((resolve) => (lose = resolve))
  const frail: Place = {
    host: 'frail',
    run: async (share) => {
      await losing
      return { again: share, lost: 'gone' }
    },
  }
  const sound: Place = {
    host: 'sound',
    run: async (share) => {
      ran.push(...share.map(({ name }) => name))
      if (ran.length === 3) lose()
      return { again: [] }
    },
  }
  t.strictSame(await schedule(all, [frail, sound]), [])
  t.strictSame(ran.sort(), ['a', 'b', 'c', 'd'])
})

t.test('cells that no host is left to run are returned', async (t) => {
  const lost: Place = { host: 'x', run: async (share) => ({ again: share, lost: 'gone' }) }
  const left = await schedule(all, [lost, lost])
  t.strictSame(left.map(({ name }) => name).sort(), ['a', 'b', 'c', 'd'])
})
