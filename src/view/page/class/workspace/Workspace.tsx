import { signal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { ExercisePlace } from '../../../class/api.js'
import { apiAt } from '../../live/call.js'
import { say } from '../language.js'
import { Divider } from './Divider.js'
import { Terminals } from './Terminals.js'
import { closeTerminals, type TerminalLab } from './openTerminals.js'

interface WorkspaceProps {
  /** Path of the live view of the lab: `/lab/`. */
  readonly path: string
  /** Changes when another lab runs there. */
  readonly labKey: string
  readonly title: string
  readonly places: readonly ExercisePlace[]
  /** Without terminals. */
  readonly readOnly: boolean
}

/** What the live view shows: `rules/node-a`. */
const liveAddress = signal('')

/** Shows a pane of the live view, with a place. */
export function showInLiveView(address: string): void {
  liveAddress.value = address
}

/** The lab that a workspace shows: commands of texts are typed into its terminals. */
export const workspaceLab = signal<TerminalLab | undefined>(undefined)

/** The part of the height of a workspace that its live view has, in percent. */
const liveShare = signal(52)

/** The live view of a lab, and terminals in its places. */
export function Workspace({ path, labKey, title, places, readOnly }: WorkspaceProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const lab = useMemo(() => ({ api: apiAt(`${path}api/v1`), places }), [path, places])
  useEffect(() => {
    workspaceLab.value = readOnly ? undefined : lab
  }, [lab, readOnly])
  useEffect(() => {
    liveAddress.value = ''
    return () => {
      workspaceLab.value = undefined
      closeTerminals()
    }
  }, [labKey, readOnly])
  const address = liveAddress.value
  useEffect(() => {
    const { location } = frame.current?.contentWindow ?? {}
    if (address !== '' && location !== undefined) location.hash = address
  }, [address])
  return (
    <div
      class={`workspace ${readOnly ? 'without-terminals' : ''}`}
      style={{ '--live-share': `${liveShare.value}%` }}
    >
      <iframe
        ref={frame}
        key={`${labKey} ${String(readOnly)}`}
        src={path}
        title={say.value.liveViewOf(title)}
      />
      {readOnly ? null : (
        <>
          <Divider share={liveShare} />
          <Terminals lab={lab} />
        </>
      )}
    </div>
  )
}
