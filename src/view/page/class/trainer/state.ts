import { signal } from '@preact/signals'
import type {
  Assist,
  ClassState,
  FaultOrder,
  FaultReport,
  Lock,
  NewLinks,
  NewMessage,
  NewParticipants,
  TrainerEvents,
} from '../../../class/trainerApi.js'
import { ownApi } from '../../live/call.js'
import { follow } from '../follow.js'

const { call } = ownApi

export const classState = signal<ClassState | undefined>(undefined)
/** The time of the server, in milliseconds, as far as it is known: it moves every few seconds. */
export const now = signal(Date.now())
/** Name of the participant whose lab is shown. */
export const watched = signal<string | undefined>(undefined)
/** The participant who gets the next message; all participants if undefined. */
export const messageTo = signal<string | undefined>(undefined)
export const isBigScreen = signal(location.hash === '#screen')
/** Why the last action failed. */
export const problem = signal('')
export const faultReport = signal<FaultReport | undefined>(undefined)
/** The links that were made last. */
export const newLinks = signal<NewLinks | undefined>(undefined)

const ticksMs = 2000

/** Follows the class. */
export function followTrainer(): void {
  follow<TrainerEvents>({
    class: keep,
  })
  setInterval(() => (now.value = Date.now()), ticksMs)
  addEventListener('hashchange', () => (isBigScreen.value = location.hash === '#screen'))
}

/** Whether the message was sent. */
export async function sendMessage(text: string): Promise<boolean> {
  const to = messageTo.value
  return act('/messages', { text, ...(to === undefined ? {} : { to }) } satisfies NewMessage)
}

export function setLock(exercise: string | undefined, open: boolean): void {
  void act('/locks', { open, ...(exercise === undefined ? {} : { exercise }) } satisfies Lock)
}

export async function setAssist(name: string, on: boolean): Promise<void> {
  await act(`/participants/${encodeURIComponent(name)}/assist`, { on } satisfies Assist)
}

export async function endClass(): Promise<void> {
  await act('/end', {})
}

export async function injectFault(order: FaultOrder): Promise<void> {
  await guarded(async () => (faultReport.value = await call<FaultReport>('/faults', order)))
}

export async function makeLink(name: string): Promise<void> {
  await guarded(
    async () => (newLinks.value = await call<NewLinks>(`/participants/${encodeURIComponent(name)}/link`, {})),
  )
}

/** Whether the participants were added. */
export async function addParticipants(names: readonly string[]): Promise<boolean> {
  return guarded(
    async () => (newLinks.value = await call<NewLinks>('/participants', { names } satisfies NewParticipants)),
  )
}

export async function withdrawLinks(name: string): Promise<void> {
  if (newLinks.value?.links.some((one) => one.name === name) === true) newLinks.value = undefined
  await act(`/participants/${encodeURIComponent(name)}/withdraw`, {})
}

/** An action that answers with the class as it is then. */
async function act(path: string, body: unknown): Promise<boolean> {
  return guarded(async () => keep(await call<ClassState>(path, body)))
}

async function guarded(action: () => Promise<unknown>): Promise<boolean> {
  problem.value = ''
  try {
    await action()
    return true
  } catch (error) {
    problem.value = (error as Error).message
    return false
  }
}

function keep(next: ClassState): void {
  classState.value = next
  now.value = Date.now()
}
