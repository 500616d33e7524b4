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

/** The routes of a table, in the main table without those that follow from addresses. Throws CommandError. */
export async function routesNow(
  sandbox: Sandbox,
  netns: string,
  families: readonly IpFamily[],
  table = 'main',
): Promise<Route[]> {
  const read = async (family: IpFamily) => {
    const argv = ['ip', '-j', family === 'IPv4' ? '-4' : '-6', 'route', 'show', 'table', table]
    // a table without routes is an error of ip
    const { stdout } =
      table === 'main'
        ? await sandbox.must('reading routes', argv, { netns })
        : await sandbox.run(argv, { netns })
    return JSON.parse(stdout === '' ? '[]' : stdout) as readonly ListedRoute[]
  }
  const routes = (await Promise.all(families.map(read))).flat()
  return routes.flatMap(({ type = 'unicast', dst, gateway, dev, protocol }) =>
    type !== 'unicast' || protocol === 'kernel' || dev === undefined
      ? []
      : [{ netns, to: dst, via: gateway, device: dev }],
  )
}
