import t, { type Test } from 'tap'
import { makeCertificate } from '../../src/host/kubeApi/certificate.js'
import { deployment } from '../cluster/lab.js'
import { kubectl, kubectlHome, needsKubectl } from './kubectlHome.js'
import { token, writableLab } from './writableLab.js'

/** A lab that kubectl writes; `run` returns the output of a command that must succeed. */
async function labOfKubectl(t: Test, text: string) {
  const tls = makeCertificate('127.0.0.1', new Date())
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
