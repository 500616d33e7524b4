import { basename } from 'node:path'
import { InputError, isKnownError, SandboxError } from '../errors.js'
import { findHolders, holds, secondsSince, type Holder } from '../host/holders.js'
import { callerOwner } from '../host/owner.js'
import { age } from '../text/age.js'
import { isStopped } from '../host/sandbox/processTree.js'
import { labGone, noAnswer, sendOrder } from './sendOrder.js'
import type { LabPhase } from './order.js'
import type { UpProxyState, UpState } from './upState.js'

/** The time limit for the process that holds a lab to report its phase, also on a busy host. */
const patienceMs = 30_000
/** The same for a list of labs, which shows a lab that does not answer. */
const shortPatienceMs = 5000

/** A running lab and the process that holds it. */
export interface UpLab extends UpState {
  readonly holder: Holder
}

/** A lab whose process does not answer, such as one that is stopped. */
export interface SilentLab {
  readonly holder: Holder
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Why; names the lab and the process. */
  readonly error: string
}

/** The labs of an owner, oldest first, with those that do not answer soon. They are found by their processes, so no entry is stale. */
export async function findAllLabs(owner = callerOwner()): Promise<(UpLab | SilentLab)[]> {
  const found = await Promise.all(
    findHolders(owner).map(async (holder) => {
      try {
        return await labSoon(holder)
      } catch (error) {
        if (!(error instanceof SandboxError)) throw error
        const startedAt = Date.now() - secondsSince(holder) * 1000
        return { holder, startedAt, error: error.message }
      }
    }),
  )
  return found.filter((lab) => lab !== undefined)
}

/** The running labs of an owner that answer, oldest first. */
export async function findUpLabs(owner = callerOwner()): Promise<UpLab[]> {
  const found = await Promise.all(findHolders(owner).map((holder) => ifItAnswers(labOfHolder(holder))))
  return found.filter((lab) => lab !== undefined)
}

/** The running lab with a name or a folder; undefined when there is none. Throws SandboxError if it does not answer. */
export async function upLabNamed(name: string): Promise<UpLab | undefined> {
  const holder = holderNamed(name, findHolders())
  return holder === undefined ? undefined : labOfHolder(holder)
}

/** Like `upLabNamed`; undefined also if it does not answer soon. */
export async function upLabSoon(name: string): Promise<UpLab | undefined> {
  const holder = holderNamed(name, findHolders())
  return holder === undefined ? undefined : ifItAnswers(labSoon(holder))
}

/** The running lab with a name or a folder; throws InputError, with the names of running labs, when there is none. */
export async function upLab(name: string, owner = callerOwner()): Promise<UpLab> {
  const holders = findHolders(owner)
  const holder = holderNamed(name, holders)
  if (holder === undefined) throw notRunning(name, holders)
  const state = await phaseOf(holder)
  if (state.phase === 'up') return { ...state.lab, holder }
  if (state.phase === 'ending') throw labGone(holder.lab)
  throw new InputError([
    {
      message: `the lab "${holder.lab}" is not running yet; it was started ${since(holder)} ago (pid ${holder.pid})`,
    },
  ])
}

/** Calls `act` with a running lab. If the lab ends meanwhile, reports that instead of the errors that follow from it. */
export async function withUpLab<Result>(
  name: string,
  act: (lab: UpLab) => Result | Promise<Result>,
  owner = callerOwner(),
): Promise<Result> {
  const lab = await upLab(name, owner)
  try {
    return await act(lab)
  } catch (error) {
    if (error instanceof InputError || (await isUp(lab))) throw error
    throw labGone(lab.lab)
  }
}

/** Whether a lab is still running. */
export async function isUp(lab: UpLab): Promise<boolean> {
  return (await upLabNow(lab)) !== undefined
}

/** A running lab as it is now; undefined when it has ended, is ending or does not answer. */
export async function upLabNow({ holder }: UpLab): Promise<UpLab | undefined> {
  return holds(holder) ? ifItAnswers(labOfHolder(holder)) : undefined
}

/** The process that holds or builds the lab with a name or a folder. Throws InputError when there is none. */
export function upHolder(name: string): Holder {
  const holders = findHolders()
  const found = holderNamed(name, holders)
  if (found === undefined) throw notRunning(name, holders)
  return found
}

/** Throws InputError if a process already holds the lab. */
export async function rejectSecond(lab: string, holder: Holder | undefined): Promise<void> {
  if (holder === undefined) return
  const phase = await phaseOf(holder).then(
    (state) => state.phase,
    () => 'up' as const,
  )
  const what = {
    up: 'is already running',
    starting: 'is already being started',
    ending: 'is being removed',
  }[phase]
  throw new InputError([
    {
      message: `the lab "${lab}" ${what} (pid ${holder.pid}, since ${since(holder)})`,
      hint: `\`vethlab down ${lab}\` removes it`,
    },
  ])
}

/** The inputs that determine the rules on the nodes of a running lab. */
export async function readProxyState({ holder }: UpLab): Promise<UpProxyState> {
  const answer = await sendOrder(holder, { do: 'proxy-state' })
  if ('proxy' in answer) return answer.proxy
  throw new Error('the process that holds the lab sent an unexpected answer')
}

/** Serves the API of a running lab on the host until the lab ends; returns the kubeconfig for clients of the host. */
export async function serveOnHost({ holder }: Pick<UpLab, 'holder'>): Promise<string> {
  const answer = await sendOrder(holder, { do: 'serve-api' })
  if ('kubeconfig' in answer) return answer.kubeconfig
  throw new Error('the process that holds the lab sent an unexpected answer')
}

function holderNamed(name: string, holders: readonly Holder[]): Holder | undefined {
  return holders.find(({ lab }) => lab === name) ?? holders.find(({ lab }) => lab === basename(name))
}

function notRunning(name: string, holders: readonly Holder[]): InputError {
  const hint =
    holders.length === 0
      ? `no lab is running; \`vethlab up ${name}\` starts it`
      : `running labs: ${holders.map(({ lab }) => lab).join(', ')}`
  return new InputError([{ message: `the lab "${name}" is not running`, hint }])
}

async function phaseOf(holder: Holder, milliseconds = patienceMs): Promise<LabPhase> {
  const answer = await sendOrder(holder, { do: 'state' }, milliseconds)
  return 'state' in answer ? answer.state : { phase: 'ending' }
}

/** Undefined for a lab that is starting or ending. Throws SandboxError if its process does not answer. */
async function labOfHolder(holder: Holder, milliseconds?: number): Promise<UpLab | undefined> {
  try {
    const state = await phaseOf(holder, milliseconds)
    return state.phase === 'up' ? { ...state.lab, holder } : undefined
  } catch (error) {
    if (error instanceof InputError) return undefined
    throw error
  }
}

/** Like `labOfHolder`, with a shorter time limit, and none for a process that is stopped. */
async function labSoon(holder: Holder): Promise<UpLab | undefined> {
  const { pid } = holder
  if (isStopped(pid)) throw noAnswer(holder, `it is stopped; \`kill -CONT ${pid}\` continues it`)
  return labOfHolder(holder, shortPatienceMs)
}

async function ifItAnswers(lab: Promise<UpLab | undefined>): Promise<UpLab | undefined> {
  try {
    return await lab
  } catch (error) {
    if (isKnownError(error)) return undefined
    throw error
  }
}

function since(holder: Holder): string {
  return age(secondsSince(holder) * 1000)
}
