import type { ComponentType } from 'preact'
import { useRef } from 'preact/hooks'
import type { PageTexts } from '../texts/english.js'
import { say } from '../texts/say.js'
import { LiveTopology } from './LiveTopology.js'

/** A part of the page that is shown alone. */
export interface Pane {
  readonly id: keyof PageTexts['panes']
  readonly Component: ComponentType
  /** What is above the topology. */
  readonly Above?: ComponentType
  /** Whether the topology is above it. */
  readonly hasTopology?: boolean
}

interface TabsProps {
  readonly panes: readonly Pane[]
  /** The id of the pane that is shown. */
  readonly shown: string
  readonly onShow: (id: string) => void
}

/** The tabs of the panes, and the pane that is shown. The arrow keys, Home and End select another tab (WAI-ARIA APG, tabs). */
export function Tabs({ panes, shown, onShow }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    panes.findIndex(({ id }) => id === shown),
  )
  const select = (index: number) => {
    const next = (index + panes.length) % panes.length
    const { id } = panes[next] as Pane
    onShow(id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  const targets: Readonly<Record<string, number>> = {
    ...{ ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: panes.length - 1 },
  }
  const { id: current, Component, Above, hasTopology = false } = panes[at] as Pane
  return (
    <>
      <div
        ref={list}
        class="tabs"
        role="tablist"
        aria-label={say.value.paneList}
        onKeyDown={(event) => {
          const target = targets[event.key]
          if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          select(target)
        }}
      >
        {panes.map(({ id }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === current}
            aria-controls={id === current ? `pane-${id}` : undefined}
            tabIndex={id === current ? 0 : -1}
            onClick={() => onShow(id)}
          >
            {say.value.panes[id]}
          </button>
        ))}
      </div>
      <div class="pane" role="tabpanel" id={`pane-${current}`} aria-labelledby={`tab-${current}`}>
        {Above === undefined ? null : <Above key="above" />}
        {/* not drawn again by another pane: a box of it keeps the focus */}
        {hasTopology ? <LiveTopology key="topology" /> : null}
        <Component key={current} />
      </div>
    </>
  )
}
