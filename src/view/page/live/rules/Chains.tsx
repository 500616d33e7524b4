import type { LiveChain } from '../../../live/api.js'
import { RuleRow } from './RuleRow.js'
import { say } from '../../texts/say.js'

interface ChainsProps {
  readonly title: string
  /** With the rules that are shown. */
  readonly chains: readonly LiveChain[]
  /** Every chain, with all rules. */
  readonly all: readonly LiveChain[]
  readonly moved: ReadonlySet<string>
  readonly isFull: boolean
  /** Of another mode: its chains may have the names of those in the kernel. */
  readonly isOther?: boolean
  /** Absent if no rule can be switched. */
  readonly onSwitch?: ((id: string, off: boolean) => void) | undefined
}

/** Chains with their rules, in the order of the hooks. */
export function Chains({ title, chains, all, moved, isFull, isOther = false, onSwitch }: ChainsProps) {
  const total = chains.reduce((sum, { rules }) => sum + rules.length, 0)
  const empty = all.filter(({ rules }) => rules.length === 0)
  return (
    <div class="chains">
      <h2>
        {title} · {say.value.rules(total)}
      </h2>
      {chains.map(({ table, chain, hook, policy, rules }) => (
        <section key={`${table} ${chain}`} aria-label={`${table} ${chain}`}>
          <h3 id={chainId(table, chain, isOther)} tabIndex={-1}>
            <span class="mute">{table}</span> {chain}
            {hook === undefined ? null : (
              <span class="mute">
                {' '}
                · {hook} · {say.value.policy(policy ?? '')}
              </span>
            )}
          </h3>
          <ul>
            {rules.map((rule) => (
              <RuleRow
                key={rule.id}
                {...{ rule, table, isFull, onSwitch, hasMoved: moved.has(rule.id) }}
                onChain={(name) => showChain(table, name, isOther)}
                hasChain={(name) =>
                  chains.some((one) => one.table === table && one.chain === name) && name !== chain
                }
              />
            ))}
          </ul>
        </section>
      ))}
      {empty.length === 0 ? null : (
        <p class="mute small">
          {say.value.withoutRules(empty.map(({ table, chain }) => `${table} ${chain}`).join(', '))}
        </p>
      )}
    </div>
  )
}

function chainId(table: string, chain: string, isOther: boolean): string {
  return `chain ${isOther ? 'other ' : ''}${table} ${chain}`
}

/** Moves to a chain that is listed. */
export function showChain(table: string, chain: string, isOther = false): void {
  const heading = document.getElementById(chainId(table, chain, isOther))
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
