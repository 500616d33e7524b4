import type { CheckFinding, CheckResult } from '../diagnose/check/types.js'
import type { Cause, DecidingRule, Why } from '../diagnose/why/types.js'
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
  return { ...finding, at: [...new Set([...placesOf(found), ...at])] }
}

/** Why a request fails, with the lines of what was attached. */
export function whyWithEvidence(why: Why, bundle: Bundle | undefined): Why {
  if (bundle === undefined) return why
  const ofRule = (rule: DecidingRule): DecidingRule => ({
    ...rule,
    at: placesOf(evidenceOfRule(bundle, rule.place, rule)),
  })
  const ofCause = (cause: Cause): Cause => {
    const { says, object, place, proposals } = cause
    const settings = settingsIn([says, ...proposals.map((one) => one.says)], place)
    const found = [
      ...(object === undefined ? [] : evidenceOfObject(bundle, object)),
      ...settings.flatMap(({ node, name }) => evidenceOfWord(bundle, node, name)),
    ]
    return { ...cause, at: placesOf(found) }
  }
  return {
    ...why,
    findings: why.findings.map((finding) => ({
      ...finding,
      rule: finding.rule && ofRule(finding.rule),
      causes: finding.causes.map(ofCause),
    })),
  }
}

/** `manifests.yaml:12`, each once. */
function placesOf(found: readonly Evidence[]): string[] {
  return [...new Set(found.map(({ file, line }) => `${file}:${line}`))]
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
