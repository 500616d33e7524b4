import { basename } from 'node:path'
import { InputError, isKnownError } from '../errors.js'
import { findHolders, holds, secondsSince, type Holder } from '../host/holders.js'
import { age } from '../text/age.js'
import { sendOrder, labGone } from './sendOrder.js'
import type { LabPhase } from './order.js'
import type { UpProxyState, UpState } from './upState.js'

/** How long the process that holds a lab may take to say how far the lab is. */
const patienceMs = 10_000

/** A lab that is up, and the process that holds it. */
export interface UpLab extends UpState {
  readonly holder: Holder
}

/** The labs of this user that are up, oldest first; they are found by their processes, so none is ever stale. */
export async function findUpLabs(): Promise<UpLab[]> {
  const found = await Promise.all(findHolders().map(labOfHolder))
  return found.filter((lab) => lab !== undefined)
}

/** The lab that is up under a name or a folder; throws InputError, naming those that are up, when there is none. */
export async function upLab(name: string): Promise<UpLab> {
  const holders = findHolders()
  const holder = holderNamed(name, holders)
  if (holder === undefined) throw notUp(name, holders)
  const state = await phaseOf(holder)
  if (state.phase === 'up') return { ...state.lab, holder }
  if (state.phase === 'ending') throw labGone(holder.lab)
  throw new InputError([
    {
      message: `the lab "${holder.lab}" is not up yet: ${since(holder)} ago its start began (pid ${holder.pid})`,
    },
  ])
}

/**
 * Does something with a lab that is up. A lab that goes down meanwhile is what is reported then, not what that led to.
 */
export async function withUpLab<Result>(
  name: string,
  act: (lab: UpLab) => Result | Promise<Result>,
): Promise<Result> {
  const lab = await upLab(name)
  try {
    return await act(lab)
  } catch (error) {
    if (error instanceof InputError || (await isUp(lab))) throw error
    throw labGone(lab.lab)
  }
}

/** Whether a lab that was up is so still. */
export async function isUp({ holder }: UpLab): Promise<boolean> {
  return holds(holder) && (await labOfHolder(holder)) !== undefined
}

/** The process that holds, or builds, the lab of a name or a folder. Throws InputError when there is none. */
export function upHolder(name: string): Holder {
  const holders = findHolders()
  const found = holderNamed(name, holders)
  if (found === undefined) throw notUp(name, holders)
  return found
}

/** Throws InputError where a process holds the lab already. */
export async function refuseSecond(lab: string, holder: Holder | undefined): Promise<void> {
  if (holder === undefined) return
  const phase = await phaseOf(holder).then(
    (state) => state.phase,
    () => 'up' as const,
  )
  const what = { up: 'is up already', starting: 'is being started already', ending: 'is being taken down' }[
    phase
  ]
  throw new InputError([
    {
      message: `the lab "${lab}" ${what} (pid ${holder.pid}, since ${since(holder)})`,
      hint: `\`vethlab down ${lab}\` removes it`,
    },
  ])
}

/** What decides the rules on the nodes of a lab that is up. */
export async function readProxyState({ holder }: UpLab): Promise<UpProxyState> {
  const answer = await sendOrder(holder, { do: 'proxy-state' })
  if ('proxy' in answer) return answer.proxy
  throw new Error('the process that holds the lab answered something else')
}

function holderNamed(name: string, holders: readonly Holder[]): Holder | undefined {
  return holders.find(({ lab }) => lab === name) ?? holders.find(({ lab }) => lab === basename(name))
}

function notUp(name: string, holders: readonly Holder[]): InputError {
  const hint =
    holders.length === 0
      ? `no lab is up; \`vethlab up ${name}\` starts it`
      : `up are: ${holders.map(({ lab }) => lab).join(', ')}`
  return new InputError([{ message: `the lab "${name}" is not up`, hint }])
}

async function phaseOf(holder: Holder): Promise<LabPhase> {
  const answer = await sendOrder(holder, { do: 'state' }, patienceMs)
  return 'state' in answer ? answer.state : { phase: 'ending' }
}

/** Undefined for a lab that is not up yet, or not any more, or whose process says nothing. */
async function labOfHolder(holder: Holder): Promise<UpLab | undefined> {
  try {
    const state = await phaseOf(holder)
    return state.phase === 'up' ? { ...state.lab, holder } : undefined
  } catch (error) {
    if (isKnownError(error)) return undefined
    throw error
  }
}

function since(holder: Holder): string {
  return age(secondsSince(holder) * 1000)
}
