import { basename } from 'node:path'
import t from 'tap'
import { listLabs } from '../../../src/lab/file/findLab.js'
import { modeNames } from '../../../src/agents/kubeProxy/config.js'
import { cannotRun } from '../../kernel/ability.js'
import { checkSnapshot } from '../../kernel/snapshotAnswers.js'

for (const lab of listLabs().map((directory) => basename(directory)))
  t.test(`a snapshot of the running lab ${lab} answers as the lab does`, { skip: cannotRun }, (t) =>
    checkSnapshot(t, lab, modeNames, 20),
  )
