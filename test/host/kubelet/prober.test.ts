import t from 'tap'
import { startProber } from '../../../src/host/kubelet/prober.js'

// a prober keeps no process alive
const alive = setInterval(() => undefined, 1000)
t.teardown(() => clearInterval(alive))

/** Answers in turn, then the last one for ever. */
function answering(...answers: boolean[]): () => Promise<boolean> {
  let index = 0
  return () => Promise.resolve(answers[Math.min(index++, answers.length - 1)] === true)
}

async function verdictsOf(
  thresholds: { successThreshold?: number; failureThreshold?: number },
  answers: readonly boolean[],
): Promise<boolean[]> {
  const verdicts: boolean[] = []
  let asked = 0
  const next = answering(...answers)
  await new Promise<void>((resolve) => {
    const prober = startProber({
      probe: { ...thresholds, periodSeconds: 0.001 },
      atOnce: true,
      ask: () => {
        if (asked++ === answers.length) {
          prober.stop()
          resolve()
        }
        return next()
      },
      onVerdict: (holds) => verdicts.push(holds),
    })
  })
  return verdicts
}

t.test('a probe turns after so many equal answers in a row', async (t) => {
  t.strictSame(await verdictsOf({}, [true, true, true]), [true], 'reported once')
  t.strictSame(await verdictsOf({}, [false, false]), [], 'two failures are not three')
  t.strictSame(await verdictsOf({}, [true, false, false, true, false, false, false]), [true, false])
  t.strictSame(await verdictsOf({ failureThreshold: 1 }, [true, false, true]), [true, false, true])
  t.strictSame(await verdictsOf({ successThreshold: 2 }, [true, false, true, true]), [true])
})

t.test('it says when it has asked once, whatever the answer', async (t) => {
  const prober = startProber({ probe: {}, atOnce: true, ask: answering(false), onVerdict: () => t.fail() })
  await prober.asked
  prober.stop()
  t.pass('asked once')
})

t.test('stopped in its initial delay it asks nothing', async (t) => {
  const prober = startProber({
    probe: { initialDelaySeconds: 60 },
    atOnce: false,
    ask: () => Promise.resolve(t.fail('asked')),
    onVerdict: () => t.fail(),
  })
  prober.stop()
  await prober.asked
  t.pass('no question was asked')
})
