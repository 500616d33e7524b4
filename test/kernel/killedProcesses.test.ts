import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { vethlab } from './servedCommands.js'

/** How long a restart may take on a busy host. */
const patienceMs = 60_000

interface PodStatus {
  readonly status: {
    readonly containerStatuses: readonly {
      readonly ready: boolean
      readonly restartCount: number
      readonly lastState?: { readonly terminated?: { readonly exitCode: number } }
    }[]
  }
}

async function up(t: Test, ...manifests: readonly unknown[]): Promise<string> {
  const path = copyOfLab(t, 'nodeport')
  for (const [index, one] of manifests.entries())
    writeFileSync(join(path, 'manifests', `more-${index}.yaml`), JSON.stringify(one))
  const lab = basename(path)
  t.teardown(() => vethlab(['down', lab]))
  const { code, stderr } = await vethlab(['up', path])
  t.equal(code, 0, stderr)
  return lab
}

async function pods(lab: string): Promise<readonly PodStatus[]> {
  const { stdout } = await vethlab(['kubectl', '--built-in', lab, 'get', 'pods', '-o', 'json'])
  return stdout === '' ? [] : (JSON.parse(stdout) as { items: PodStatus[] }).items
}

/** The containers, once all are ready and have been restarted this many times in all. */
async function restarted(lab: string, times: number) {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const containers = (await pods(lab)).flatMap(({ status }) => status.containerStatuses)
    const sum = containers.reduce((count, { restartCount }) => count + restartCount, 0)
    if (sum >= times && containers.every(({ ready }) => ready)) return containers
    if (performance.now() > deadline) return []
  }
}

const ask = ['client', '--', 'curl', '-sf', '--max-time', '30', 'http://172.18.0.2:30080/']

t.test('a pod whose server is killed is restarted', { skip: cannotRun }, async (t) => {
  const lab = await up(t)
  const kill = 'kill -9 $(cat /run/vethlab/echo/my-app-*/pid | head -n 1)'
  t.equal((await vethlab(['exec', lab, 'client', '--', 'sh', '-c', kill])).code, 0)
  const ended = (await restarted(lab, 1)).flatMap(({ lastState }) => lastState?.terminated ?? [])
  t.match(ended, [{ exitCode: 137 }], 'the other one has run all the time')
  for (let count = 0; count < 8; count++) t.equal((await vethlab(['exec', lab, ...ask])).code, 0)
})

t.test('a lab whose processes are all killed works again', { skip: cannotRun }, async (t) => {
  const command = ['sh', '-c', 'echo begun >/begun; exec sleep 1000']
  const lab = await up(t, {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'own' } },
    spec: { containers: [{ name: 'own', image: 'own', command }] },
  })
  await vethlab(['exec', lab, 'client', '--', 'sh', '-c', 'kill -9 -1'])
  t.equal((await restarted(lab, 3)).length, 3)
  const own = await vethlab(['exec', lab, 'own', '--', 'cat', '/begun'])
  t.strictSame([own.code, own.stdout], [0, 'begun\n'], own.stderr)
  t.equal((await vethlab(['exec', lab, ...ask])).code, 0)
  const scale = await vethlab(['kubectl', '--built-in', lab, 'scale', 'deployment/my-app', '--replicas', '3'])
  t.equal(scale.code, 0, scale.stderr)
  t.equal((await pods(lab)).length, 4)
})
