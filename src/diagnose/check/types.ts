import type { ObjectField } from '../../agents/meaning.js'
import type { Code } from '../codes/codes.js'
import type { DecidingRule } from '../why/types.js'
import type { WrittenRequest } from '../writtenRequest.js'

/** Something that is wrong, or a risk. */
export interface CheckFinding {
  /** No request is known to fail by it: a risk, or something unusual. */
  readonly note?: true | undefined
  /** The cause, or the causes with a semicolon. */
  readonly says: string
  /** Each of several causes. */
  readonly causes?: readonly string[] | undefined
  /** One sentence: how requests end. */
  readonly reason?: string | undefined
  /** Of `vethlab explain`. */
  readonly code: Code
  /** The node that it is on. */
  readonly node?: string | undefined
  readonly object?: ObjectField | undefined
  /** The rule as its tool prints it, with its place. */
  readonly rule?: string | undefined
  readonly decided?: DecidingRule | undefined
  /** What was read, and where: `systeminfo/sysctla:812`. */
  readonly at?: readonly string[] | undefined
  /** The requests that fail by it, as predicted. */
  readonly affects: readonly string[]
  /** The first of them, as it can be asked. */
  readonly asks?: WrittenRequest | undefined
  readonly fixes: readonly { readonly says: string; readonly command?: string | undefined }[]
}

/** What `check` found. */
export interface CheckResult {
  readonly findings: readonly CheckFinding[]
  /** How many requests were predicted, and how many of them pass. */
  readonly asked: number
  readonly passed: number
  /** How many do not pass, or not always, because a policy denies them, which can be meant. */
  readonly denied: number
  /** No Service is attached: only pods were called. */
  readonly withoutServices?: true | undefined
  /** Requests that could not be decided. */
  readonly unknown: readonly { readonly request: string; readonly why: string }[]
  /** Objects that could decide, and were not looked at: `2 NetworkPolicies`. */
  readonly ignored: readonly string[]
  readonly notices: readonly string[]
}

/**
 * What an answer is for scripts: `wrong` if a problem was found, `undecided` if nothing was, and no request could be predicted to its end
 * either. Notes change nothing.
 */
export function verdictOf({
  findings,
  passed,
  denied,
  withoutServices,
}: CheckResult): 'wrong' | 'healthy' | 'undecided' {
  if (findings.some(({ note }) => note !== true)) return 'wrong'
  return passed + denied === 0 || withoutServices === true ? 'undecided' : 'healthy'
}
