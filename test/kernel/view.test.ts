import { basename } from 'node:path'
import t from 'tap'
import { observerTable } from '../../src/netfilter/trace/observer.js'
import type {
  LiveLab,
  LivePacket,
  NodeRules,
  PlaceDetails,
  RequestOutcome,
  RequestRun,
} from '../../src/view/live/api.js'
import { readPcapng } from '../packets/readPcapng.js'
import { until } from '../until.js'
import { cannotRun } from './ability.js'
import { copyOfLab, start } from './commandLine.js'
import { inLab } from './inLab.js'
import { vethlab } from './servedCommands.js'
import { browse, eventsOf, viewLab } from './viewLab.js'

t.test('the page of a running lab', { skip: cannotRun }, async (t) => {
  const { lab, server, url } = await viewLab(t)
  const first = await browse(url)
  const { url: invitation } = (await (await first.call('/invitations', {})).json()) as { url: string }
  const second = await browse(invitation)
  const now = (await (await first.call('/lab')).json()) as LiveLab
  t.match(now, { lab, mode: 'iptables', places: { client: { kind: 'client', interfaces: ['lo', 'eth0'] } } })

  await t.test('a request is sent once, and every browser gets its path', async (t) => {
    const request = { from: 'client', to: 'http://{node-a}:30080/', protocol: 'tcp' }
    const answer = await first.call('/requests', request)
    const run = (await answer.json()) as RequestRun
    t.match(run, { id: 1, request, result: { outcome: 'HTTP 200', differences: [] } })
    const { path, ...result } = run.result as RequestOutcome
    t.match(path, { basis: 'trace', path: { end: { kind: 'answered' } } })
    t.match(result.answer, { status: 200, pod: /^default\/my-app-/, body: /my-app/ })
    await until(() => eventsOf(second, 'request').length === 4)
    const [objects, reading, tracing, ended] = eventsOf(second, 'request')
    t.match([objects?.phase, reading?.phase, tracing?.phase], ['reading', 'reading', 'tracing'])
    t.equal(reading?.places, Object.keys(now.places).length)
    const listed = { ...run, result }
    t.strictSame(ended, listed)
    t.strictSame(await (await second.call('/requests')).json(), [listed])
  })

  await t.test('every browser gets the packets of all places, and what was rewritten', async (t) => {
    const seen = () => eventsOf(second, 'packets').flatMap(({ packets }) => packets)
    const atPod = ({ netns, summary }: LivePacket) => netns.startsWith('my-app') && summary === 'GET /'
    t.ok(await until(() => seen().some(atPod)), 'the request at the pod')
    const request = seen().find(atPod)
    const path = seen()
      .filter(({ packet }) => packet === request?.packet)
      .toSorted((a, b) => a.time - b.time)
    t.match(path[0], { netns: 'client', interface: 'eth0', direction: 'out', rewritten: [] })
    t.match(path.at(-1), { rewritten: ['source', 'destination'], destination: { port: 80 } })
    t.ok(path.some(({ netns }) => netns === 'node-a'))
    // what a busy host captures late comes with a later event
    for (const { packets } of eventsOf(second, 'packets')) {
      const times = packets.map(({ time }) => time)
      t.strictSame(
        times,
        times.toSorted((a, b) => a - b),
      )
    }
    const ofFirst = () =>
      eventsOf(first, 'packets').flatMap(({ packets }) =>
        packets.filter((one) => one.packet === request?.packet),
      )
    t.ok(await until(() => ofFirst().length >= path.length))
    t.strictSame(
      ofFirst().toSorted((a, b) => a.time - b.time),
      path,
    )
    const link = '/links/client/eth0'
    const keptNow = async () => (await (await first.call(`${link}/packets`)).json()) as LivePacket[]
    const kept = await keptNow()
    const pcap = await first.call(`${link}/pcap`)
    t.equal(pcap.headers.get('content-disposition'), 'attachment; filename="client-eth0.pcapng"')
    const { interfaces, packets } = readPcapng(Buffer.from(await pcap.arrayBuffer()))
    t.match(interfaces, [{ name: 'client:eth0' }])
    // what a busy host captures late may come between the questions
    const between = [kept.length, packets.length, (await keptNow()).length]
    t.strictSame(
      between,
      between.toSorted((a, b) => a - b),
    )
    t.ok(kept.some(({ summary }) => summary === 'GET /'))
  })

  await t.test('a prediction sends nothing, and has every path', async (t) => {
    const request = { from: 'client', to: '{node-a}:30080', protocol: 'tcp', predict: true }
    const run = (await (await first.call('/requests', request)).json()) as RequestRun
    const { outcome, paths } = run.result as RequestOutcome
    t.equal(outcome, undefined)
    t.strictSame(
      paths.map(({ probability }) => probability),
      [0.5, 0.5],
    )
    const [last] = ((await (await first.call('/requests')).json()) as RequestRun[]).toReversed()
    t.match(last, { id: run.id, result: { passed: true } })
    t.notOk(last?.result !== undefined && 'path' in last.result, 'a list has no paths')
    const read = await Promise.all([0, 1].map((n) => first.call(`/requests/${run.id}/paths/${n}`)))
    const ends = (await Promise.all(read.map((one) => one.json()))) as { path: { end: { reason: string } } }[]
    t.strictSame(
      ends.map(({ path }) => path.end.reason),
      paths.map(({ end }) => end),
    )
    t.equal((await first.call(`/requests/${run.id}/paths/2`)).status, 404)
    const why = await first.call('/why', request)
    t.match(await why.json(), { lab, outcome: 'passes' })
  })

  await t.test('requests and paths that are not valid', async (t) => {
    const status = async (path: string, body?: unknown) => {
      const answer = await first.call(path, body)
      return [answer.status, ((await answer.json()) as { error: string }).error] as const
    }
    const request = { from: 'client', to: '{node-a}:30080', protocol: 'tcp' }
    t.match(await status('/requests', { ...request, from: 'nobody' }), [400, /nobody/])
    t.match(await status('/requests', { ...request, to: '{node-a}' }), [400, /has no port/])
    t.match(await status('/requests', { ...request, protocol: 'gre' }), [400, /"protocol"/])
    t.match(await status('/requests', { ...request, without: ['x'] }), [400, /does not name a rule/])
    t.match(await status('/requests/999/paths/0'), [404, /path 0 of request 999 is not known/])
    t.match(await status('/links/client/eth9/pcap'), [404, /no link/])
    t.match(await status('/places/__proto__'), [404, /no place/])
  })

  await t.test('a place has its addresses, routes, sockets and connections', async (t) => {
    const details = async (netns: string) =>
      (await (await first.call(`/places/${netns}`)).json()) as PlaceDetails
    const node = await details('node-a')
    t.match(node, { kind: 'node', name: 'node-a', netns: 'node-a' })
    t.ok(node.addresses.some((one) => one.interface === 'eth0' && one.address === '172.18.0.2/16'))
    t.ok(node.routes.some((route) => route.startsWith('10.244.2.0/24 via 172.18.0.3')))
    // a connection that stays open: the entry of one that has ended expires
    const holds = `require('net').connect(30080, '172.18.0.2', () => console.log('it is open'))`
    const open = start(['exec', lab, 'client', '--', process.execPath, '-e', holds])
    await open.says('it is open')
    const { conntrack } = await details('node-a')
    open.kill('SIGTERM')
    await open.ended
    const entry = conntrack.find(
      ({ original, state }) => original.destination === '172.18.0.2:30080' && state === 'ESTABLISHED',
    )
    t.match(entry, { protocol: 'tcp', reply: { source: /^10\.244\.\d\.2:80$/ } })
    const pod = await details(now.topology.pods[0]?.name ?? '')
    t.ok(pod.sockets.some(({ state, local }) => state === 'LISTEN' && local.endsWith(':80')))
  })

  await t.test('rules have counters, and are switched off and on in the kernel', async (t) => {
    const rules = '/nodes/node-a/rules'
    const before = (await (await first.call(rules)).json()) as NodeRules
    const postrouting = ({ chains }: NodeRules) =>
      chains.find(({ chain }) => chain === 'KUBE-POSTROUTING')?.rules ?? []
    const [unmarked, mark, masquerade] = postrouting(before)
    t.match(before, { node: 'node-a', family: 'IPv4', mode: 'iptables', isLive: true })
    t.match(masquerade, { owner: 'kube-proxy', isOff: false, explanation: /rewrites the source/ })
    t.ok((masquerade?.packets ?? 0) > 0, 'the request was masqueraded')
    const kernel = async () =>
      (await inLab(lab, 'node-a', ['iptables', '-t', 'nat', '-S', 'KUBE-POSTROUTING'])).stdout
    const own = await kernel()
    const turn = async (id: string | undefined, off: boolean) => {
      const answer = await first.call(rules, { family: 'IPv4', id, off })
      return postrouting((await answer.json()) as NodeRules).map(({ isOff }) => isOff)
    }
    t.strictSame(await turn(unmarked?.id, true), [true, false, false])
    t.strictSame(await turn(mark?.id, true), [true, true, false])
    t.equal((await kernel()).split('\n').length, own.split('\n').length - 2)
    t.ok(await until(() => eventsOf(second, 'rules').length === 2))
    t.strictSame(await turn(unmarked?.id, false), [false, true, false])
    t.strictSame(await turn(mark?.id, false), [false, false, false])
    t.equal(await kernel(), own, 'they are where they were')
    const other = (await (await first.call(`${rules}?mode=nftables`)).json()) as NodeRules
    t.match(other, { mode: 'nftables', isLive: false })
    t.ok(other.chains.some(({ table, hook }) => table === 'ip kube-proxy' && hook === 'prerouting'))
    t.equal((await first.call(rules, { family: 'IPv4', id: 'x', off: true })).status, 404)
    t.equal((await first.call(`${rules}?family=IPv6`)).status, 400)
    t.equal((await first.call('/nodes/client/rules')).status, 404)
  })

  await t.test('a restart of kube-proxy writes again what is missing', async (t) => {
    const iptables = (...args: string[]) => inLab(lab, 'node-a', ['iptables', '-t', 'nat', ...args])
    await iptables('-F', 'KUBE-NODEPORTS')
    t.notMatch((await iptables('-S', 'KUBE-NODEPORTS')).stdout, '--dport 30080')
    t.equal((await first.call('/nodes/node-a/kube-proxy', {})).status, 200)
    t.match((await iptables('-S', 'KUBE-NODEPORTS')).stdout, '--dport 30080')
    t.equal((await first.call('/nodes/node-x/kube-proxy', {})).status, 404)
  })

  await t.test('objects are read, changed and watched by the Kubernetes API', async (t) => {
    const service = '/kubernetes/api/v1/namespaces/default/services/my-nodeport-service'
    const headers = { 'content-type': 'application/merge-patch+json' }
    const patch = (value: unknown) =>
      first.call(service, { metadata: { labels: { hostile: value } } }, { method: 'PATCH', headers })
    t.match(await (await first.call(service)).json(), { kind: 'Service' })
    const watched = await first.call('/kubernetes/api/v1/services?watch=1&resourceVersion=0')
    const events = watched.body?.pipeThrough(new TextDecoderStream()).getReader()
    t.match(await (await patch('a"b\n')).json(), { kind: 'Status', code: 422 })
    t.equal((await patch('a.b')).status, 200)
    let text = ''
    while (!text.includes('"MODIFIED"')) text += (await events?.read())?.value ?? ''
    t.match(text, /"hostile":"a\.b"/)
    await events?.cancel()
    t.equal((await first.call('/kubernetes/api/v1/nothing')).status, 404)
  })

  await t.test('a new pod is shown, and its packets', async (t) => {
    t.equal(
      (await vethlab(['kubectl', '--built-in', lab, 'scale', 'deployment/my-app', '--replicas', '3'])).code,
      0,
    )
    const last = () => eventsOf(first, 'lab').at(-1)
    t.ok(await until(() => last()?.topology.pods.length === 3))
    const before = now.topology.pods.map(({ name }) => name)
    const added = last()?.topology.pods.find(({ name }) => !before.includes(name))
    const link = `/links/${added?.name}/eth0/packets`
    t.ok(await until(async () => (await first.call(link)).status === 200))
  })

  await t.test('it ends with the lab', async (t) => {
    t.equal((await vethlab(['down', lab])).code, 0)
    t.match(await server.ended, { code: 0, stderr: /has ended/ })
    t.strictSame(await Promise.all([first.ended, second.ended]), [true, true])
    for (const browser of [first, second])
      t.strictSame(eventsOf(browser, 'end'), [{ reason: 'the lab was removed' }])
  })
})

