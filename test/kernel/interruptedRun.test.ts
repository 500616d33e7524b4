import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { runLab } from '../../src/lab/steps/runLab.js'
import type { LabEvent } from '../../src/results/events.js'
import { longSteps, webManifest } from '../full/faults/longSteps.js'
import { cannotRun } from './ability.js'

const kind = 'a load whose requests are not answered'

t.test(
  'a step that is interrupted has no result, whatever it still observes',
  { skip: cannotRun },
  async (t) => {
    const folder = t.testdir({})
    mkdirSync(join(folder, 'manifests'))
    writeFileSync(join(folder, 'manifests/web.yaml'), webManifest)
    writeFileSync(join(folder, 'lab.yaml'), longSteps[kind] ?? '')
    for (let round = 0; round < 5; round++) {
      const controller = new AbortController()
      const after: string[] = []
      const onEvent = (event: LabEvent) => {
        if (controller.signal.aborted) after.push(event.type)
        // when it is aborted, the load may be starting or waiting
        if (event.type === 'step-start' && event.step === 'lasts')
          void delay(round * 100).then(() => controller.abort(new Error('interrupted')))
      }
      await t.rejects(runLab(folder, { signal: controller.signal, onEvent }), { message: 'interrupted' })
      t.strictSame(after, [])
    }
  },
)
