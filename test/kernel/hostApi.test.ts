import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { request } from 'node:https'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { IncomingMessage } from 'node:http'
import t from 'tap'
import { yamlValue } from '../../src/cluster/yaml/yamlValue.js'
import { findTool } from '../../src/host/environment.js'
import { until } from '../until.js'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { vethlab } from './servedCommands.js'

/** A kubeconfig as vethlab writes it. */
interface Kubeconfig {
  readonly clusters: readonly [{ cluster: { server: string; 'certificate-authority-data': string } }]
  readonly users: readonly [{ user: { token: string } }]
  readonly 'current-context': string
}

/** The status and the text of an answer; the certificate is verified against that of the kubeconfig. */
async function get({ clusters: [{ cluster }] }: Kubeconfig, path: string, token: string | undefined) {
  const ca = Buffer.from(cluster['certificate-authority-data'], 'base64')
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const sent = request(new URL(path, cluster.server), { ca, headers, agent: false })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, text: await text(answer) }
}

t.test('clients of the host reach the API of a lab until it ends', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  t.teardown(() => vethlab(['down', lab]))
  const file = join(t.testdir(), 'lab.kubeconfig')
  t.match(await vethlab(['up', path, '--kubeconfig', file]), { code: 0 })
  t.equal(statSync(file).mode & 0o777, 0o600, 'the token is not for others')
  const written = readFileSync(file, 'utf8')
  const config = yamlValue(written) as unknown as Kubeconfig
  t.match(config, { 'current-context': `vethlab-${lab}` })
  t.match(config.clusters[0].cluster.server, /^https:\/\/127\.0\.0\.1:\d+$/)
  t.equal((await vethlab(['kubeconfig', lab, '--host'])).stdout, written, 'one port for all')

  const services = '/api/v1/namespaces/default/services'
  const { token } = config.users[0].user
  t.match((await get(config, services, token)).text, /my-nodeport-service/)
  t.equal((await get(config, services, undefined)).status, 403, 'without the token')
  t.equal((await get(config, services, 'guess')).status, 401, 'with another token')

  const kubectl = findTool('kubectl')
  if (kubectl === undefined) t.comment('kubectl is missing: not tried')
  else {
    const env = { ...process.env, KUBECONFIG: file, KUBECACHEDIR: t.testdirName }
    const run = (...args: string[]) => spawnSync(kubectl, args, { encoding: 'utf8', env })
    t.match(run('scale', 'deployment/my-app', '--replicas=1').stdout, 'deployment.apps/my-app scaled')
    t.equal(run('get', 'pods', '-o', 'name').stdout.trim().split('\n').length, 1)
    t.match(run('exec', 'deploy/my-app', '--', 'hostname').stdout, /^my-app-/, 'a stream of both directions')
  }

  t.equal((await vethlab(['down', lab])).code, 0)
  const isGone = () =>
    get(config, services, token).then(
      () => false,
      () => true,
    )
  t.ok(await until(isGone), 'nothing listens any more')
})
