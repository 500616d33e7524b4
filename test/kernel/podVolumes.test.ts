import { applies } from '../cluster/lab.js'
import t, { type Test } from 'tap'
import { isReady } from '../../src/cluster/pods/podFacts.js'
import { placeOf } from '../../src/names/placeOf.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import type { RunningLab } from '../../src/lab/up/runningLab.js'
import { cannotRun } from './ability.js'
import { startLab } from './startLab.js'

const more = `
apiVersion: v1
kind: Secret
metadata: { name: keys }
stringData: { password: s3cret }
---
apiVersion: v1
kind: Secret
metadata: { name: bytes }
data: { blob: //79AAE= }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { colour: blue }
binaryData: { logo: iVBORw0KGgo= }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  selector: { matchLabels: { app: db } }
  volumeClaimTemplates: [{ metadata: { name: data }, spec: {} }]
  template:
    metadata: { labels: { app: db } }
    spec:
      terminationGracePeriodSeconds: 0
      containers:
        - name: db
          image: debian
          command: [sh, -c, 'env >/data/env; exec sleep infinity']
          resources: { limits: { memory: 64Mi, cpu: 1500m } }
          envFrom: [{ secretRef: { name: keys }, prefix: K_ }, { secretRef: { name: nowhere, optional: true } }]
          env:
            - { name: PASSWORD, valueFrom: { secretKeyRef: { name: keys, key: password } } }
            - { name: CPUS, valueFrom: { resourceFieldRef: { resource: limits.cpu } } }
            - { name: MEM, valueFrom: { resourceFieldRef: { resource: limits.memory, divisor: 1Mi } } }
            - { name: LABEL, valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } }
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: all, mountPath: /all }
            - { name: keys, mountPath: /keys }
            - { name: scratch, mountPath: /scratch }
            - { name: data, mountPath: /own, subPathExpr: 'of-$(LABEL)' }
      volumes:
        - { name: keys, projected: { defaultMode: 0400, sources: [{ secret: { name: keys } }, { secret: { name: bytes } }] } }
        - { name: scratch, emptyDir: {} }
        - name: all
          projected:
            sources:
              - configMap: { name: settings }
              - secret: { name: keys, items: [{ key: password, path: sub/pw }] }
              - downwardAPI: { items: [{ path: labels, fieldRef: { fieldPath: metadata.labels } }] }
`

const start = async (t: Test, text: string): Promise<RunningLab> => {
  const cwd = t.testdir({ lab: { 'lab.yaml': 'title: files\n', manifests: { 'a.yaml': text } } })
  return startLab(t, prepareLab('lab', { cwd }), { capture: false, label: 'volumes' })
}

const apply = (lab: RunningLab, text: string) => lab.live.write(applies(text))

t.test(
  'Secrets, projected volumes and the downward API; claims outlive pods',
  { skip: cannotRun },
  async (t) => {
    const lab = await start(t, more)
    const exec = async (...argv: string[]) => {
      const { names, topology } = lab.live.state()
      return (await lab.exec(placeOf(names, topology.places, 'db-0'), argv)).stdout
    }
    t.equal(await exec('cat', '/all/colour', '/all/sub/pw', '/keys/password'), 'blues3crets3cret')
    t.match(await exec('cat', '/all/labels'), /^app="db"$/m)
    t.equal(await exec('od', '-An', '-tx1', '/keys/blob'), ' ff fe fd 00 01\n')
    t.equal(await exec('od', '-An', '-tx1', '/all/logo'), ' 89 50 4e 47 0d 0a 1a 0a\n')
    t.equal(await exec('stat', '-c', '%a', '/keys/blob'), '400\n')
    const env = (await exec('cat', '/data/env')).split('\n')
    for (const line of ['K_password=s3cret', 'PASSWORD=s3cret', 'CPUS=2', 'MEM=64', 'LABEL=db'])
      t.ok(env.includes(line), line)
    await exec('touch', '/own/mine', '/scratch/mine')
    t.equal(await exec('ls', '/scratch'), 'mine\n')
    await lab.live.write([{ verb: 'delete', ref: { kind: 'Pod', name: 'db-0' } }])
    t.strictSame(await lab.live.settled(60_000), [])
    t.equal(await exec('ls', '/own'), 'mine\n', 'what the claim holds is there again')
    t.equal(await exec('ls', '/scratch'), '', 'an emptyDir ended with its pod')
  },
)

const late = `
apiVersion: v1
kind: Pod
metadata: { name: late }
spec:
  containers:
    - name: late
      image: debian
      command: [sleep, infinity]
      envFrom: [{ configMapRef: { name: soon } }]
`

t.test('a pod waits for a ConfigMap that it needs', { skip: cannotRun }, async (t) => {
  const lab = await start(t, 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: other }\n')
  const isUp = () => lab.live.state().cluster.pods.some(isReady)
  await apply(lab, late)
  // short on purpose: it does not settle
  t.strictSame(await lab.live.settled(500), ['pod default/late is starting: configmap "soon" not found'])
  t.notOk(isUp())
  await apply(lab, 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: soon }\n')
  t.strictSame(await lab.live.settled(60_000), [])
  t.ok(isUp(), 'it started when the ConfigMap came')

  await apply(lab, late.replaceAll('late', 'never').replace('soon', 'nowhere'))
  await lab.live.write([{ verb: 'delete', ref: { kind: 'Pod', name: 'never' } }])
  t.strictSame(await lab.live.settled(60_000), [], 'one that waits can be deleted')
})
