import t, { type Test } from 'tap'
import { makeCertificate } from '../../src/host/certificate.js'
import { deployment } from '../cluster/lab.js'
import { kubectl, kubectlHome, needsKubectl } from './kubectlHome.js'
import { token } from './client.js'
import { writableLab } from './writableLab.js'

/** A lab that kubectl writes; `run` returns the output of a command that must succeed. */
async function labOfKubectl(t: Test, text: string) {
  const tls = makeCertificate({ hosts: ['127.0.0.1'], days: 1 }, new Date())
  const lab = await writableLab(t, text, { tls })
  const env = kubectlHome(t, lab.server, { certificate: tls.certificate, token })
  const run = async (line: string) => {
    const { ok, stdout, stderr } = await kubectl(env, ...line.split(' '))
    t.ok(ok, `${line}: ${stderr}`)
    return stdout
  }
  /** The rows of `rollout history`, without the header. */
  const history = async (object: string) =>
    (await run(`rollout history ${object}`))
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => line.split(/ {2,}/).join(' '))
  return { lab, env, run, history }
}

void t.test('rollout history and undo of a Deployment', needsKubectl, async (t) => {
  const { env, run, history } = await labOfKubectl(t, deployment('web', 1))
  t.same(await history('deploy/web'), ['1 <none>'])
  await run('set image deploy web web=nginx:2')
  await run('annotate deploy web kubernetes.io/change-cause=second')
  t.same(await history('deploy/web'), ['1 <none>', '2 second'])
  t.match(await run('rollout undo deploy web'), 'deployment.apps/web rolled back')
  const image = 'get deploy web -o jsonpath={.spec.template.spec.containers[0].image}'
  t.equal(await run(image), 'nginx')
  t.same(await history('deploy/web'), ['2 second', '3 <none>'])
  t.match(await run('rollout undo deploy web --to-revision=2'), 'rolled back')
  t.equal(await run(image), 'nginx:2')
  t.same(await history('deploy/web'), ['3 <none>', '4 second'])
  t.match(await run('rollout history deploy web --revision=3'), /Image:\tnginx\n/)
  t.match(await run('rollout undo deploy web --to-revision=4'), 'skipped rollback')
  t.match((await kubectl(env, 'rollout', 'undo', 'deploy', 'web', '--to-revision=9')).stderr, 'revision 9')
})

const nginx = '{ name: web, image: nginx }'

/** A StatefulSet or DaemonSet `web`. */
const workload = (kind: string) => `apiVersion: apps/v1
kind: ${kind}
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [${nginx}] }
`

for (const kind of ['StatefulSet', 'DaemonSet'])
  void t.test(`rollout history and undo of a ${kind}`, needsKubectl, async (t) => {
    const object = `${kind.toLowerCase()}/web`
    const { env, run, history } = await labOfKubectl(t, workload(kind))
    t.same(await history(object), ['1 <none>'])
    await run(`set image ${object} web=nginx:2`)
    await run(`annotate ${object} kubernetes.io/change-cause=third`)
    await run(`set image ${object} web=nginx:3`)
    t.same(await history(object), ['1 <none>', '2 <none>', '3 third'])
    t.match(await run(`rollout history ${object} --revision=2`), /Image:\tnginx:2\n/)
    t.match(await run(`rollout undo ${object}`), 'web rolled back')
    const image = `get ${object} -o jsonpath={.spec.template.spec.containers[0].image}`
    t.equal(await run(image), 'nginx:2')
    t.same(await history(object), ['1 <none>', '3 third', '4 <none>'])
    t.match(await run(`rollout undo ${object} --to-revision=1`), 'web rolled back')
    t.equal(await run(image), 'nginx')
    t.same(await history(object), ['3 third', '4 <none>', '5 <none>'])
    const rows = (await run('get controllerrevisions --no-headers')).trim().split('\n')
    t.equal(rows.length, 3)
    for (const row of rows)
      t.match(row, new RegExp(`^web-\\w+ +${kind.toLowerCase()}.apps/web +[345] +\\d+s$`))
    t.match(await kubectl(env, 'delete', 'controllerrevisions', '--all'), { ok: false })
  })