t.test('Ctrl-C ends the server, and puts back the rules', { skip: cannotRun }, async (t) => {
  const { lab, server, url } = await viewLab(t, { up: ['--mode', 'nftables'] })
  const browser = await browse(url)
  const chain = ['chain', 'ip', 'kube-proxy', 'masquerading']
  const list = async () => (await inLab(lab, 'node-a', ['nft', '-s', 'list', ...chain])).stdout
  const before = await list()
  const { chains } = (await (await browser.call('/nodes/node-a/rules')).json()) as NodeRules
  const [rule] = chains.find(({ chain }) => chain === 'masquerading')?.rules ?? []
  const change = { family: 'IPv4', id: rule?.id, off: true }
  t.equal((await browser.call('/nodes/node-a/rules', change)).status, 200)
  t.not(await list(), before)
  server.kill('SIGINT')
  t.match(await server.ended, { code: 130 })
  t.equal(await browser.ended, true)
  t.strictSame(eventsOf(browser, 'end'), [{ reason: 'vethlab view has ended' }])
  t.equal(await list(), before)
})

t.test('Ctrl-C ends requests, and removes what traces them', { skip: cannotRun }, async (t) => {
  const { lab, server, url } = await viewLab(t)
  const browser = await browse(url)
  // an address that no host has: the first lasts until the kernel gives up, the second waits for it
  const request = { from: 'client', to: 'http://172.18.9.9/', protocol: 'tcp' }
  const answers = [1, 2].map(() => browser.call('/requests', request).catch(() => undefined))
  const tables = async () => (await inLab(lab, 'node-a', ['nft', 'list', 'tables'])).stdout
  t.ok(await until(async () => (await tables()).includes(observerTable)), 'the first is traced')
  server.kill('SIGINT')
  t.match(await server.ended, { code: 130 })
  t.notMatch(await tables(), observerTable, 'its tables are gone')
  await Promise.all(answers)
  t.equal(await browser.ended, true)
  t.strictSame(eventsOf(browser, 'end'), [{ reason: 'vethlab view has ended' }])
})

