import type { LiveLab } from '../../live/api.js'
import { Topology, type Drawing } from '../Topology.js'
import { MovingPackets, PacketsMove } from './MovingPackets.js'
import { chosenPlace, lab, link, pane, place } from './state.js'
import { PolicyEdges } from './WhoMayTalk.js'

/** The topology of the lab as it is now; its boxes and links choose what the panes show. */
export function LiveTopology() {
  const now = lab.value
  if (now === undefined) return null
  const choice = {
    place: pane.value === 'place' ? chosenPlace.value : undefined,
    onPlace: (netns: string) => {
      place.value = netns
      pane.value = 'place'
    },
    linkOf: (netns: string) => deviceOf(now, netns),
    onLink: (netns: string, device: string) => {
      if (now.findings !== undefined) return choice.onPlace(netns)
      link.value = { netns, interface: device }
      pane.value = 'packets'
    },
  }
  return (
    <Topology
      {...{ view: now.topology, places: now.places, downLinks: now.downLinks, choice }}
      {...(now.findings === undefined
        ? { Overlay: LiveOverlay, controls: <PacketsMove /> }
        : { Overlay: PolicyEdges })}
    />
  )
}

function LiveOverlay(drawing: Drawing) {
  return (
    <>
      <PolicyEdges {...drawing} />
      <MovingPackets {...drawing} />
    </>
  )
}

/** The interface of the link that is drawn. */
function deviceOf({ places }: LiveLab, netns: string): string | undefined {
  return places[netns]?.interfaces.find((device) => device !== 'lo')
}
