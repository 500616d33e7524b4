// `npm run soak -- rules [count] [--seed N] [--backend nft|legacy|nftables] [--family IPv4|IPv6]`, called by soak.ts: loads random
// rules on a node or a client of a lab, predicts a request, and sends it. A certain prediction must be what the caller gets; rules
// that do not matter for a mismatch are left out. By default 50 requests for each backend and family.
import { parseArgs } from 'node:util'
import { readState } from '../src/host/readings.js'
import { prepareLab } from '../src/lab/plan/prepareLab.js'
import type { RunningLab } from '../src/lab/up/runningLab.js'
import { withRunningLab } from '../src/lab/up/withRunningLab.js'
import type { IpFamily } from '../src/net/ipFamily.js'
import { hostText } from '../src/net/hostText.js'
import { firstPacket, type TraceRequest } from '../src/trace/request.js'
import { predict } from '../src/trace/predict.js'
import type { Draw } from '../test/kernel/randomPackets/draw.js'
import {
  nftText,
  randomIptablesRule,
  randomNftRule,
  restoreText,
  setsText,
  tables,
  type Around,
  type RandomRule,
} from './rules/randomRules.js'

const backends = ['nft', 'legacy', 'nftables'] as const
type Backend = (typeof backends)[number]

interface Counts {
  /** The kernel does not accept the rules, such as a kind of reject for another protocol. */
  rejected: number
  right: number
  unknown: number
  wrong: number
}

/** A request, and the rules of one host. */
interface Round {
  readonly place: string
  readonly rules: readonly RandomRule[]
  readonly request: TraceRequest
}

/** Returns the exit code: 0 if no certain prediction was wrong, 2 for invalid arguments. */
export async function soakRules(args: readonly string[]): Promise<number> {
  const given = readArguments(args)
  if (given === undefined) {
    process.stderr.write(
      'soak: usage: npm run soak -- rules [count] [--seed N] [--backend nft|legacy|nftables] [--family IPv4|IPv6]\n',
    )
    return 2
  }
  process.stdout.write(`seed ${given.seed}\n`)
  let wrong = 0
  for (const family of given.families)
    for (const backend of given.backends) {
      const counts = await soakBackend(backend, family, given.count, given.seed)
      wrong += counts.wrong
      const { right, unknown } = counts
      process.stdout.write(
        `figure: ${backend} ${family}: ${right} certain and right, ${unknown} unknown, ${counts.wrong} certain and wrong (${counts.rejected} that the kernel rejects)\n`,
      )
    }
  return wrong === 0 ? 0 : 1
}

async function soakBackend(backend: Backend, family: IpFamily, count: number, seed: number): Promise<Counts> {
  const counts: Counts = { rejected: 0, right: 0, unknown: 0, wrong: 0 }
  const iptables = backend === 'legacy' ? 'legacy' : 'nft'
  await withRunningLab(
    prepareLab('labs/nodeport', { families: [family] }),
    { capture: false, iptables },
    async (lab) => {
      const around = aroundOf(lab, family)
      const saved = await save(lab, family)
      for (const netns of ['node-a', 'client'])
        await lab.sandbox.must('making sets', ['ipset', 'restore'], { netns, input: setsText(around) })
      for (let index = 0; index < count; index++) {
        const draw = drawFrom(seed * 100_003 + index)
        const round = randomRound(draw, backend, around)
        const result = await tryRound(lab, saved, family, round)
        counts[result.kind]++
        if (result.kind !== 'right' && result.text !== '' && process.env['VETHLAB_DEBUG'] !== undefined)
          process.stdout.write(`round ${index}, ${result.kind}: ${result.text}\n`)
        if (result.kind === 'wrong') {
          const least = await minimised(lab, saved, family, round)
          process.stdout.write(`${describe(least.round, index)}\n  ${least.text}\n`)
        }
        if (process.stderr.isTTY) process.stderr.write(`\r${backend} ${family}: ${index + 1} of ${count}`)
      }
    },
  )
  return counts
}

