import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kubeconfig, type Credentials } from '../../src/apiserver/kubeconfig.js'
import type { ApiServer } from '../../src/host/kubeApi/server.js'

const missing = spawnSync('kubectl', ['version', '--client']).error !== undefined

/** Options of a test that runs kubectl. */
export const needsKubectl = { skip: missing ? 'no kubectl on this machine' : false }

/** The environment in which kubectl uses the server and leaves no files; credentials are for a server with TLS. */
export function kubectlHome(
  t: { after(end: () => void): void },
  server: ApiServer,
  credentials?: Credentials,
): NodeJS.ProcessEnv {
  const home = mkdtempSync(join(tmpdir(), 'vethlab-kubectl-'))
  t.after(() => {
    rmSync(home, { recursive: true, force: true })
  })
  const path = join(home, 'config')
  const scheme = credentials === undefined ? 'http' : 'https'
  writeFileSync(path, kubeconfig(`${scheme}://${server.address}:${server.port}`, 'lab', credentials))
  return { PATH: process.env['PATH'], HOME: home, KUBECONFIG: path }
}

/** Runs kubectl to its end. */
export function kubectl(
  env: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ ok: boolean; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile('kubectl', args, { env }, (error, stdout, stderr) => {
      resolve({ ok: error === null, stdout, stderr })
    })
  })
}
