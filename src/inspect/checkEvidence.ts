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
  const { says, reason = '', node, object, decided, fixes, at = [] } = finding
  const found: Evidence[] = [
    ...(object === undefined ? [] : evidenceOfObject(bundle, object)),
    ...(decided === undefined || at.length > 0 ? [] : evidenceOfRule(bundle, decided.place, decided)),
    ...settingsIn([says, reason, ...fixes.map((fix) => fix.says)], node).flatMap((one) =>
      evidenceOfWord(bundle, one.node, one.name),
    ),
  ]
  return { ...finding, at: [...new Set([...found.map(({ file, line }) => `${file}:${line}`), ...at])] }
}

/** The settings that texts name, each with its node: `net.ipv4.ip_forward of node-a is 0`, or those of the node of the finding. */
function settingsIn(texts: readonly string[], node: string | undefined) {
  const found = texts.flatMap((text) =>
    [...text.matchAll(/(net\.[\w.-]+)(?: of (\S+) is)?/g)].flatMap(([, name = '', own = node]) =>
      own === undefined ? [] : [{ name, node: own }],
    ),
  )
  return [...new Map(found.map((one) => [`${one.node} ${one.name}`, one])).values()]
}
