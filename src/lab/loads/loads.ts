import { canPace, startSender } from '../../host/load/startSender.js'
import type { Sender, SentRequest } from '../../host/load/types.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { PodView } from '../../results/events.js'
import type { Place } from '../../topology/types.js'
import type { LoadAction } from '../changes/types.js'
import type { Lab } from '../types.js'
import type { LiveCluster } from '../live/types.js'
import type { LabState } from '../../snapshot/model/labState.js'
import type { ResolvedStep } from '../names/resolveStep.js'
import type { RunningLab } from '../up/runningLab.js'
import type { RequestResult } from '../../results/request.js'

/** A running load. */
export interface RunningLoad {
  readonly step: ResolvedStep
  readonly action: LoadAction
  readonly place: Place
  /** The results of its requests so far. */
  readonly results: () => readonly RequestResult[]
  /** Resolves when each sender has made a request, or with the error of a sender. */
  underWay(): Promise<string | undefined>
  stop(): Promise<LoadSeen>
}

/** The result of a load. */
export interface LoadSeen {
  readonly requests: readonly RequestResult[]
  /** During which step each request began. */
  readonly during: readonly string[]
  readonly seconds: number
  /** Every pod that existed while it ran, with its first labels: removed pods may have answered too. */
  readonly pods: readonly PodView[]
  readonly trouble: string | undefined
}

/** The loads of a lab, by name, and the steps during which they run. */
export interface Loads {
  start(step: ResolvedStep, action: LoadAction, place: Place): Promise<RunningLoad>
  /** Removes the load of this name from the running loads and returns it. */
  take(name: string): RunningLoad | undefined
  running(): readonly RunningLoad[]
  /** Records that a step begins. */
  enter(step: string): void
}

export function createLoads({
  sandbox,
  live,
  prepared,
  patienceSeconds,
}: Pick<RunningLab, 'sandbox' | 'live' | 'prepared' | 'patienceSeconds'>): Loads {
  const loads = new Map<string, RunningLoad>()
  const steps: { readonly name: string; readonly at: number }[] = []
  const stepAt = (moment: number) => steps.findLast(({ at }) => at <= moment)?.name ?? steps[0]?.name ?? ''
  return {
    async start(step, action, place) {
      const { stdout: version } = await sandbox.run(['curl', '--version'])
      const load = startLoad({
        ...{ sandbox, live, patienceSeconds, step, action, place, stepAt },
        connectSeconds: mayLose(prepared.lab, action.load) ? lostSeconds : undefined,
        curlPaces: canPace(version),
      })
      loads.set(action.load, load)
      return load
    },
    take(name) {
      const load = loads.get(name)
      loads.delete(name)
      return load
    },
    running: () => [...loads.values()],
    enter: (name) => void steps.push({ name, at: performance.now() }),
  }
}

/** Seconds after which a connection of a load that may lose requests is lost: while it waits, it sends no other. */
const lostSeconds = 1

/** Whether the expectations of a load let it lose requests; without expectations, every request must be answered. */
function mayLose({ steps }: Lab, load: string): boolean {
  const expectations = steps.flatMap(({ action, expect }) =>
    (action.kind === 'load' || action.kind === 'stop') && action.load === load ? [expect] : [],
  )
  return (
    expectations.some((expect) => Object.keys(expect).length > 0) &&
    !expectations.some(({ lost, answered }) => lost === 0 || answered === true)
  )
}

interface LoadParts {
  readonly sandbox: Sandbox
  readonly live: LiveCluster
  readonly patienceSeconds: number
  readonly connectSeconds: number | undefined
  readonly step: ResolvedStep
  readonly action: LoadAction
  readonly place: Place
  readonly stepAt: (moment: number) => string
  readonly curlPaces: boolean
}

function startLoad(parts: LoadParts): RunningLoad {
  const { sandbox, live, patienceSeconds, connectSeconds, step, action, place, stepAt, curlPaces } = parts
  const { everySeconds, parallel } = action
  const timeoutSeconds = Math.min(action.request.timeoutSeconds, patienceSeconds)
  const request = { ...action.request, timeoutSeconds }
  const options = { netns: place.netns, everySeconds, connectSeconds }
  const start = (): Sender => startSender(sandbox, request, options, curlPaces)
  const began = performance.now()
  const senders = Array.from({ length: parallel }, start)
  const pods = new Map<string, PodView>()
  const note = ({ view }: Pick<LabState, 'view'>) => {
    for (const pod of view.pods) {
      const key = `${pod.namespace}/${pod.name}`
      pods.set(key, { ...pod, labels: pods.get(key)?.labels ?? pod.labels })
    }
  }
  note(live.state())
  const stopNoting = live.onState(note)
  const trouble = () => senders.map((sender) => sender.trouble()).find((text) => text !== undefined)
  return {
    step,
    action,
    place,
    results: () => senders.flatMap((sender) => sender.sent()).map(({ result }) => result),
    async underWay() {
      await Promise.all(senders.map((sender) => sender.first()))
      return trouble()
    },
    async stop() {
      await Promise.all(senders.map((sender) => sender.stop()))
      stopNoting()
      const sent = senders
        .flatMap((sender) => sender.sent())
        .sort((one: SentRequest, other) => one.beganAt - other.beganAt)
      return {
        requests: sent.map(({ result }) => result),
        during: sent.map(({ beganAt }) => stepAt(beganAt)),
        seconds: (performance.now() - began) / 1000,
        pods: [...pods.values()],
        trouble: trouble(),
      }
    },
  }
}
