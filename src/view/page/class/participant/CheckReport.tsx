import type { CheckResult } from '../../../class/api.js'
import { language } from '../../language.js'
import { inLanguage, say } from '../language.js'

/** What the last check found. */
export function CheckReport({ check: { at, passed, all, solved, failed } }: { readonly check: CheckResult }) {
  const time = new Date(at).toLocaleTimeString(language.value)
  return (
    <section class={`part check-report ${solved ? 'solved' : 'unsolved'}`} role="status">
      <h3>{solved ? say.value.solved : say.value.checkOf(passed, all)}</h3>
      <ul>
        {failed.map(({ name, says }) => (
          <li key={name}>
            <span class="status failed" aria-hidden="true">
              ✗
            </span>
            {inLanguage(says)}
          </li>
        ))}
      </ul>
      <small class="mute">{say.value.checkedAt(time)}</small>
    </section>
  )
}
