import type { IpFamily } from '../../net/ipFamily.js'
import type { IpvsListing } from '../../proxy/ipvs/found.js'
import { ipvsDevice } from '../../proxy/ipvs/types.js'
import type { Iptables } from '../backend.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** What mode ipvs reads and writes on one node besides rules. */
export interface IpvsTables {
  /** What stands. Throws CommandError. */
  list(): Promise<IpvsListing>
  /** The virtual servers alone, as `ipvsadm -L -n` prints them. Throws CommandError. */
  listServers(): Promise<string>
  /** Feeds a program its input; returns its complaint when something of it failed. */
  feed(argv: readonly string[], input: string): Promise<string | undefined>
}

const mark = '--- vethlab ---'

/** A constant text: what lists the rules of one family comes as its arguments. */
const listScript = [
  'ip -o address show',
  `ip -o link show dev ${ipvsDevice} 2>/dev/null || true`,
  'ipvsadm -L -n',
  'ipset save',
  '"$@"',
].join(`; echo '${mark}'; `)

/** What stands in a namespace, the rules as a command of one's own lists them. Throws CommandError. */
export async function listStanding(
  sandbox: Sandbox,
  netns: string,
  listRules: readonly string[],
): Promise<IpvsListing> {
  // one process from here, for five programs that each say a little
  const argv = ['sh', '-c', `set -e; ${listScript}`, 'sh', ...listRules]
  const { stdout } = await sandbox.must('reading what stands of IPVS', argv, { netns })
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
    list: () => listStanding(sandbox, netns, [iptables.program(family, 'save')]),
    async listServers() {
      const argv = ['ipvsadm', '-L', '-n']
      return (await sandbox.must('reading virtual servers', argv, { netns })).stdout
    },
    async feed(argv, input) {
      const { exitCode, stderr } = await sandbox.run(argv, { netns, input })
      // ipvsadm goes on after a line that failed, and ends with 0
      const said = complaintOf(stderr)
      if (said === '' && (exitCode === 0 || stderr !== '')) return undefined
      return said || `${argv[0] ?? ''} exited with ${exitCode}`
    },
  }
}

/** An address that is there already, or gone already, is as it should be: kube-proxy takes no offence either. */
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
