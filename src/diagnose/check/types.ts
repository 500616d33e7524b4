import type { ObjectField } from '../../agents/meaning.js'
import type { Code } from '../codes/codes.js'
import type { DecidingRule } from '../why/types.js'

/** Something that is wrong. */
export interface CheckFinding {
  /** One sentence: the cause. */
  readonly says: string
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
  readonly fixes: readonly { readonly says: string; readonly command?: string | undefined }[]
}

/** What `check` found. */
export interface CheckResult {
  readonly findings: readonly CheckFinding[]
  /** How many requests were predicted, and how many of them pass. */
  readonly asked: number
  readonly passed: number
  /** Requests that could not be decided. */
  readonly unknown: readonly { readonly request: string; readonly why: string }[]
  readonly notices: readonly string[]
}
