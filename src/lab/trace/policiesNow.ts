import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { PolicyRule } from '../../trace/model/state.js'
import { routesNow } from './routesNow.js'

interface ListedRule {
  readonly priority: number
  readonly src?: string
  readonly srclen?: number
  readonly dst?: string
  readonly dstlen?: number
  readonly iif?: string
  readonly fwmark?: string
  readonly fwmask?: string
  readonly table?: string
}

/** Tables that every host has. */
const usual = new Set(['local', 'main', 'default'])

/** The rules of policy routing in a namespace, with the routes of their tables. Throws CommandError. */
export async function policiesNow(
  sandbox: Sandbox,
  netns: string,
  families: readonly IpFamily[],
): Promise<PolicyRule[]> {
  const read = async (family: IpFamily) => {
    const argv = ['ip', '-j', family === 'IPv4' ? '-4' : '-6', 'rule']
    const { stdout } = await sandbox.must('reading policy routing', argv, { netns })
    const rules = JSON.parse(stdout === '' ? '[]' : stdout) as readonly ListedRule[]
    const local = rules.find(({ table }) => table === 'local')?.priority ?? Infinity
    return Promise.all(
      rules.flatMap((rule) =>
        rule.table === undefined || usual.has(rule.table)
          ? []
          : [
              ofListed(rule, rule.table, {
                netns,
                family,
                beforeLocal: rule.priority < local ? true : undefined,
                read: () => routesNow(sandbox, netns, [family], rule.table),
              }),
            ],
      ),
    )
  }
  return (await Promise.all(families.map(read))).flat()
}

async function ofListed(
  { priority, src, srclen, dst, dstlen, iif, fwmark, fwmask }: ListedRule,
  table: string,
  {
    read,
    ...known
  }: Pick<PolicyRule, 'netns' | 'family' | 'beforeLocal'> & {
    readonly read: () => Promise<PolicyRule['routes']>
  },
): Promise<PolicyRule> {
  const range = (address: string | undefined, length: number | undefined) =>
    address === undefined || address === 'all'
      ? undefined
      : length === undefined
        ? address
        : `${address}/${length}`
  return {
    ...{ ...known, priority, table, iif },
    from: range(src, srclen),
    to: range(dst, dstlen),
    mark: fwmark === undefined ? undefined : { value: Number(fwmark), mask: Number(fwmask ?? '0xffffffff') },
    routes: await read(),
  }
}
