import { path } from '../exchange.js'
import { NetfilterMap } from '../NetfilterMap.js'
import { LiveTopology } from './LiveTopology.js'

/** The topology with the path of the request that is shown, and what its packet meets on a host. */
export function PathPane() {
  return (
    <>
      <LiveTopology />
      {path.value === undefined ? null : <NetfilterMap />}
    </>
  )
}
