import t from 'tap'
import {
  InputError,
  fakeSandbox,
  predict,
  predictor,
  predictRequest,
  runLab,
  toPredict,
  why,
  withLab,
  withSandbox,
} from '../../src/index.js'

const request = { from: 'client', to: 'http://{node-a}:30080/' }

t.test('a lab is predicted by its name', async (t) => {
  const { paths } = predictRequest('nodeport', request)
  t.strictSame(
    paths.map(({ end }) => end.kind),
    ['answered', 'answered'],
  )
  t.throws(() => predictRequest('nodeport', { ...request, from: 'nobody' }), InputError)
})

t.test('predict is pure: it does not change its state, and gives the same result again', async (t) => {
  const { state, from, packet } = toPredict('nodeport', request)
  const before = structuredClone(state)
  const first = predict(state, from, packet)
  t.strictSame(predict(state, from, packet), first)
  t.strictSame(state, before)
  const off = new Map(state.sysctls).set('node-a', {})
  const { paths } = predict({ ...state, sysctls: off }, from, packet)
  t.match(paths[0]?.end, { missing: { kind: 'sysctl', name: 'net.ipv4.ip_forward', value: 1 } })
})

t.test('why of a lab', async (t) => {
  const { outcome, findings } = why('nobody-home', request)
  t.equal(outcome, 'fails')
  t.match(findings[0]?.changes[0]?.proposal.says, /^spec\.selector: app=shopp → app=shop/)
})

/** The message of the InputError of a call. */
async function refusal(call: (...args: never[]) => unknown, args: readonly unknown[]): Promise<string> {
  try {
    await (call as (...given: readonly unknown[]) => unknown)(...args)
    return 'accepted'
  } catch (error) {
    return error instanceof InputError ? error.message : String((error as Error).stack)
  }
}

t.test('arguments that are not valid are an InputError, which names them and what is allowed', async (t) => {
  const all: readonly (readonly [args: readonly unknown[], says: RegExp])[] = [
    [[], /: lab: expected string, received undefined/],
    [[5, request], /: lab: expected string, received number/],
    [['nodeport'], /: request: expected object, received undefined/],
    [['nodeport', { from: 'client' }], /: request\.to: expected string, received undefined/],
    [['nodeport', { ...request, form: 'client' }], /: request: Unrecognized key: "form"/],
    [['nodeport', { ...request, sourcePort: 99_999 }], /: request\.sourcePort: .*<=65535/],
    [['nodeport', { ...request, sourcePort: '80' }], /: request\.sourcePort: expected number/],
    [['nodeport', { ...request, protocol: 'quic' }], /: request\.protocol: expected one of "tcp"\|"udp"/],
    [['nodeport', { ...request, host: 'a b' }], /: request\.host: expected a host name/],
    [['nodeport', { ...request, from: 'nobody' }], /there is no node, client or pod named "nobody"/],
    [['nodeport', request, { mode: 'zz' }], /: options\.mode: expected one of "iptables"\|"nftables"/],
    [['nodeport', request, { families: ['IPv4', 'IPv4'] }], /: options\.families: has a family twice/],
    [['nodeport', request, { after: ['ip link'] }], /: options\.after\[0\]: expected object/],
    [['nodeport', request, { without: [{ node: 'node-a' }] }], /: options\.without\[0\]\.chain: expected/],
    [['nodeport', request, null], /: options: expected object, received null/],
  ]
  for (const [args, says] of all)
    for (const [name, call] of Object.entries({ why, predictRequest, toPredict })) {
      const message = await refusal(call, args)
      t.match(message, says)
      if (!message.startsWith('there is')) t.equal(message.split(':')[0], name)
    }
  const { state, from, packet } = toPredict('nodeport', { ...request, protocol: undefined } as typeof request)
  const states: readonly (readonly [args: readonly unknown[], says: RegExp])[] = [
    [[], /: state: expected object/],
    [[{ ...state, rules: {} }, from, packet], /: state\.rules: expected Map/],
    [[state, 'nobody', packet], /: from: expected one of "node-a"/],
    [[state, from, { ...packet, protocol: 'quic' }], /: packet\.protocol: /],
    [
      [state, from, { ...packet, destination: { address: 'web' } }],
      /\.destination\.address: expected an address/,
    ],
  ]
  for (const [args, says] of states) {
    t.match(await refusal(predict, args), says)
    const [own, ...others] = args
    t.match(await refusal(() => predictor(own as typeof state)(...(others as [never, never])), []), says)
  }
  const use = () => Promise.resolve()
  const labs: readonly (readonly [
    call: (...args: never[]) => unknown,
    args: readonly unknown[],
    says: RegExp,
  ])[] = [
    [withLab, [], /^withLab: nameOrPath: expected string/],
    [withLab, ['nodeport'], /^withLab: use: expected function/],
    [withLab, ['nodeport', use, { iptables: 'zz' }], /^withLab: options\.iptables: .*"nft"\|"legacy"/],
    [withLab, ['nodeport', use, { signal: 5 }], /^withLab: options\.signal: expected AbortSignal/],
    [runLab, ['nodeport', { onEvent: 5 }], /^runLab: options\.onEvent: expected function/],
    [runLab, ['nodeport', { modes: [] }], /^runLab: options: Unrecognized key: "modes"/],
    [withSandbox, ['x', {}], /^withSandbox: use: expected function/],
    [withSandbox, [5, {}, use], /^withSandbox: label: expected string/],
    [fakeSandbox, [{ rootles: true }], /^fakeSandbox: options: Unrecognized key: "rootles"/],
    [(command) => fakeSandbox().plan(command), ['ip link'], /^plan: command: expected an array of words/],
    [(argv) => fakeSandbox().run(argv), ['ip link'], /^run: argv: expected array/],
    [(argv) => fakeSandbox().start(argv), [[]], /^start: argv: .*>=1/],
  ]
  for (const [call, args, says] of labs) t.match(await refusal(call, args), says)
})
