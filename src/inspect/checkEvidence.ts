import type { CheckFinding, CheckResult } from '../diagnose/check/types.js'
import {
  evidenceOfObject,
  evidenceOfRule,
  evidenceOfWord,
  type Evidence,
} from '../snapshot/attached/evidence.js'
import type { Bundle } from '../snapshot/attached/bundle.js'

/** What `check` found, with the lines of what was attached. */
export function withEvidence(result: CheckResult, bundle: Bundle | undefined): CheckResult {
  if (bundle === undefined) return result
  return { ...result, findings: result.findings.map((finding) => withLines(finding, bundle)) }
}

function withLines(finding: CheckFinding, bundle: Bundle): CheckFinding {
  const { says, reason = '', node, object, decided, fixes } = finding
  const settings = [says, reason, ...fixes.map((fix) => fix.says)].flatMap(
    (text) => text.match(/net\.[\w.-]+/g) ?? [],
  )
  const found: Evidence[] = [
    ...(object === undefined ? [] : evidenceOfObject(bundle, object)),
    ...(decided === undefined ? [] : evidenceOfRule(bundle, decided.place, decided)),
    ...(node === undefined
      ? []
      : [...new Set(settings)].flatMap((name) => evidenceOfWord(bundle, node, name))),
  ]
  return {
    ...finding,
    at: [...new Set(found.map(({ file, line }) => `${file}:${line}`))],
  }
}
