import { parseVersion, type MinorVersion } from '../../agents/kubeProxy/versions/version.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** Much longer than any kube-proxy needs: a program that does not know the option may not end. */
const patienceMs = 20_000

/** The version that a kube-proxy prints; undefined for a program that prints none. */
export async function readVersion(sandbox: Sandbox, path: string): Promise<MinorVersion | undefined> {
  const { exitCode, stdout } = await sandbox.run([path, '--version'], { timeoutMs: patienceMs })
  return exitCode === 0 ? parseVersion(stdout) : undefined
}
