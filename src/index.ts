export {
  withLab,
  type FlowRequest,
  type FlowResult,
  type LabHandle,
  type WithLabOptions,
} from './lab/withLab.js'
export type { LabChanges } from './lab/changes/labChanges.js'
export { runLab, type RunOptions } from './lab/runLab.js'
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
} from './reporters/events.js'
export type { Flow, Hop, NatFact, SocketAddress } from './packets/types.js'
export type { Action, Observation, RequestResult, EchoReply } from './lab/types.js'
export type { ConntrackEntry, RuleCount } from './netfilter/types.js'
