// `npm run soak -- saves <folder>`, called by soak.ts: reads every file of a folder that has output of iptables-save, prints
// each rule again, and predicts packets through a node with these rules instead of kube-proxy's.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseRule } from '../src/netfilter/rules/parse.js'
import { renderRule } from '../src/netfilter/rules/render.js'
import { planSnapshot } from '../src/lab/plan/planSnapshot.js'
import { predict } from '../src/trace/predict.js'
import { firstPacket } from '../src/trace/request.js'
import { loadRestore } from '../src/snapshot/rules/loadRestore.js'

const node = 'node-a'
const callers = ['client', node]
const requests = [
  { protocol: 'tcp', port: 30080 },
  { protocol: 'udp', port: 53 },
  { protocol: 'icmp', port: undefined },
] as const

/** Returns the exit code: 0 if every rule was printed as it was read and every packet predicted, 2 without a folder. */
export function soakSaves([folder, ...others]: readonly string[]): number {
  if (folder === undefined || others.length > 0) {
    process.stderr.write('soak: usage: npm run soak -- saves <folder>\n')
    return 2
  }
  const state = planSnapshot('nodeport').state
  const packets = callers.flatMap((from) =>
    requests.map((request) => ({
      from,
      packet: firstPacket(state, { from, address: '172.18.0.2', ...request }),
    })),
  )
  const [unknown, failures] = [new Set<string>(), [] as string[]]
  let [files, rules, predictions, slowest] = [0, 0, 0, 0]
  for (const name of readdirSync(folder)) {
    const lines = savedLines(readFileSync(join(folder, name), 'utf8'))
    if (lines.length === 0) continue
    files++
    for (const line of lines) {
      const spec = /^-A \S+ ?(.*)$/.exec(line)?.[1]
      if (spec === undefined) continue
      rules++
      const rule = parseRule(spec)
      for (const match of rule.matches)
        if (match.kind === 'unknown') unknown.add(match.text.split(' ').slice(0, 2).join(' '))
      if (rule.target?.kind === 'unknown') unknown.add(`-j ${rule.target.name}`)
      const printed = renderRule(rule)
      if (printed !== spec) failures.push(`${name}: ${spec}\n  printed as ${printed}`)
    }
    const tables = loadRestore(lines.join('\n'))
    const changed = { ...state, rules: new Map([...state.rules, [node, { IPv4: tables }]]) }
    for (const { from, packet } of packets) {
      const start = performance.now()
      const { paths } = predict(changed, from, packet)
      slowest = Math.max(slowest, performance.now() - start)
      predictions++
      if (paths.length === 0) failures.push(`${name}: no path of ${packet.protocol} from ${from}`)
    }
  }
  for (const failure of failures) process.stdout.write(`${failure}\n`)
  process.stdout.write(`not known: ${[...unknown].sort().join(', ') || 'nothing'}\n`)
  process.stdout.write(
    `figure: ${rules} rules of ${files} files, ${failures.length} failures; ` +
      `${predictions} predictions, the slowest ${slowest.toFixed(0)} ms\n`,
  )
  return files > 0 && failures.length === 0 ? 0 : 1
}

/** The tables in a file, without counters, whatever is around them. */
function savedLines(text: string): string[] {
  let isInside = false
  return text
    .split('\n')
    .map((line) => line.trimEnd().replace(/^\[\d+:\d+\] /, ''))
    .filter((line) => {
      if (/^\*(raw|mangle|nat|filter)$/.test(line)) isInside = true
      const keep = isInside
      if (line === 'COMMIT') isInside = false
      return keep
    })
}
