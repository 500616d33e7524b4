import t from 'tap'
import type { RequestResult } from '../../../src/results/request.js'
import type { Step } from '../../../src/lab/types.js'
import type { Observation } from '../../../src/lab/observation.js'
import { answer, checks } from '../fixture.js'

const stop: Partial<Step> = { action: { kind: 'stop', load: 'shoppers' } }

const lost: RequestResult = { outcome: 'timeout', exitCode: 28, stdout: '', stderr: '', durationMs: 1000 }
const refused: RequestResult = { ...lost, outcome: 'refused', exitCode: 7 }

const seen: Pick<Observation, 'requests' | 'during'> = {
  requests: [answer(), lost, answer({ pod: 'web-7f-a' }), lost, refused],
  during: ['begin', 'scale', 'scale', 'restart', 'restart'],
}

function verdicts(expect: Step['expect']): { ok: boolean; observed: string }[] {
  return checks(expect, seen, stop).map(({ ok, observed }) => ({ ok, observed }))
}

const table: readonly [Step['expect'], boolean, string][] = [
  [{ lost: 2 }, true, '2 lost of 5: 1 × during "scale", 1 × during "restart"'],
  [{ lost: 0 }, false, '2 lost of 5: 1 × during "scale", 1 × during "restart"'],
  [{ lost: { max: 2 } }, true, '2 lost of 5: 1 × during "scale", 1 × during "restart"'],
  [{ lost: { max: 0, during: 'begin' } }, true, '2 lost of 5: 1 × during "scale", 1 × during "restart"'],
  [{ lost: { max: 0, during: 'scale' } }, false, '2 lost of 5: 1 × during "scale", 1 × during "restart"'],
  [{ refused: { min: 1, max: 1, during: 'restart' } }, true, '1 refused of 5: during "restart"'],
  [{ reset: 0 }, true, '0 reset of 5'],
  [{ reset: { min: 1 } }, false, '0 reset of 5'],
  [{ answered: { min: 2 } }, true, '2 answered of 5: 1 × during "begin", 1 × during "scale"'],
  [{ answered: { min: 3 } }, false, '2 answered of 5: 1 × during "begin", 1 × during "scale"'],
  [
    {
      answered: [
        { min: 1, during: 'begin' },
        { max: 0, during: 'scale' },
      ],
    },
    false,
    '2 answered of 5: 1 × during "begin", 1 × during "scale"',
  ],
]

t.test('how many requests of a load ended how, and when', async (t) => {
  for (const [expect, ok, observed] of table)
    t.strictSame(verdicts(expect), [{ ok, observed }], JSON.stringify(expect))
})

t.test('each request of a load is to be answered', async (t) => {
  const [only] = checks({ answered: true }, seen, stop)
  t.match(only, { ok: false, observed: /^3 of 5 requests differ \(requests 2, 4, 5\)/ })
})

t.test('what is expected, in words', async (t) => {
  const names = (expect: Step['expect']) => checks(expect, seen, stop).map(({ name }) => name)
  t.strictSame(names({ lost: 0 }), ['none lost'])
  t.strictSame(names({ lost: [{ max: 3 }, { min: 1, max: 2, during: 'scale' }] }), [
    'at most 3 lost, 1 to 2 lost during "scale"',
  ])
  t.strictSame(names({ answered: { min: 50 } }), ['50 or more answered'])
})