function aroundOf({ prepared }: RunningLab, family: IpFamily): Around {
  const { nodes, clients, pods } = prepared.topology
  const addresses = [...nodes, ...clients, ...pods].flatMap((host) =>
    'addresses' in host
      ? host.addresses.filter((one) => one.family === family).map(({ address }) => address)
      : [],
  )
  return { family, addresses, ports: [30080, 80, 29999], interfaces: ['eth0', 'cni0', 'lo'] }
}

function randomRound(draw: Draw, backend: Backend, around: Around): Round {
  const place = draw.oneOf('node-a', 'node-a', 'client')
  const rules = Array.from({ length: draw.integer({ min: 2, max: 6 }) }, () =>
    backend === 'nftables' ? randomNftRule(draw, around) : randomIptablesRule(draw, around),
  )
  const address = around.addresses[0] ?? ''
  const request = draw.oneOf<Pick<TraceRequest, 'protocol' | 'port'>>(
    ...([
      { protocol: 'tcp', port: 30080 },
      { protocol: 'tcp', port: 30080 },
    ] as const),
    ...([{ protocol: 'tcp', port: 29999 }, { protocol: 'udp', port: 29999 }, { protocol: 'icmp' }] as const),
  )
  return { place, rules, request: { from: 'client', address, uid: 0, gid: 0, ...request } }
}

type Result = { readonly kind: keyof Counts; readonly text: string }

async function tryRound(lab: RunningLab, saved: Saved, family: IpFamily, round: Round): Promise<Result> {
  const { sandbox, prepared } = lab
  await reset(lab, saved, family)
  const isNft = round.rules.some(({ table }) => table === 'nft')
  const input = isNft ? nftText(round.rules, family) : restoreText(round.rules, family)
  const argv = isNft ? ['nft', '-f', '-'] : [`${program(family)}-restore`, '--noflush']
  const { exitCode, stderr } = await sandbox.run(argv, { netns: round.place, input })
  if (exitCode !== 0) return { kind: 'rejected', text: stderr }
  const state = { ...(await readState(sandbox, prepared)), connections: [] }
  const { paths, complete } = predict(state, 'client', firstPacket(state, round.request))
  const got = await send(lab, family, round.request)
  const callers = new Set(paths.map(({ end }) => end.caller))
  if (!complete || callers.has('unknown')) {
    const end = paths.find((path) => path.end.caller === 'unknown')?.end
    return { kind: 'unknown', text: complete ? (end?.reason ?? '') : 'too many paths' }
  }
  const text = `predicted ${[...callers].join(' or ')}, seen ${got}: ${paths[0]?.end.reason ?? ''}`
  // the kernel reports a neighbour that does not answer after three seconds, and the request does not wait that long
  const isLate = got === 'timeout' && paths.some(({ end }) => end.kind === 'unreachable')
  if (![...callers].includes(got) && !isLate) return { kind: 'wrong', text }
  const open = paths.flatMap(({ choices }) =>
    choices.filter(({ kind }) => kind === 'unknown').map(({ question }) => question),
  )
  return callers.size === 1
    ? { kind: 'right', text }
    : { kind: 'unknown', text: `${text}; ${[...new Set(open)].join('; ')}` }
}

type Caller = 'answer' | 'connection refused' | 'unreachable' | 'reset' | 'timeout'

