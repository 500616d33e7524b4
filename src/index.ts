export { withLab } from './lab/up/withLab.js'
export type { FlowRequest, FlowResult, LabHandle, TraceOptions, WithLabOptions } from './lab/up/labHandle.js'
export type { ObservedRequest } from './lab/trace/observed.js'
export type { TraceComparison, TraceDifference } from './trace/observed/compare.js'
export type { SeenExchange } from './trace/observed/connection.js'
export type { SeenHop, SeenPolicy, SeenRule } from './trace/observed/model.js'
export type { LabChanges } from './lab/changes/types.js'
export { runLab } from './lab/steps/runLab.js'
export type { RunOptions } from './lab/steps/runOptions.js'
export {
  InputError,
  CannotRunError,
  CommandError,
  KnownError,
  SandboxError,
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
export type { Observation } from './lab/observation.js'
export type { ConntrackEntry, RuleCount } from './netfilter/types.js'
export {
  predict,
  predictor,
  predictRequest,
  toPredict,
  why,
  type Predictable,
  type RequestToPredict,
} from './inspect/predictRequest.js'
export type { PredictOptions } from './lab/plan/planSnapshot.js'
export type { ObjectField } from './agents/meaning.js'
export type { Cause, CheckedChange, Finding, Proposal, Why } from './diagnose/why/types.js'
export type { TracedPacket, TracedSocket } from './snapshot/model/packet.js'
export type { TracedChain, TracedRule, TraceState } from './snapshot/model/state.js'
export type * from './trace/model/steps.js'
export { withSandbox } from './host/sandbox/withSandbox.js'
export type { SandboxOptions } from './host/sandbox/startSandbox.js'
export type { CommandOptions } from './host/sandbox/commandOptions.js'
export type { RunningCommand, Sandbox, StartOptions } from './host/sandbox/sandbox.js'
export type { CommandResult } from './host/sandbox/commandResult.js'
export type { InsideFiles } from './host/sandbox/insideFiles.js'
export {
  fakeSandbox,
  type FakeSandbox,
  type FakeSandboxOptions,
  type RunAction,
  type StartAction,
} from './host/sandbox/fake/fakeSandbox.js'
export type { FakeFiles } from './host/sandbox/fake/fakeFiles.js'
export type { FakeProcess } from './host/sandbox/fake/fakeProcess.js'
export type { CommandMatcher, FakeCommand, PlannedResult } from './host/sandbox/fake/plannedCommands.js'
