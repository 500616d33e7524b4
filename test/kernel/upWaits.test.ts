import { basename, join } from 'node:path'
import { mkdirSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { cannotRun } from './ability.js'
import { vethlab } from './servedCommands.js'

const pod = `apiVersion: v1
kind: Pod
metadata: { name: slow }
spec:
  containers:
    - name: main
      image: nginx
      readinessProbe: { exec: { command: [sleep, '5'] }, timeoutSeconds: 60 }
`

t.test('up names the pods whose first probes it waits for', { skip: cannotRun }, async (t) => {
  const folder = t.testdir({ lab: {} })
  const lab = join(
    folder,
    `waits-${basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z]/g, '')
      .slice(-8)}`,
  )
  mkdirSync(join(lab, 'manifests'), { recursive: true })
  writeFileSync(join(lab, 'lab.yaml'), 'topology: { nodes: [node-a] }\n')
  writeFileSync(join(lab, 'manifests/pod.yaml'), pod)
  t.teardown(() => vethlab(['down', basename(lab)]))
  t.match(await vethlab(['up', lab]), {
    code: 0,
    stderr: /^waiting for the first probes of default\/slow$/m,
    stdout: / is running: node-a, client, slow$/m,
  })
})