async function send(
  { sandbox }: RunningLab,
  family: IpFamily,
  { protocol, address, port }: TraceRequest,
): Promise<Caller> {
  const host = hostText(address)
  const number = family === 'IPv4' ? 4 : 6
  const argv =
    protocol === 'icmp'
      ? ['ping', '-n', '-c', '1', '-W', '1', address]
      : protocol === 'udp'
        ? ['socat', '-T1', '-', `UDP${number}:${host}:${port}`]
        : ['socat', '-T1', '-', `TCP${number}:${host}:${port},connect-timeout=1.5`]
  const { stdout, stderr } = await sandbox.run(argv, { netns: 'client', input: 'GET / HTTP/1.0\r\n\r\n' })
  const text = `${stdout}\n${stderr}`
  if (protocol === 'icmp' && /bytes from/.test(stdout)) return 'answer'
  if (protocol !== 'icmp' && stdout !== '') return 'answer'
  if (/Connection reset/.test(stderr)) return 'reset'
  if (/refused|Port Unreachable|Port unreachable/.test(text)) return 'connection refused'
  if (/[Uu]nreachable|No route|rohibited|Permission denied|exceeded|not available|filtered/.test(text))
    return 'unreachable'
  return 'timeout'
}

interface Saved {
  readonly node: string
}

const program = (family: IpFamily) => (family === 'IPv4' ? 'iptables' : 'ip6tables')

async function save({ sandbox }: RunningLab, family: IpFamily): Promise<Saved> {
  const { stdout } = await sandbox.must('saving rules', [`${program(family)}-save`], { netns: 'node-a' })
  return { node: stdout }
}

/** The rules of the lab alone, and no connections. */
async function reset({ sandbox }: RunningLab, { node }: Saved, family: IpFamily): Promise<void> {
  const ip = family === 'IPv4' ? 'ip' : 'ip6'
  const empty = tables.map((table) => `*${table}\nCOMMIT\n`).join('')
  for (const netns of ['node-a', 'client']) {
    for (const table of [ip, 'netdev'])
      await sandbox.run(['nft', 'delete', 'table', table, 'soak'], { netns })
    await sandbox.must('emptying tables', [`${program(family)}-restore`], { netns, input: empty })
    await sandbox.must('removing connections', ['conntrack', '-F'], { netns })
  }
  await sandbox.must('loading rules', [`${program(family)}-restore`], { netns: 'node-a', input: node })
}

/** The round without the rules that its mismatch does not need. */
async function minimised(
  lab: RunningLab,
  saved: Saved,
  family: IpFamily,
  round: Round,
): Promise<{ readonly round: Round; readonly text: string }> {
  let least = round
  let { text } = await tryRound(lab, saved, family, round)
  for (const rule of round.rules) {
    const fewer = { ...least, rules: least.rules.filter((one) => one !== rule) }
    if (fewer.rules.length === 0) continue
    const result = await tryRound(lab, saved, family, fewer)
    if (result.kind === 'wrong') [least, text] = [fewer, result.text]
  }
  return { round: least, text }
}

function describe({ place, rules, request }: Round, index: number): string {
  const lines = rules.map(({ table, chain, text }) => `  ${place}: ${table} ${chain} ${text}`)
  const { protocol, address, port } = request
  return [
    `round ${index}: ${protocol} ${hostText(address)}${port === undefined ? '' : `:${port}`}`,
    ...lines,
  ].join('\n')
}

/** Numbers that a seed repeats (mulberry32). */
function drawFrom(seed: number): Draw {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer: Draw['integer'] = ({ min, max }) => min + Math.floor(next() * (max - min + 1))
  return {
    integer,
    boolean: () => integer({ min: 0, max: 1 }) === 1,
    oneOf: <Value>(...values: readonly Value[]) =>
      values[integer({ min: 0, max: values.length - 1 })] as Value,
  }
}

function readArguments(args: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seed: { type: 'string', default: '1' },
        backend: { type: 'string' },
        family: { type: 'string' },
      },
    })
    const [count, seed] = [Number(positionals[0] ?? 50), Number(values.seed)]
    const chosen = backends.filter((one) => values.backend === undefined || one === values.backend)
    const families = (['IPv4', 'IPv6'] as const).filter(
      (one) => values.family === undefined || one === values.family,
    )
    const isValid = Number.isInteger(count) && count > 0 && Number.isInteger(seed) && positionals.length < 2
    return isValid && chosen.length > 0 && families.length > 0
      ? { count, seed, backends: chosen, families }
      : undefined
  } catch {
    return undefined
  }
}
