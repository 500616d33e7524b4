import type { Test } from 'tap'
import { makeCertificate } from '../../src/host/certificate.js'
import { token } from './client.js'
import { kubectl, kubectlHome } from './kubectlHome.js'
import { writableLab } from './writableLab.js'

/** A lab that kubectl writes; `run` returns the output of a command that must succeed. */
export async function labOfKubectl(t: Test, text: string) {
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
