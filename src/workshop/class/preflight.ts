import type { MachineCapacity } from '../../host/machineCapacity.js'

/** What a participant uses with the live view and two terminals open, and what the server uses; measured as docs/class.md describes. */
const need = { memoryMiB: 160, pids: 40, serverMiB: 60 }

/** How many participants the free memory and the process ids of a host carry. */
export function mostCarried({ memory, pids }: MachineCapacity): number {
  const byMemory = Math.floor((memory / 2 ** 20 - need.serverMiB) / need.memoryMiB)
  return Math.max(0, Math.min(byMemory, Math.floor(pids / need.pids)))
}

/** What a host is missing for the labs of `more` participants besides those that run; undefined if nothing. */
export function roomForMore(room: MachineCapacity, more: number): string | undefined {
  const carried = Math.min(mostCarried(room), more)
  if (carried === more) return undefined
  return (
    `this host carries about ${carried} further labs, and ${more} participants run none: it has ` +
    `${freeText(room)}; labs may fail to start`
  )
}

/** What a host is missing for a number of participants; none if it carries them. */
export function roomProblems(room: MachineCapacity, participants: number): readonly string[] {
  const carried = mostCarried(room)
  if (carried >= participants) return []
  return [
    `this host carries about ${carried} participants, and the class has ${participants}: it has ` +
      `${freeText(room)}; labs may fail to start`,
  ]
}

function freeText({ memory, pids }: MachineCapacity): string {
  return `${Math.round(memory / 2 ** 20)} MiB of free memory and ${pids} process ids`
}
