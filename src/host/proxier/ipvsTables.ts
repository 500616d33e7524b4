import type { IpFamily } from '../../net/ipFamily.js'
import type { IpvsListing } from '../../agents/kubeProxy/ipvs/found.js'
import { ipvsDevice } from '../../agents/kubeProxy/ipvs/types.js'
import type { Iptables } from '../backend.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** The state that mode ipvs reads and writes on one node besides rules. */
export interface IpvsTables {
  /** The current state. Throws CommandError. */
  list(): Promise<IpvsListing>
  /** The virtual servers alone, as `ipvsadm -L -n` prints them. Throws CommandError. */
  listServers(): Promise<string>
  /** Runs a program with this input; returns its error message if a part failed. */
  feed(argv: readonly string[], input: string): Promise<string | undefined>
}

const mark = '--- vethlab ---'

/** Constant script; its arguments are the command that lists the rules of one family. */
const listScript = [
  'ip -o address show',
  `ip -o link show dev ${ipvsDevice} 2>/dev/null || true`,
  'ipvsadm -L -n',
  'ipset save',
  '"$@"',
].join(`; echo '${mark}'; `)

/** The current state in a namespace; `listRules` is the command for the rules. Throws CommandError. */
export async function listIpvsState(
  sandbox: Sandbox,
  netns: string,
  listRules: readonly string[],
): Promise<IpvsListing> {
  // one process for five programs with short outputs
  const argv = ['sh', '-c', `set -e; ${listScript}`, 'sh', ...listRules]
  const { stdout } = await sandbox.must('reading the state of IPVS', argv, { netns })
  const [addresses = '', device = '', servers = '', sets = '', rules = ''] = stdout.split(`${mark}\n`)
  return { addresses, device, servers, sets, rules }
}

/** Of one family, in one network namespace of a sandbox. */
export function ipvsTables(
  sandbox: Sandbox,
  iptables: Iptables,
  netns: string,
  family: IpFamily,
): IpvsTables {
  return {
    list: () => listIpvsState(sandbox, netns, [iptables.program(family, 'save')]),
    async listServers() {
      const argv = ['ipvsadm', '-L', '-n']
      return (await sandbox.must('reading virtual servers', argv, { netns })).stdout
    },
    async feed(argv, input) {
      const { exitCode, stderr } = await sandbox.run(argv, { netns, input })
      // ipvsadm continues after a failed line, and exits with 0
      const said = complaintOf(stderr)
      if (said === '' && (exitCode === 0 || stderr !== '')) return undefined
      return said || `${argv[0] ?? ''} exited with ${exitCode}`
    },
  }
}

/** Drops errors about addresses that already exist or are already removed; kube-proxy ignores them too. */
function complaintOf(stderr: string): string {
  const harmless = /File exists|Cannot assign requested address|already assigned|Address not found/
  return stderr
    .split('\n')
    .filter(
      (line, index, lines) =>
        !harmless.test(line) && !(/^Command failed /.test(line) && harmless.test(lines[index - 1] ?? '')),
    )
    .join('\n')
    .trim()
}