t.test('a page that is read-only changes no objects and rules', { skip: cannotRun }, async (t) => {
  const { lab, url } = await viewLab(t, { view: ['--read-only'] })
  const browser = await browse(url)
  const pods = '/kubernetes/api/v1/namespaces/default/pods'
  t.equal((await browser.call(pods)).status, 200)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    t.equal((await browser.call(`${pods}/x`, {}, { method })).status, 403, method)
  const change = { family: 'IPv4', id: 'x', off: true }
  t.equal((await browser.call('/nodes/node-a/rules', change)).status, 403)
  t.equal((await browser.call('/nodes/node-a/kube-proxy', {})).status, 403)
  t.match(await (await browser.call('/lab')).json(), { lab, readOnly: true })
})

t.test('what cannot be served', { skip: cannotRun }, async (t) => {
  const none = await vethlab(['view', 'nowhere'])
  t.match(none, { code: 2, stderr: /the lab "nowhere" is not running/ })
  const open = await vethlab(['view', 'nowhere', '--listen', '0.0.0.0'])
  t.match(open, { code: 2, stderr: /other hosts can reach 0\.0\.0\.0.*--insecure-listen/ })
})

t.test('up --view serves the page, and Ctrl-C leaves the lab up', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  t.teardown(() => vethlab(['down', lab]))
  const server = start(['up', path, '--view'])
  t.teardown(() => server.kill('SIGKILL'))
  const [url = ''] = /http:\S+token=\S+/.exec(await server.says('token=')) ?? []
  const browser = await browse(url)
  t.match(await (await browser.call('/lab')).json(), { lab })
  server.kill('SIGINT')
  t.match(await server.ended, { code: 130 })
  t.match(await vethlab(['ps']), { code: 0, stdout: new RegExp(`^${lab} `, 'm') })
})
