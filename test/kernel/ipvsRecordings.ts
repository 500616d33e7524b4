import type { Test } from 'tap'
import type { IpFamily } from '../../src/net/ipFamily.js'
import { canonicalLines } from '../netfilter/canonicalLines.js'
import { parseSave } from '../../src/netfilter/save.js'
import { commandScript } from '../../src/agents/kubeProxy/ipvs/commands.js'
import { foundIpvs, type FoundIpvs, type IpvsListing } from '../../src/agents/kubeProxy/ipvs/found.js'
import { buildIpvs } from '../../src/agents/kubeProxy/ipvs/state.js'
import { ipvsSync } from '../../src/agents/kubeProxy/ipvs/sync.js'
import { ipvsSysctls } from '../../src/agents/kubeProxy/sysctls.js'
import type { IpvsCase } from '../agents/kubeProxy/ipvs/goldenIpvs.js'
import { writeFile } from './ipvsMachine.js'

const families = ['IPv4', 'IPv6'] as const
const noMemory = { draining: new Set<string>(), first: true, excludeCIDRs: [] }

/** What prints the parts of a listing, and what the recordings hold besides. */
const listings = {
  saved: 'ipvsadm -S -n',
  servers: 'ipvsadm -L -n',
  sets: 'ipset save',
  addresses: 'ip -o address show',
  device: 'ip -o link show dev kube-ipvs0',
  IPv4: 'iptables-save -t nat; iptables-save -t filter',
  IPv6: 'ip6tables-save -t nat; ip6tables-save -t filter',
} as const

/** A script that loads each recording's objects into a network namespace of its own, and prints what stands then. */
export function recordingsScript(cases: readonly IpvsCase[]): string {
  const one = ({ name, input, sysctls }: IpvsCase) => {
    const commands = [
      {
        argv: ['sysctl', '--quiet', '--load=-'] as const,
        input: Object.entries(ipvsSysctls(input))
          .map(([key, value]) => `${key} = ${value}\n`)
          .join(''),
      },
      ...families.flatMap((family) => ipvsSync(emptyNode(family), wanted(input, family), noMemory).commands),
    ]
    const shown = { ...listings, sysctls: `sysctl ${Object.keys(sysctls).join(' ')}` }
    const text = [
      `echo '=== ${name} errors'; exec 2>&1`,
      // the kernel refuses real servers in a namespace without any address
      'ip link set lo up',
      commandScript(commands),
      ...Object.entries(shown).map(([part, command]) => `echo '=== ${name} ${part}'; ${command}`),
    ]
    return `${writeFile('case.sh', text.join('\n'))}unshare --net sh case.sh\n`
  }
  return [
    'folder=$(mktemp -d); cd "$folder"',
    ...cases.map(one),
    'cd - >/dev/null; rm -r "$folder"',
    '',
  ].join('\n')
}

/** Holds what stood after a recording's objects were loaded against the recording. */
export function checkRecording(t: Test, recorded: IpvsCase, sections: ReadonlyMap<string, string>): void {
  const { name, input } = recorded
  const section = (part: string) => sections.get(`${name} ${part}`) ?? ''
  t.equal(section('errors').trim(), '', `${name}: all of it loads`)
  t.same(sorted(section('saved')), sorted(recorded.ipvsadm.join('\n')), `${name}: virtual servers`)
  const sets = section('sets').replaceAll(/ initval 0x[0-9a-f]+/g, '')
  t.same(sorted(sets), sorted(recorded.ipset.join('\n')), `${name}: sets`)
  t.same(addressesOf(section('addresses')), [...recorded.device].sort(), `${name}: addresses of kube-ipvs0`)
  t.match(section('device'), /<BROADCAST,NOARP> .* state DOWN/, `${name}: which is not up`)
  t.same(sorted(section('sysctls')), sorted(sysctlText(recorded)), `${name}: sysctls`)
  for (const family of families) {
    t.same(
      canonicalLines(parseSave(section(family))),
      canonicalLines(recorded.saved[family]),
      `${name}: rules of ${family}`,
    )
    const listing: IpvsListing = {
      addresses: section('addresses'),
      device: section('device'),
      servers: section('servers'),
      sets: section('sets'),
      rules: section(family),
    }
    const again = ipvsSync(foundIpvs(listing, family), wanted(input, family), noMemory)
    t.same(again.commands, [], `${name}: a restarted kube-proxy writes nothing in ${family}`)
  }
}

const wanted = (input: IpvsCase['input'], family: IpFamily) => buildIpvs(input, family)

/** Both families share the device: the first one makes it. */
function emptyNode(family: IpFamily): FoundIpvs {
  const nothing = { servers: [], sets: new Map(), bound: [], elsewhere: [], tables: [] }
  return { ...nothing, device: family === 'IPv6' }
}

function sorted(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .sort()
}

function addressesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, device]) => device === 'kube-ipvs0')
    .map(([, , kind, address]) => `${kind} ${address}`)
    .sort()
}

function sysctlText({ sysctls }: IpvsCase): string {
  return Object.entries(sysctls)
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n')
}
