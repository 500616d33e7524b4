import type { ExplainedChain, ExplainedRule } from '../../iptables/explained/types.js'
import type { Language } from '../../../../text/language.js'
import type { ServicePort } from '../../servicePort.js'
import type { FoundRealServer, FoundServer } from '../found.js'
import { serverFlags } from '../ipvsadm.js'
import type { PortServer } from '../ports.js'
import { drainingKey, serverName } from '../serverChanges.js'
import { pickText, serverAbout } from './serverText.js'
import { ipvsTexts } from './texts.js'

/** Connections so far, by the name of a virtual server, or of one of its real servers (see `drainingKey`). */
export type Connections = ReadonlyMap<string, number>

/** A virtual server as a chain whose rules are its scheduler, and its real servers with their connections. */
export function explainServer(
  server: PortServer,
  port: ServicePort,
  found: readonly FoundServer[],
  connections: Connections,
  language: Language,
): ExplainedChain {
  const name = serverName(server)
  const known = found.find((one) => serverName(one) === name)
  const expected = serverFlags({ ...server, mhPort: server.scheduler === 'mh' })
  const texts = ipvsTexts[language]
  const why = pickText(server, language)
  const count = (real: string) => connections.get(drainingKey(server, real))
  return {
    ...{ table: 'ipvs', chain: name, about: serverAbout(server, port, language) },
    rules: [
      compared(expected, known && serverFlags(known), why, connections.get(name)),
      ...server.realServers.map((text) => {
        const real = known?.realServers.find((one) => one.text === text)
        const there = real && realSpec(real)
        return compared(realSpec({ text, weight: 1 }), there, texts.endpoint, count(text))
      }),
      ...(known?.realServers ?? [])
        .filter(({ text }) => !server.realServers.includes(text))
        .map((real) => leftOver(real, server.protocol, count(real.text), language)),
    ],
  }
}

/** A virtual server that no Service uses. */
export function unusedServer(
  server: FoundServer,
  connections: Connections,
  language: Language,
): ExplainedChain {
  const rule = (spec: string, key: string): ExplainedRule => ({
    ...{ state: 'extra', spec, ...counted(connections.get(key)) },
    why: ipvsTexts[language].unusedServer,
  })
  const name = serverName(server)
  return {
    ...{ table: 'ipvs', chain: name, about: '' },
    rules: [
      rule(serverFlags(server), name),
      ...server.realServers.map((real) => rule(realSpec(real), drainingKey(server, real.text))),
    ],
  }
}

function compared(
  expected: string,
  there: string | undefined,
  why: string,
  count: number | undefined,
): ExplainedRule {
  if (there === undefined) return { state: 'missing', spec: expected, why }
  if (there === expected) return { state: 'expected', spec: there, ...counted(count), why }
  return { state: 'different', spec: there, expected, ...counted(count), why }
}

/** Over TCP a removed server gets weight 0, and stays while it has connections. */
function leftOver(
  real: FoundRealServer,
  protocol: string,
  count: number | undefined,
  language: Language,
): ExplainedRule {
  const texts = ipvsTexts[language]
  const spec = realSpec(real)
  if (protocol !== 'tcp' || real.weight !== 0)
    return { state: 'extra', spec, ...counted(count), why: texts.noEndpoint }
  return { state: 'expected', spec, ...counted(count), why: texts.draining(real.connections) }
}

function realSpec({ text, weight }: Pick<FoundRealServer, 'text' | 'weight'>): string {
  return `-r ${text} -m -w ${weight}`
}

function counted(packets: number | undefined): { readonly packets?: number } {
  return packets === undefined ? {} : { packets }
}
