import { signal } from '@preact/signals'
import type { CommandAction } from './commandAction.js'
import { say } from './language.js'
import { confirmFirst } from './Confirm.js'
import { act, problem } from './participant/state.js'
import { placeNamed, terminalOf } from './workspace/openTerminals.js'
import { showInLiveView, workspaceLab } from './workspace/Workspace.js'

/** What a command has done that no terminal shows. */
export const notice = signal('')

/** Carries out a command of a text in the lab that is shown. */
export async function runCommand(action: CommandAction): Promise<void> {
  if (action.kind === 'exercise') return actFirst(action.action)
  const lab = workspaceLab.value
  if (lab === undefined) return
  switch (action.kind) {
    case 'rules':
      return showInLiveView(`rules/${action.node}`)
    case 'pane':
      return showInLiveView(action.pane)
    case 'restart': {
      const nodes = lab.places.filter(({ kind, name }) => kind === 'node' && name === (action.node ?? name))
      try {
        for (const { name } of nodes) await lab.api.call(`/nodes/${encodeURIComponent(name)}/kube-proxy`, {})
        notice.value = say.value.restarted(action.node ?? say.value.allNodes)
      } catch (error) {
        problem.value = (error as Error).message
      }
      return
    }
    case 'shell':
    case 'type': {
      const netns = placeNamed(lab.places, action.place)
      if (netns === undefined) {
        problem.value = say.value.noPlace(action.place ?? '')
        return
      }
      const session = await terminalOf(lab, netns)
      if (action.kind === 'type') await session?.enter(action.text, action.runs)
      session?.screen.focus()
    }
  }
}

/** Checks, or shows a hint; asks before what loses something. */
export function actFirst(action: 'check' | 'hint' | 'solution' | 'reset'): void {
  const { confirmReset, confirmSolution, reset, solution } = say.value
  const start = () => void act(action)
  if (action === 'reset') confirmFirst(confirmReset, reset, start)
  else if (action === 'solution') confirmFirst(confirmSolution, solution, start)
  else start()
}
