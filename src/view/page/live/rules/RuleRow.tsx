import { shortChain } from '../../../../trace/text/ruleText.js'
import type { LiveRule } from '../../../live/api.js'
import { ruleParts } from './shownRules.js'
import { say } from '../../texts/say.js'
import { sentence } from '../../texts/sentence.js'

interface RuleRowProps {
  readonly rule: LiveRule
  readonly table: string
  readonly isFull: boolean
  readonly hasMoved: boolean
  /** Whether a chain of the table is listed. */
  readonly hasChain: (name: string) => boolean
  readonly onChain: (name: string) => void
  readonly onSwitch?: ((id: string, off: boolean) => void) | undefined
}

/** A rule with its counter, why it exists, and its switch. */
export function RuleRow({ rule, table, isFull, hasMoved, hasChain, onChain, onSwitch }: RuleRowProps) {
  const { id, text, explanation, object, owner, packets, isOff } = rule
  const { conditions, target, chain } = ruleParts(rule, table, isFull)
  const shownTarget = isFull ? target : shortChain(target)
  return (
    <li class={`live-rule ${isOff ? 'off' : ''} ${hasMoved ? 'moved' : ''}`}>
      <span class="count" title={say.value.matched}>
        {packets === undefined || isOff ? '' : packets}
        {packets === undefined || isOff ? null : <span class="unseen"> {say.value.packets(packets)}</span>}
      </span>
      <div>
        <span title={text}>
          <code>{conditions}</code> {target === '' ? null : '→ '}
          {chain !== undefined && hasChain(chain) ? (
            <button type="button" class="chain-link" onClick={() => onChain(chain)}>
              {shownTarget}
            </button>
          ) : (
            <code>{shownTarget}</code>
          )}
        </span>
        {explanation === undefined ? null : <small>{sentence.value(explanation)}</small>}
        {object === undefined && owner === undefined ? null : (
          <small>
            {object === undefined ? null : (
              <span class="tag">
                {say.value.service} {object}
              </span>
            )}{' '}
            {owner === undefined ? null : <span class="tag">{owner}</span>}
          </small>
        )}
      </div>
      {onSwitch === undefined ? null : (
        <button
          type="button"
          class="plain"
          role="switch"
          aria-checked={!isOff}
          aria-label={say.value.ruleInKernel(text)}
          onClick={() => onSwitch(id, !isOff)}
        >
          {isOff ? say.value.off : say.value.on}
        </button>
      )}
    </li>
  )
}
