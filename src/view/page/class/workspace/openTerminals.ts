import { computed, signal } from '@preact/signals'
import type { ExercisePlace } from '../../../class/api.js'
import type { Api } from '../../live/call.js'
import { newSession, type Session } from '../../live/terminal/session.js'

/** The lab of which a page has terminals. */
export interface TerminalLab {
  readonly api: Pick<Api, 'base' | 'call' | 'callText'>
  readonly places: readonly ExercisePlace[]
}

/** Open terminals, in the order of their tabs. */
export const terminals = signal<readonly Session[]>([])
const chosen = signal<Session | undefined>(undefined)
/** The terminal that is shown. */
export const shownTerminal = computed(() =>
  chosen.value !== undefined && terminals.value.includes(chosen.value)
    ? chosen.value
    : terminals.value.at(-1),
)
/** Why no terminal could be opened. */
export const terminalProblem = signal('')

/** A browser opens six connections to one server; events and calls need the others. */
const mostTerminals = 3

export function showTerminal(session: Session): void {
  chosen.value = session
}

/** Opens a terminal; the one that was used least recently is closed if there are too many. */
export async function openTerminal(
  { api, places }: TerminalLab,
  netns: string,
): Promise<Session | undefined> {
  terminalProblem.value = ''
  try {
    const name = places.find((place) => place.netns === netns)?.name ?? netns
    const session = await newSession(api, netns, name)
    const [oldest] = terminals.value.filter((one) => one !== chosen.value)
    if (terminals.value.length >= mostTerminals && oldest !== undefined) closeTerminal(oldest)
    terminals.value = [...terminals.value, session]
    showTerminal(session)
    return session
  } catch (error) {
    terminalProblem.value = (error as Error).message
    return undefined
  }
}

/** The terminal of a place, which is opened if there is none; undefined if that fails. */
export async function terminalOf(lab: TerminalLab, netns: string): Promise<Session | undefined> {
  const open = terminals.value.find((one) => one.place === netns && one.isRunning.value)
  if (open === undefined) return openTerminal(lab, netns)
  showTerminal(open)
  return open
}

export function closeTerminal(session: Session): void {
  session.close()
  session.screen.remove()
  terminals.value = terminals.value.filter((one) => one !== session)
}

/** Closes all: the lab is another one. */
export function closeTerminals(): void {
  terminals.value.forEach(closeTerminal)
}

/** The place that a command names: its network namespace. Without a name that of a node. */
export function placeNamed(places: readonly ExercisePlace[], name: string | undefined): string | undefined {
  if (name !== undefined) return places.find((place) => place.name === name || place.netns === name)?.netns
  const current = places.find(({ netns }) => netns === shownTerminal.value?.place)
  if (current?.kind === 'node') return current.netns
  return (places.find(({ kind }) => kind === 'node') ?? places[0])?.netns
}
