import type { Problem } from '../../errors.js'
import { balancerName } from '../../topology/proxyBalancer.js'
import { valueAt } from '../file/explain.js'
import type { YamlFile } from '../file/readYaml.js'

/** Nodes and clients with the name of the host of the load balancer in mode proxy; checks raw values. */
export function balancerNameProblems({ value, at }: YamlFile): Problem[] {
  if (valueAt(value, ['loadBalancer', 'mode']) !== 'proxy') return []
  return ['nodes', 'clients'].flatMap((key) => {
    const places = valueAt(value, ['topology', key])
    return (Array.isArray(places) ? (places as unknown[]) : []).flatMap((place, index) => {
      const path = ['topology', key, index]
      const message = `"${balancerName}" is the name of the load balancer's own host`
      if (place === balancerName) return [{ message, at: at(path) }]
      return valueAt(place, ['name']) === balancerName ? [{ message, at: at([...path, 'name']) }] : []
    })
  })
}
