import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { frontendsOf, frontendText, type Frontend } from '../../../src/host/kubeProxy/frontends.js'
import type { ModeEvidence } from '../../../src/host/proxier/liveMode.js'
import { liveModeOf } from '../../../src/host/proxier/liveModes.js'
import type { ModeName } from '../../../src/agents/kubeProxy/config.js'
import { goldenCases } from '../../agents/kubeProxy/goldenCases.js'

const files = {
  iptables: { IPv4: 'iptables-save.txt', IPv6: 'ip6tables-save.txt' },
  nftables: { IPv4: 'nft-ip.txt', IPv6: 'nft-ip6.txt' },
} as const

function evidenceOf(mode: ModeName): ModeEvidence {
  const { evidence } = liveModeOf(mode)
  if (evidence === undefined) throw new Error(`no binary has the mode ${mode}`)
  return evidence
}

function missingFrontends(mode: ModeName, answer: string, frontends: readonly Frontend[]): Frontend[] {
  const isThere = evidenceOf(mode).read(answer)
  return frontends.filter((frontend) => !isThere(frontend))
}

for (const mode of ['iptables', 'nftables'] as const) {
  t.test(`${mode}: what a real kube-proxy left shows each of its frontends`, async (t) => {
    let seen = 0
    const wrong: string[] = []
    for (const { name, input } of goldenCases()) {
      for (const family of ['IPv4', 'IPv6'] as const) {
        const path = join('test/golden/kube-proxy-1.36', name, files[mode][family])
        if (!existsSync(path)) continue
        const answer = readFileSync(path, 'utf8')
        const frontends = frontendsOf(input, [family])
        seen += frontends.length
        const missing = missingFrontends(mode, answer, frontends)
        const others = frontends.map((frontend) => ({ ...frontend, port: frontend.port + 1000 }))
        const missingOthers = missingFrontends(mode, answer, others)
        const seenOthers = others.filter((other) => !missingOthers.includes(other))
        const seenWithout = frontends.filter((frontend) => {
          const cut = answer.split('\n').filter((line) => !line.includes(frontend.address))
          return missingFrontends(mode, cut.join('\n'), [frontend]).length === 0
        })
        for (const [what, found] of Object.entries({ missing, seenOthers, seenWithout }))
          wrong.push(...found.map((frontend) => `${name}: ${what} ${frontendText(frontend)}`))
      }
    }
    t.strictSame(wrong, [], 'missing, seen with another port, or seen without the lines of its address')
    t.ok(seen > 50, `${seen} frontends`)
  })
}

const frontend: Frontend = {
  family: 'IPv4',
  address: '10.96.0.10',
  protocol: 'tcp',
  port: 80,
  hasEndpoints: true,
}

t.test('a REJECT is enough only where there are no endpoints', async (t) => {
  const rejected =
    '-A KUBE-SERVICES -d 10.96.0.10/32 -p tcp -m comment --comment "lab/web has no endpoints" -m tcp --dport 80 -j REJECT --reject-with icmp-port-unreachable'
  t.strictSame(missingFrontends('iptables', rejected, [frontend]), [frontend])
  t.strictSame(missingFrontends('iptables', rejected, [{ ...frontend, hasEndpoints: false }]), [])
})

t.test('in IPVS mode the address stands on kube-ipvs0', async (t) => {
  const answer = '4: kube-ipvs0    inet 10.96.0.10/32 scope global kube-ipvs0\\       valid_lft forever\n'
  t.strictSame(missingFrontends('ipvs', answer, [frontend]), [])
  const shorter = { ...frontend, address: '10.96.0.1' }
  t.strictSame(missingFrontends('ipvs', answer, [shorter]), [shorter])
})

t.test('each mode has its own command', async (t) => {
  const iptables = {
    backend: 'legacy',
    version: '1.8.9',
    randomFully: true,
    program: (family: string, what?: string) => `${family}-${what}`,
  } as const
  t.strictSame(evidenceOf('iptables').command('IPv6', iptables), ['IPv6-save'])
  t.strictSame(evidenceOf('nftables').command('IPv6', iptables), [
    'nft',
    'list',
    'table',
    'ip6',
    'kube-proxy',
  ])
  t.strictSame(evidenceOf('ipvs').command('IPv4', iptables).slice(0, 3), ['ip', '-o', '-4'])
})

t.test('an IPv6 address stands in brackets', async (t) => {
  t.equal(frontendText({ ...frontend, family: 'IPv6', address: 'fd00:10:96::a' }), '[fd00:10:96::a]:80/tcp')
})
