import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab, vethlab } from './commandLine.js'
import { fakeKubeProxy } from './fakeKubeProxy.js'

t.test('a step waits for the processes of the last sync', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  const lab = copyOfLab(t, 'nodeport')
  writeFileSync(
    join(lab, 'lab.yaml'),
    `steps:
  - name: The Service changes
    patch: { object: service/my-nodeport-service, with: { spec: { externalTrafficPolicy: Local } } }
  - name: The sync has ended
    from: node-a
    command: [iptables, -t, nat, -S, SYNC-ENDED]
`,
  )
  for (const like of ['1.36', '1.30'] as const) {
    const binary = make(['--like', like], ['--lingers', '3000'])
    const { code, stdout } = await vethlab(['run', lab, '--kube-proxy', binary])
    t.equal(code, 0, stdout)
  }
})
