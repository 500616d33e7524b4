import type { Reading } from '../../host/sandbox/readTogether.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { PolicyRule } from '../../trace/model/state.js'
import { routesOfTable } from './routesNow.js'

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

/** A rule of policy routing, without the routes of its table. */
type OpenPolicy = Omit<PolicyRule, 'routes'>

/** Tables that every host has. */
const usual = new Set(['local', 'main', 'default'])

/** The rules of policy routing in a namespace, except those that every host has. */
export function policiesNow(netns: string, families: readonly IpFamily[]): Reading<OpenPolicy[]> {
  return {
    commands: families.map((family) => ['ip', '-j', family === 'IPv4' ? '-4' : '-6', 'rule']),
    parse: (outputs) =>
      families.flatMap((family, index) => {
        const text = outputs[index] ?? ''
        const rules = JSON.parse(text.trim() === '' ? '[]' : text) as readonly ListedRule[]
        const local = rules.find(({ table }) => table === 'local')?.priority ?? Infinity
        return rules.flatMap((rule) =>
          rule.table === undefined || usual.has(rule.table)
            ? []
            : [
                ofListed(rule, rule.table, {
                  netns,
                  family,
                  beforeLocal: rule.priority < local || undefined,
                }),
              ],
        )
      }),
  }
}

/** Reads the routes of their tables. */
export function withRoutes(
  sandbox: Pick<Sandbox, 'run'>,
  policies: readonly OpenPolicy[],
): Promise<PolicyRule[]> {
  return Promise.all(
    policies.map(async (one) => ({
      ...one,
      routes: await routesOfTable(sandbox, one.netns, one.family, one.table),
    })),
  )
}

function ofListed(
  { priority, src, srclen, dst, dstlen, iif, fwmark, fwmask }: ListedRule,
  table: string,
  known: Pick<PolicyRule, 'netns' | 'family' | 'beforeLocal'>,
): OpenPolicy {
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
  }
}
