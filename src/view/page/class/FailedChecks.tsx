import type { CheckResult } from '../../class/api.js'
import { inLanguage } from './language.js'

/** What is still wrong, after a check. */
export function FailedChecks({ check: { failed } }: { readonly check: CheckResult }) {
  return (
    <ul class="failed-checks">
      {failed.map(({ name, says }) => (
        <li key={name}>
          <span class="status failed" aria-hidden="true">
            ✗
          </span>
          {inLanguage(says)}
        </li>
      ))}
    </ul>
  )
}
