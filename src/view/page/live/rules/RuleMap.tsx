import type { Hook } from '../../../../trace/model/steps.js'
import type { LiveChain, NodeRules } from '../../../live/api.js'
import { showChain } from './Chains.js'
import { say } from '../../texts/say.js'

const hooks: readonly Hook[] = ['prerouting', 'input', 'forward', 'output', 'postrouting']

interface RuleMapProps {
  readonly rules: NodeRules
  /** The chains that are listed below. */
  readonly shown: readonly LiveChain[]
  readonly moved: ReadonlySet<string>
}

/** The base chains by hook and table; a chain with rules leads to them. */
export function RuleMap({ rules: { chains }, shown, moved }: RuleMapProps) {
  const base = chains.filter(({ hook }) => hook !== undefined)
  const tables = [...new Set(base.map(({ table }) => table))]
  return (
    <div class="map" role="region" aria-label={say.value.baseChains} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
            {hooks.map((hook) => (
              <th scope="col" key={hook}>
                {hook.toUpperCase()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tables.map((table) => (
            <tr key={table}>
              <th scope="row">{table}</th>
              {hooks.map((hook) => (
                <td key={hook}>
                  {base
                    .filter((one) => one.table === table && one.hook === hook)
                    .map((one) => (
                      <Cell
                        key={one.chain}
                        {...{ chain: one, isShown: shown.some((other) => isSame(one, other)) }}
                        hasMoved={one.rules.some(({ id }) => moved.has(id))}
                      />
                    ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function isSame(a: LiveChain, b: LiveChain): boolean {
  return a.table === b.table && a.chain === b.chain
}

interface CellProps {
  readonly chain: LiveChain
  readonly isShown: boolean
  readonly hasMoved: boolean
}

function Cell({ chain: { table, chain, policy = '', rules }, isShown, hasMoved }: CellProps) {
  const text = rules.length === 0 ? policy.toLowerCase() : say.value.rules(rules.length)
  const title = `${table} ${chain}, ${say.value.policy(policy)}`
  if (!isShown)
    return (
      <span class="cell empty" title={title}>
        {text}
      </span>
    )
  return (
    <button
      type="button"
      class={`cell ${hasMoved ? 'now' : 'hit'}`}
      title={title}
      aria-label={`${table} ${chain}: ${text}`}
      onClick={() => showChain(table, chain)}
    >
      {text}
    </button>
  )
}
