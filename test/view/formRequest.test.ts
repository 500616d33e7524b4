import { existsSync, readdirSync } from 'node:fs'
import t from 'tap'
import { question } from '../../src/diagnose/question.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { firstRequest } from '../../src/lab/steps/firstRequest.js'
import type { Step } from '../../src/lab/types.js'
import { snapshotOf } from '../../src/snapshot/fromPlan/plannedState.js'
import { formOf, requestOf, usualRequest } from '../../src/view/page/live/formRequest.js'

const form = {
  from: 'client',
  to: '192.0.2.1:80',
  protocol: 'http',
  host: 'example.com',
  path: 'a/pings',
} as const

t.test('HTTP is a URL with the host name beside it, by which a proxy selects its backend', async (t) => {
  const request = { from: 'client', to: 'http://192.0.2.1:80/a/pings', protocol: 'tcp', host: 'example.com' }
  t.strictSame(requestOf(form), request)
  t.strictSame(requestOf({ ...form, host: '', path: '' }), {
    ...{ from: 'client', to: 'http://192.0.2.1:80/', protocol: 'tcp' },
  })
  t.match(requestOf({ ...form, to: 'https://example.com/x' }), { to: 'https://example.com/x' }, 'a URL stays')
  t.strictSame(requestOf({ ...form, protocol: 'udp' }), {
    from: 'client',
    to: '192.0.2.1:80',
    protocol: 'udp',
  })
})

t.test('a request becomes the form that makes it', async (t) => {
  for (const request of [
    requestOf(form),
    { from: 'client', to: '192.0.2.1:53', protocol: 'udp' } as const,
    { from: 'client', to: 'https://{node-a}:30080/?a=1', protocol: 'tcp' } as const,
  ])
    t.strictSame(requestOf(formOf(request)), request)
})

t.test(
  'the first request of each shipped lab can be asked for, and becomes the form that makes it',
  async (t) => {
    const names = readdirSync('labs').filter((name) => existsSync(`labs/${name}/lab.yaml`))
    const first = new Map(
      names.map((name) => {
        const prepared = prepareLab(`labs/${name}`)
        const request = firstRequest(prepared.lab)
        if (request === undefined) throw new Error(`${name}: no request`)
        const made = requestOf(formOf(request))
        t.match(made, request, name)
        t.ok(question(snapshotOf(prepared), made).packet, name)
        return [name, formOf(request)]
      }),
    )
    t.strictSame(first.get('nodeport'), {
      ...{ from: 'client', to: '{node-a}:30080', protocol: 'http', host: '', path: '/' },
    })
    t.strictSame(first.get('ingress'), {
      ...{ from: 'client', to: '{ingress-nginx-controller.external}', protocol: 'http' },
      ...{ host: 'example.com', path: '/a/pings' },
    })
    t.match(first.get('pod-network'), { to: '{pair}' }, 'before it, a port that is closed')
    t.match(first.get('external-ips'), { to: '198.51.100.10' })
    t.match(first.get('ingress-client-ip'), { to: '{node-a}:{ingress-nginx-controller.nodePort}' })
    t.match(first.get('service-changes'), { from: 'caller', to: '{service/web}' })
    t.match(first.get('gateway-canary'), { from: 'shopper', host: 'shop.example.com' })
    t.match(first.get('udp-conntrack'), { to: '{dns}:53', protocol: 'udp' })
  },
)

t.test('without a known request, one that passes in a healthy lab', async (t) => {
  const usual = (lab: string) => usualRequest(snapshotOf(prepareLab(`labs/${lab}`)).model.view)
  t.match(usual('nodeport'), { from: 'client', to: '{node-a}:30080', protocol: 'http' })
  t.match(usual('clusterip'), { from: /^(?!client$)/, to: /^10\.96\./ })
})

t.test(
  'the first request passes if one does before the lab changes, else it is the first of all',
  async (t) => {
    const step = (url: string, fails?: string) => ({
      ...{ name: url, repeat: 1, path: [], expect: fails === undefined ? {} : { fails } },
      action: { kind: 'curl', url, headers: {}, timeoutSeconds: 1 } as const,
    })
    const change = { ...step('change'), action: { kind: 'change', written: {}, changes: [] } }
    const first = (...steps: object[]) =>
      firstRequest({ ...prepareLab('labs/nodeport').lab, steps: steps as Step[] })?.to
    t.equal(first(step('http://a/', 'refused'), step('http://b/'), change), 'http://b/')
    t.equal(first(step('http://a/', 'refused'), change, step('http://b/')), 'http://a/')
    t.equal(first(change, step('http://b/')), 'http://b/')
    t.equal(first({ ...step('http://a/'), leftOut: 'of another mode' }, step('http://b/')), 'http://b/')
    t.equal(first(change), undefined)
  },
)
