import * as z from 'zod'
import type { LoadBalancer } from '../../cluster/types.js'
import { defaultRanges } from '../../net/addressRanges.js'

const className = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/

/** Who looks after Services of type LoadBalancer. */
export const loadBalancerSchema = z
  .strictObject({
    mode: z
      .enum(['layer2', 'proxy', 'none'])
      .optional()
      .describe(
        'layer2: one node answers ARP and neighbour discovery for each address, as in MetalLB; proxy: the client load-balancer runs nginx in front of the node ports; none: Services stay pending. Default: layer2.',
      ),
    ipMode: z
      .enum(['VIP', 'Proxy'])
      .optional()
      .describe('The ipMode in the status of Services. Default: Proxy in mode proxy, VIP otherwise.'),
    class: z
      .string()
      .max(253)
      .regex(className, 'is not a loadBalancerClass: a name such as example.com/internal')
      .optional()
      .describe('The loadBalancerClass of the Services to serve. Default: Services without a class.'),
  })
  .refine(({ mode = 'layer2', ipMode }) => mode !== 'layer2' || ipMode !== 'Proxy', {
    error: 'is Proxy, which needs mode: proxy; in layer-2 mode packets keep the address as their destination',
    path: ['ipMode'],
  })

type LoadBalancerFile = z.infer<typeof loadBalancerSchema>

/** The load balancer of a lab file; undefined for none. */
export function toLoadBalancer(given: LoadBalancerFile = {}): LoadBalancer | undefined {
  const { mode = 'layer2' } = given
  if (mode === 'none') return undefined
  const ipMode = given.ipMode ?? (mode === 'proxy' ? 'Proxy' : 'VIP')
  return {
    mode,
    ipMode,
    ...(given.class === undefined ? {} : { class: given.class }),
    ranges: defaultRanges.loadBalancers,
  }
}
