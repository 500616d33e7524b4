import { Topology } from '../Topology.js'
import { lab } from './state.js'

/** The topology of the lab as it is now. */
export function LiveTopology() {
  const now = lab.value
  return now === undefined ? null : <Topology view={now.topology} places={now.places} />
}
