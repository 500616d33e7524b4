import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { IpFamily } from '../../../../src/net/ipFamily.js'
import { parseSave, type SavedTable } from '../../../../src/netfilter/save.js'
import { parseKubeProxyConfiguration } from '../../../../src/agents/kubeProxy/parseConfig.js'
import type { ProxyInput } from '../../../../src/agents/kubeProxy/input.js'
import { goldenCases } from '../goldenCases.js'

/** One recording of the real kube-proxy in IPVS mode; both families share its lists. */
export interface IpvsCase {
  readonly name: string
  readonly input: ProxyInput
  readonly saved: Readonly<Record<IpFamily, SavedTable[]>>
  readonly ipvsadm: readonly string[]
  readonly ipset: readonly string[]
  /** Lines such as `inet 10.96.0.10/32`. */
  readonly device: readonly string[]
  readonly sysctls: Readonly<Record<string, string>>
}

const folder = 'test/golden/kube-proxy-1.36-ipvs'

/** Cases recorded on the objects of another one. */
const objectsOf: Readonly<Record<string, string>> = {
  'scheduler-lc': 'clusterip-two-endpoints',
  'strict-arp': 'loadbalancer-basic',
}

/** Every case recorded of kube-proxy 1.36 in IPVS mode, read from the project's root. */
export function ipvsCases(): IpvsCase[] {
  const objects = new Map(goldenCases().map((one) => [one.name, one.input]))
  return readdirSync(folder).map((name) => {
    const read = (file: string) => readFileSync(join(folder, name, file), 'utf8')
    const lines = (file: string) =>
      read(file)
        .split('\n')
        .filter((line) => line !== '')
    const own = objects.get(objectsOf[name] ?? name)
    if (own === undefined) throw new Error(`${name}: no objects`)
    const fields = existsSync(join(folder, name, 'config.yaml')) ? (parse(read('config.yaml')) as object) : {}
    const { config, problems } = parseKubeProxyConfiguration({
      clusterCIDR: own.config.clusterCIDR,
      ...fields,
      mode: 'ipvs',
    })
    if (problems.length > 0) throw new Error(`${name}: ${problems[0]?.message ?? ''}`)
    return {
      name,
      input: { ...own, config },
      saved: { IPv4: parseSave(read('iptables-save.txt')), IPv6: parseSave(read('ip6tables-save.txt')) },
      ipvsadm: lines('ipvsadm.txt'),
      ipset: lines('ipset.txt'),
      device: lines('kube-ipvs0.txt'),
      sysctls: Object.fromEntries(lines('sysctl.txt').map((line) => line.split(' = ') as [string, string])),
    }
  })
}
