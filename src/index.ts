export {
  withLab,
  type FlowRequest,
  type FlowResult,
  type LabHandle,
  type WithLabOptions,
} from './lab/up/withLab.js'
export type { LabChanges } from './lab/changes/labChanges.js'
export { runLab, type RunOptions } from './lab/steps/runLab.js'
export {
  InputError,
  CannotRunError,
  CommandError,
  KnownError,
  type Position,
  type Problem,
} from './errors.js'
export type {
  LabEvent,
  LabResult,
  StepResult,
  CheckResult,
  TopologyView,
  Reporter,
} from './results/events.js'
export type { SocketAddress } from './net/socketAddress.js'
export type { Flow, Hop, NatFact } from './packets/types.js'
export type { Action, RequestResult, EchoReply } from './results/request.js'
export type { Observation } from './lab/types.js'
export type { ConntrackEntry, RuleCount } from './netfilter/types.js'
