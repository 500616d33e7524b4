import { useEffect } from 'preact/hooks'
import type { ReportedLab } from '../report/document.js'
import { Moment } from './Moment.js'
import { flow, frames, goTo, moment, playing } from './navigation.js'
import { NetfilterMap } from './NetfilterMap.js'
import { Steps } from './Steps.js'
import { Timeline } from './Timeline.js'
import { Topology } from './Topology.js'

/** Milliseconds that playing shows one moment. */
const pace = 1100

/** A lab: its steps, the topology with the path of a packet, what the packet meets, and a time line. */
export function LabPanes({ lab }: { readonly lab: ReportedLab }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      if (event.altKey || event.ctrlKey || event.metaKey || frames.value.length === 0) return
      if (target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA|SUMMARY)$/.test(target.tagName)) return
      if (event.key === 'ArrowRight') goTo(moment.value + 1)
      else if (event.key === 'ArrowLeft') goTo(moment.value - 1)
      else return
      playing.value = false
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  useEffect(() => {
    if (!playing.value) return
    const timer = setTimeout(() => {
      if (moment.value >= frames.value.length - 1) playing.value = false
      else goTo(moment.value + 1)
    }, pace)
    return () => clearTimeout(timer)
  }, [playing.value, moment.value])
  return (
    <div class={`lab ${flow.value === undefined ? 'without-path' : ''}`}>
      <Steps lab={lab} />
      <main class="centre">
        <Topology lab={lab} />
        {flow.value === undefined ? null : <NetfilterMap />}
      </main>
      {flow.value === undefined ? null : (
        <>
          <Moment />
          <Timeline />
        </>
      )}
    </div>
  )
}
