import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { fabricPortName } from '../../topology/networkOf.js'
import type { UpPlace } from '../../up/upState.js'

/**
 * The network namespaces whose link has no carrier now: one of its ends is down. Read at the ends on the fabric and on nodes, which
 * also see the state of the others. Empty for what cannot be read, such as a lab that ends.
 */
export async function readDownLinks(
  sandbox: Pick<Sandbox, 'run'>,
  places: readonly UpPlace[],
): Promise<readonly string[]> {
  const nodes = places.filter(({ kind }) => kind === 'node')
  const [fabric, ...ofNodes] = await Promise.all(
    [undefined, ...nodes.map(({ netns }) => netns)].map(async (netns) => {
      const { exitCode, stdout } = await sandbox.run(
        ['ip', '-j', 'link'],
        netns === undefined ? {} : { netns },
      )
      return exitCode === 0 ? withoutCarrier(stdout) : new Set<string>()
    }),
  )
  return places.flatMap(({ kind, netns, node, veth }) => {
    const at = kind === 'pod' ? ofNodes[nodes.findIndex(({ name }) => name === node)] : fabric
    const name = kind === 'pod' ? veth : fabricPortName({ netns })
    return name !== undefined && at?.has(name) === true ? [netns] : []
  })
}

/** The names of what `ip -j link` lists as down, or with another end that is down. */
function withoutCarrier(text: string): ReadonlySet<string> {
  const links = JSON.parse(text) as readonly { readonly ifname: string; readonly flags: readonly string[] }[]
  return new Set(links.filter(({ flags }) => !flags.includes('LOWER_UP')).map(({ ifname }) => ifname))
}
