import * as fc from 'fast-check'
import t from 'tap'
import { decideByPolicies } from '../../../src/cluster/policies/decide.js'
import type { Cluster } from '../../../src/cluster/types.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import type { IpFamily } from '../../../src/net/ipFamily.js'
import { plannedState } from '../../../src/snapshot/fromPlan/plannedState.js'
import { predictor } from '../../../src/trace/predict.js'
import { firstPacket } from '../../../src/trace/request.js'
import { addressOf, modelObjects, podNames } from '../../cluster/policies/model.js'
import { randomPolicies } from '../../cluster/policies/randomPolicies.js'

/** Policies are rules of iptables, or a table of nftables; few for the mode in which only the way to the pod differs. */
const runs = { iptables: 20, nftables: 20, ipvs: 4 }

const families = ['IPv4', 'IPv6'] as const
const nodes = ['node-a', 'node-b'] as const

/** Pods and nodes call pods, or the Service of pods `a`, which has another port. */
const call = fc.record({
  from: fc.constantFrom(...podNames, ...nodes),
  to: fc.constantFrom(...podNames),
  port: fc.constantFrom(80, 81),
  protocol: fc.constantFrom('TCP' as const, 'UDP' as const),
  family: fc.constantFrom(...families),
  viaService: fc.boolean(),
})

const text = (objects: readonly object[]) => objects.map((one) => JSON.stringify(one)).join('\n---\n')
const services = ['x', 'y', 'z'].map((namespace) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'a', namespace },
  spec: {
    ipFamilyPolicy: 'RequireDualStack',
    selector: { pod: 'a' },
    ports: [80, 81].flatMap((port) =>
      ['TCP', 'UDP'].map((protocol) => ({
        ...{ protocol, port: port + 8000, name: `${port}-${protocol.toLowerCase()}` },
        targetPort: `serve-${port}-${protocol.toLowerCase()}`,
      })),
    ),
  },
}))

let asked = 0
let denied = 0

for (const mode of ['iptables', 'nftables', 'ipvs'] as const)
  t.test(`the packet path in mode ${mode} and the decision by the objects agree`, (t) => {
    fc.assert(
      fc.property(randomPolicies, fc.array(call, { minLength: 12, maxLength: 24 }), (policies, calls) => {
        const lab = prepareLab(
          t.testdir({
            'lab.yaml': `topology: { families: [IPv4, IPv6] }\nmanifests: [all.yaml]\nkubeProxy: { mode: ${mode} }\n`,
            'all.yaml': text([...modelObjects, ...services, ...policies]),
          }),
        )
        const state = plannedState(lab)
        const predict = predictor(state)
        for (const one of calls) {
          const { from, to, port, protocol, family } = one
          if (from === to) continue
          const isNode = !from.includes('/')
          const place = isNode ? from : placeOf(lab, from)
          const viaService = one.viaService && to.endsWith('/a')
          const address = viaService
            ? serviceAddress(lab.cluster, to, family)
            : addressOf(lab.cluster, to, family)
          const packet = firstPacket(state, {
            ...{ from: place, protocol: protocol.toLowerCase() as 'tcp' | 'udp', address },
            port: viaService ? port + 8000 : port,
          })
          const { paths } = predict(place, packet)
          const ends = [
            ...new Set(
              paths.map(({ end }) => (end.kind === 'answered' ? 'answered' : `${end.kind}: ${end.reason}`)),
            ),
          ]
          const wanted = decideByPolicies(lab.cluster, {
            ...{
              protocol,
              port,
              source: packet.source.address,
              destination: addressOf(lab.cluster, to, family),
            },
            sourceNode: isNode ? from : undefined,
          })
          asked++
          if (!wanted.allowed) denied++
          const agrees = wanted.allowed
            ? ends.join() === 'answered'
            : ends.every((end) => end.startsWith('rejected'))
          if (!agrees)
            throw new Error(`${JSON.stringify(one)}: ${ends.join()}, wanted ${JSON.stringify(wanted)}`)
        }
      }),
      { numRuns: runs[mode] },
    )
    t.end()
  })

// of all modes: the few policies of one run can allow nearly everything
t.test('policies of the runs deny some of the calls, and not all', (t) => {
  t.ok(denied > asked / 20 && denied < asked, `${denied} of ${asked} denied`)
  t.end()
})

function placeOf({ topology }: ReturnType<typeof prepareLab>, full: string): string {
  const found = topology.pods.find(({ namespace = 'default', name }) => `${namespace}/${name}` === full)
  if (found === undefined) throw new Error(`no pod ${full}`)
  return found.netns
}

function serviceAddress({ services }: Cluster, pod: string, family: IpFamily): string {
  const [namespace] = pod.split('/')
  const found = services.find(({ metadata }) => metadata.namespace === namespace)
  return found?.spec.clusterIPs?.find((one) => one.includes(':') === (family === 'IPv6')) ?? ''
}
