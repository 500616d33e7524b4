import type { Reading } from '../../host/sandbox/readTogether.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Route } from '../../topology/network.js'

interface ListedRoute {
  readonly type?: string
  readonly dst: string
  readonly gateway?: string
  readonly dev?: string
  readonly protocol?: string
}

/** The routes of the main table without those that follow from addresses. */
export function routesNow(netns: string, families: readonly IpFamily[]): Reading<Route[]> {
  return {
    commands: families.map((family) => list(family, 'main')),
    parse: (outputs) => outputs.flatMap((text) => parseRoutes(netns, text)),
  }
}

/** The routes of another table. */
export async function routesOfTable(
  sandbox: Pick<Sandbox, 'run'>,
  netns: string,
  family: IpFamily,
  table: string,
): Promise<Route[]> {
  // a table without routes is an error of ip
  const { stdout } = await sandbox.run(list(family, table), { netns })
  return parseRoutes(netns, stdout)
}

function list(family: IpFamily, table: string): string[] {
  return ['ip', '-j', family === 'IPv4' ? '-4' : '-6', 'route', 'show', 'table', table]
}

function parseRoutes(netns: string, text: string): Route[] {
  const routes = JSON.parse(text.trim() === '' ? '[]' : text) as readonly ListedRoute[]
  return routes.flatMap(({ type = 'unicast', dst, gateway, dev, protocol }) =>
    type !== 'unicast' || protocol === 'kernel' || dev === undefined
      ? []
      : [{ netns, to: dst, via: gateway, device: dev }],
  )
}
