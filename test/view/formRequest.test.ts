import t from 'tap'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
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

t.test('the first request passes in a healthy lab', async (t) => {
  const usual = (lab: string) => usualRequest(snapshotOf(prepareLab(`labs/${lab}`)).model.view)
  t.match(usual('nodeport'), { from: 'client', to: '{node-a}:30080', protocol: 'http' })
  t.match(usual('clusterip'), { from: /^(?!client$)/, to: /^10\.96\./ })
})
