import t from 'tap'
import { checkSummary } from '../../src/diagnose/check/checkText.js'
import { check } from '../../src/diagnose/check/check.js'
import { readAttachedSnapshot } from '../../src/inspect/attached.js'
import type { CheckResult } from '../../src/diagnose/check/types.js'
import type { Snapshot } from '../../src/snapshot/model/snapshot.js'
import { createEventStreams } from '../../src/host/view/eventStreams.js'
import { HttpError } from '../../src/host/view/httpError.js'
import { createLiveRequests } from '../../src/view/live/liveRequests.js'
import type { RequestRun } from '../../src/view/live/api.js'
import { podCallers } from '../../src/view/live/podCallers.js'
import { readLab, readPlaceDetails, readRules } from '../../src/view/live/readCluster.js'
import { requestDocument } from '../../src/view/report/tracedRequest.js'
import { foundSteps } from '../../src/view/report/foundSteps.js'
import { pageRoutes } from '../../src/view/live/liveRoutes.js'

let snapshot: Snapshot
let found: CheckResult

t.before(async () => {
  ;({ snapshot } = await readAttachedSnapshot('test/golden/bundles/dump-target-port/bundle'))
  found = check(snapshot)
})

t.test('each finding of the page can be asked, and the request fails as it says', async (t) => {
  const lab = readLab(snapshot, found)
  const now = () => Promise.resolve(snapshot)
  const seen: RequestRun[] = []
  const requests = createLiveRequests(
    { name: lab.lab, planned: now, now },
    new AbortController().signal,
    (run) => seen.push(run),
  )
  t.match(lab, { title: 'bundle', readOnly: true, mode: 'iptables', backend: 'attached files' })
  const [finding] = lab.findings ?? []
  t.match(finding, {
    isRisk: false,
    says: /no container of blog-\S+ declares tcp port 8080; it declares: 80/,
    affects: 4,
  })
  const { request } = finding ?? {}
  if (request === undefined) throw new Error('the finding has no request')
  const { result } = await requests.run(request)
  if (result === undefined || 'error' in result) throw new Error('the request has no result')
  t.match(result.flow, { outcome: 'refused' })
  t.match(result.path, { basis: 'attached' }, 'the page says what it is predicted from')
  t.match(
    seen,
    [{ phase: 'reading' }, { phase: 'predicting' }, { result: { passed: false } }],
    'pages see what it does',
  )
  t.notOk(JSON.stringify([seen, requests.all()]).includes('"hops":[{'), 'events and lists have no paths')
  t.strictSame(requests.path('1', '0'), result.path)
  t.throws(() => requests.path('1', '99'), { message: /path 99 of request 1 is not known/ })
  t.match(await requests.why(request), { findings: [{ changes: [{ says: /targetPort/ }] }] })
  await t.rejects(
    requests.run({ ...request, predict: false }),
    new HttpError(400, 'nothing runs here that could get a packet', 'predict the request'),
  )
})

t.test('rules are those of the files, and of another mode those that kube-proxy would write', async (t) => {
  const rules = readRules(snapshot, readLab(snapshot, found))
  const own = await rules.read('worker-1', new URLSearchParams())
  const texts = own.chains.flatMap((chain) => chain.rules.map(({ text }) => text))
  t.match(own, { mode: 'iptables', isLive: true, family: 'IPv4' })
  t.ok(texts.some((text) => text.includes('10.43.119.155/32')))
  const other = await rules.read('worker-1', new URLSearchParams({ mode: 'nftables' }))
  t.match(other, { mode: 'nftables', isLive: false })
  t.ok(other.chains.some(({ table }) => table === 'ip kube-proxy'))
  t.throws(
    () => void rules.read('worker-9', new URLSearchParams()),
    new HttpError(404, 'there is no node worker-9'),
  )
  t.throws(
    () => void rules.read('worker-1', new URLSearchParams({ mode: 'x' })),
    new HttpError(400, 'the modes are iptables, nftables, ipvs, userspace'),
  )
})

t.test('places have the addresses and routes that were read', async (t) => {
  const lab = readLab(snapshot, found)
  const place = lab.places['worker-1']
  if (place === undefined) throw new Error('there is no worker-1')
  const details = readPlaceDetails(snapshot, 'worker-1', place)
  t.ok(details.addresses.some(({ address }) => address.startsWith('192.168.50.11/')))
  t.ok(details.routes.length > 0)
})

t.test('a page about files has no route of a running lab', async (t) => {
  const lab = readLab(snapshot, found)
  const now = () => Promise.resolve(snapshot)
  const streams = createEventStreams()
  t.teardown(() => streams.end())
  const routes = pageRoutes({
    ...{ lab: () => lab, streams, rules: readRules(snapshot, lab) },
    requests: createLiveRequests(
      { name: '', planned: now, now },
      new AbortController().signal,
      () => undefined,
    ),
    callers: (netns) => Promise.resolve(podCallers(snapshot, netns)),
    details: (netns, place) => Promise.resolve(readPlaceDetails(snapshot, netns, place)),
  })
  const paths = routes.map(({ method, path }) => `${method} ${path}`)
  t.ok(paths.includes('POST /api/v1/why'))
  for (const word of ['terminals', 'kubernetes', 'links', 'kube-proxy'])
    t.notOk(
      paths.some((path) => path.includes(word)),
      word,
    )
})

t.test(
  'the report has a step for each finding, with its lines, its cause and the failing path',
  async (t) => {
    const steps = foundSteps(snapshot, found)
    t.equal(steps.length, found.findings.length)
    t.match(steps[0], {
      step: {
        ok: false,
        name: /declares tcp port 8080/,
        flowCount: 2,
      },
      why: { findings: [{ changes: [{ says: /targetPort: 8080 → 80/, command: /^kubectl / }] }] },
      paths: [{ basis: 'attached' }, {}],
    })
    const risk = {
      ...found,
      findings: [{ says: 'a risk', note: true as const, code: 'x', affects: [], fixes: [] }],
    }
    t.match(foundSteps(snapshot, risk as unknown as CheckResult), [
      { step: { ok: true, flows: [] }, paths: [], why: { findings: [{ changes: undefined }] } },
    ])
  },
)

t.test('the report says what is not decided, and what is assumed', (t) => {
  const open: CheckResult = {
    ...found,
    findings: [],
    unknown: [{ says: 'x', why: 'no route is known' }] as never,
  }
  const { verdict, notices } = checkSummary(open)
  const { labs } = requestDocument('0', snapshot.model, [], checkSummary(open))
  t.match(labs[0], { verdict, report: { notices } })
  t.match(verdict, new RegExp(`^no problems found: ${found.passed} of ${found.asked} requests `))
  t.strictSame(notices.slice(0, 2), [`not decided (1 of ${found.asked} requests):`, 'no route is known'])
  t.strictSame(notices.slice(2), found.notices)
  t.match(checkSummary(found).verdict, /^1 problem found/)
  t.end()
})
