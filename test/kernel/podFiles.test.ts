import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { withLab } from '../../src/lab/up/withLab.js'
import { cannotRun } from './ability.js'

const manifests = `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { colour: blue, page.html: "hello\\n" }
---
apiVersion: v1
kind: Pod
metadata: { name: shell, labels: { app: shell } }
spec:
  hostname: other
  containers:
    - name: shell
      image: debian
      command: [sh, -c, 'env >/scratch/env; exec sleep infinity']
      envFrom: [{ configMapRef: { name: settings }, prefix: MY_ }]
      env:
        - { name: ADDRESS, valueFrom: { fieldRef: { fieldPath: status.podIP } } }
        - { name: GREETING, value: 'from $(ADDRESS), $$5' }
        - { name: HUE, valueFrom: { configMapKeyRef: { name: settings, key: colour } } }
      volumeMounts:
        - { name: settings, mountPath: /settings }
        - { name: settings, mountPath: /deep/er/page, subPath: page.html }
        - { name: picked, mountPath: /picked }
        - { name: scratch, mountPath: /scratch }
    - name: beside
      image: debian
      command: [sh, -c, 'exec sleep infinity']
      volumeMounts: [{ name: scratch, mountPath: /elsewhere }]
  volumes:
    - { name: settings, configMap: { name: settings } }
    - { name: picked, configMap: { name: settings, defaultMode: 0400, items: [{ key: colour, path: a/b }] } }
    - { name: gone, configMap: { name: nowhere, optional: true } }
    - { name: scratch, emptyDir: {} }
`

t.test(
  'a container sees its volumes, and what it writes reaches no machine',
  { skip: cannotRun },
  async (t) => {
    const cwd = t.testdir({ lab: { 'lab.yaml': 'title: files\n', manifests: { 'a.yaml': manifests } } })
    const mark = join('/usr', `vethlab-${process.pid}`)
    await withLab(
      'lab',
      async (lab) => {
        const read = async (...argv: string[]) => (await lab.exec('shell', argv)).stdout
        t.equal(await read('cat', '/settings/colour', '/deep/er/page', '/picked/a/b'), 'bluehello\nblue')
        t.equal(await read('stat', '-c', '%a', '/picked/a/b', '/settings/colour'), '400\n644\n')
        t.not((await lab.exec('shell', ['touch', '/settings/new'])).exitCode, 0, 'ConfigMaps are read only')
        const [address] = lab.addresses('shell')
        const env = await read('cat', '/scratch/env')
        for (const line of [
          'MY_colour=blue',
          `ADDRESS=${address}`,
          `GREETING=from ${address}, $5`,
          'HUE=blue',
        ])
          t.ok(env.split('\n').includes(line), line)
        t.equal(await read('hostname'), 'other\n')
        t.equal((await lab.exec('shell', ['touch', mark])).exitCode, 0)
        t.equal(await read('ls', mark), `${mark}\n`)
        t.notOk(existsSync(mark), 'the machine has no such file')
        t.not((await lab.exec('node-a', ['ls', mark])).exitCode, 0, 'nor has a node')
      },
      { cwd },
    )
  },
)

t.test('a missing ConfigMap is reported with its position before anything is built', async (t) => {
  const missing = manifests.replace('optional: true', 'optional: false')
  const cwd = t.testdir({ lab: { 'lab.yaml': 'title: files\n', manifests: { 'a.yaml': missing } } })
  await t.rejects(
    withLab('lab', () => Promise.resolve(), { cwd }),
    {
      message:
        'lab/manifests/a.yaml:33:40: Pod "shell": configmap "nowhere" not found; add it to the manifests; `optional: true` lets its pods start without it',
    },
  )
})
