import type { Why } from '../../diagnose/why/types.js'
import type { ShownWhy } from './document.js'

/** What a page shows of an answer of `why`. */
export function shownWhy({ findings, remarks }: Why): ShownWhy {
  return {
    findings: findings.map(({ code, end: { reason }, share, causes, changes }) => ({
      ...{ code, end: { reason }, share },
      causes: causes.map(({ says }) => ({ says })),
      changes: changes.map(({ proposal: { says, command }, share }) => ({ says, command, share })),
    })),
    remarks: remarks.map(({ says }) => ({ says })),
  }
}
