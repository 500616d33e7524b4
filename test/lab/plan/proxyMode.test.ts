import t from 'tap'
import { OwnModeError } from '../../../src/errors.js'
import { labProxyMode, stepsInMode } from '../../../src/lab/plan/proxyMode.js'
import type { Lab, Step } from '../../../src/lab/types.js'
import { labWith } from '../fixture.js'

const lab = (rest: Partial<Lab> = {}, steps: Parameters<typeof labWith>[0] = []): Lab => ({
  ...labWith(steps),
  ...rest,
})
const command = (...argv: string[]) => ({ action: { kind: 'command', argv, timeoutSeconds: 5 } }) as const

t.test('the mode is that asked for, or what the lab says in either place', (t) => {
  t.equal(labProxyMode(lab(), undefined), undefined)
  t.equal(labProxyMode(lab(), 'nftables'), 'nftables')
  t.equal(labProxyMode(lab({ proxy: { mode: 'nftables' } }), undefined), 'nftables')
  t.equal(labProxyMode(lab({ kubeProxy: { mode: 'nftables' } }), undefined), 'nftables')
  t.equal(labProxyMode(lab({ kubeProxy: { mode: 'ipvs' } }), undefined), 'ipvs')
  t.throws(
    () => labProxyMode(lab({ proxy: { mode: 'iptables' }, kubeProxy: { mode: 'nftables' } }), undefined),
    { message: /"kubeProxy.mode" is nftables, but "proxy.mode" is iptables/ },
  )
  t.end()
})

t.test('a lab that would say what is not so in a mode cannot be asked for it', (t) => {
  const refused = (of: Lab, reason: RegExp) => {
    t.throws(() => labProxyMode(of, 'nftables'), OwnModeError)
    t.throws(() => labProxyMode(of, 'nftables'), { message: reason })
  }
  refused(lab({ kubeProxy: false }), /no kube-proxy/)
  refused(lab({ proxy: { mode: 'iptables' } }), /about mode iptables/)
  refused(lab({ proxy: { modes: ['iptables'] } }), /about mode iptables/)
  refused(
    lab({}, [{ name: 'looks', ...command('sh', '-c', 'ip6tables-save | wc -l') }]),
    /"looks" runs iptables/,
  )
  refused(lab({}, [command('cat', '/proc/net/xt_recent/KUBE-SEP-X')]), /runs iptables/)
  t.equal(labProxyMode(lab({}, [command('ip', 'route')]), 'nftables'), 'nftables')
  const own = command('iptables', '-I', 'INPUT', '-p', 'tcp', '--dport', '8081', '-j', 'REJECT')
  t.equal(labProxyMode(lab({}, [own]), 'nftables'), 'nftables', 'a rule of its own in INPUT')
  refused(lab({}, [command('iptables', '-I', 'KUBE-SERVICES', '-j', 'ACCEPT')]), /runs iptables/)
  t.equal(labProxyMode(lab({ proxy: { modes: ['iptables', 'nftables'] } }), 'nftables'), 'nftables')
  t.end()
})

t.test('checks about rules are left out in a mode that they were not written for', (t) => {
  const of = lab({}, [
    { expect: { answered: true, chains: { hit: 'KUBE-SERVICES' } } },
    { expect: { rules: { added: 'KUBE-SEP-*' } } },
    { expect: { rules: { unchanged: true } } },
  ])
  t.match(stepsInMode(of, 'nftables'), {
    leftOut: 2,
    steps: [{ expect: { answered: true } }, { expect: {} }, { expect: { rules: { unchanged: true } } }],
  })
  t.notOk('chains' in (stepsInMode(of, 'nftables').steps[0]?.expect ?? {}))
  t.same(stepsInMode(of, undefined), { leftOut: 0, steps: of.steps })
  t.equal(stepsInMode({ ...of, proxy: { mode: 'nftables' } }, 'nftables').leftOut, 0)
  t.end()
})

t.test('in mode userspace a request is two connections: checks of one are left out as well', (t) => {
  const expect = { status: 200, dnat: 'none', clientAddress: 'client', chains: { hit: 'KUBE-SERVICES' } }
  const of = lab({}, [
    { expect },
    { expect: { some: { servedBy: 'a', avoids: 'node-b' } } },
    { expect: { some: { servedBy: 'a' } } },
  ])
  const { leftOut, steps } = stepsInMode(of, 'userspace')
  t.equal(leftOut, 4)
  t.same(
    steps.map((step) => step.expect),
    [{ status: 200 }, {}, { some: { servedBy: 'a' } }],
  )
  t.end()
})

t.test('a step about some modes is left out in others, and evaluated in its own', (t) => {
  const both: Step['modes'] = ['iptables', 'nftables']
  const chains = { chains: { hit: 'KUBE-SERVICES' } }
  const of = lab({}, [
    { name: 'nft', modes: ['nftables'], expect: { chains: { hit: 'services' } } },
    { name: 'ipt', modes: ['iptables'], ...command('iptables-save'), expect: chains },
    { name: 'both', modes: both, expect: {} },
  ])
  const reasons = (mode?: 'nftables') => stepsInMode(of, mode).steps.map(({ leftOut }) => leftOut)
  t.same(reasons(), ['it is about mode nftables', undefined, undefined])
  t.same(reasons('nftables'), [undefined, 'it is about mode iptables', undefined])
  t.equal(stepsInMode(of, 'nftables').leftOut, 0, 'no check of a step about the mode is left out')
  const several = lab({}, [{ modes: both, expect: { ...chains, answered: true } }])
  t.equal(stepsInMode(several, 'nftables').leftOut, 1, 'no chain is one of several modes')
  t.equal(labProxyMode(of, 'nftables'), 'nftables', 'iptables is run in its own mode only')
  const other = lab({}, [{ modes: ['iptables'] }])
  t.throws(() => labProxyMode(other, 'nftables'), { message: /all of its steps are about other modes/ })
  t.end()
})
