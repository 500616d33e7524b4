import type { CheckResult } from '../../../class/api.js'
import { language } from '../../language.js'
import { FailedChecks } from '../FailedChecks.js'
import { say } from '../language.js'

/** What the last check found. */
export function CheckReport({ check }: { readonly check: CheckResult }) {
  const { at, passed, all, solved } = check
  const time = new Date(at).toLocaleTimeString(language.value)
  return (
    <section class={`part check-report ${solved ? 'solved' : 'unsolved'}`} role="status">
      <h3>{solved ? say.value.solved : say.value.checkOf(passed, all)}</h3>
      <FailedChecks check={check} />
      <small class="mute">{say.value.checkedAt(time)}</small>
    </section>
  )
}
