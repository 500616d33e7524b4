import { parseEcho } from '../../src/host/actions/echo.js'
import type { EchoReply } from '../../src/results/request.js'
import { joinHostPort } from '../../src/net/socketText.js'
import type { OwnSandbox } from '../../src/host/sandbox/startSandbox.js'
import { isOnNode, sourceOf } from '../agents/kubeProxy/iptables/flows/flowHosts.js'
import type { Flow, Scenario } from '../agents/kubeProxy/iptables/flows/scenario.js'

/** What happened to a flow's packets, in the terms of the tables. */
export interface Seen {
  readonly result: string
  readonly masquerade: boolean | 'sometimes'
}

/** Chance, for one flow, that an endpoint that may answer never does: under 1e-9 for all flows together. */
const chance = 1e-12

/** In seconds: a flow that is expected to be dropped gets no answer, however long one waits. */
const patience = { dropped: 1, answered: 60 } as const

/** Sends a flow's packets and returns which endpoints got them: repeats this until every possible endpoint has been seen. */
export async function sendFlow(sandbox: OwnSandbox, scenario: Scenario, flow: Flow): Promise<Seen> {
  const { inputPolicy } = scenario
  const dropped = flow.result === 'DROP' || (flow.result === '' && inputPolicy === 'DROP')
  const times = dropped ? 1 : repetitions(flow.result.split(', ').length)
  const seconds = dropped ? patience.dropped : patience.answered
  const netns = sourceOf(scenario, flow)
  if (isOnNode(flow)) {
    await sandbox.run(['ip', 'address', 'replace', `${flow.source}/32`, 'dev', 'lo'], { netns })
  }
  const argv = flow.protocol === 'udp' ? netcat(flow, times, seconds) : curl(flow, times, seconds)
  // curl may wait that long for each of the requests
  const timeoutMs = (seconds * times + 30) * 1000
  const { stdout, stderr } = await sandbox.run(argv, { netns, timeoutMs })
  const answers = stdout.split('\n').flatMap((line) => parseEcho(line) ?? [])
  if (answers.length === times) return seen(flow, answers)
  if (answers.length > 0) return { result: `${answers.length} of ${times} answered`, masquerade: false }
  return { result: unanswered(stderr, times), masquerade: false }
}

/** The number of tries after which each of `endpoints` equally likely ones has been seen, except with the probability above. */
function repetitions(endpoints: number): number {
  return endpoints === 1 ? 2 : Math.ceil(Math.log(chance / endpoints) / Math.log(1 - 1 / endpoints))
}

/** One process, each transfer over a connection of its own. */
function curl({ source, destination, port }: Flow, times: number, seconds: number): string[] {
  const url = `http://${joinHostPort(destination, port)}/`
  return [
    ...['curl', '--disable', '--silent', '--verbose', '--globoff', '--noproxy', '*'],
    ...['--interface', `host!${source}`, '--max-time', String(seconds), '--header', 'Connection: close'],
    ...Array.from({ length: times }, () => url),
  ]
}

function netcat({ source, destination, port }: Flow, times: number, seconds: number): string[] {
  const once = ['nc', '-u', '-n', '-w', String(seconds), '-W', '1', '-s', source, destination, String(port)]
  const loop = 'left=$1; shift; while [ "$left" -gt 0 ]; do echo | "$@"; left=$((left - 1)); done'
  return ['sh', '-c', loop, 'sh', String(times), ...once]
}

/** Only endpoints count as results: the node itself, and what lies beyond it, answer what no rule took. */
function seen({ source }: Flow, answers: readonly EchoReply[]): Seen {
  const result = [...new Set(answers.map(({ pod, server }) => (pod === 'endpoints' ? server : '')))]
  const kept = answers.filter(({ client }) => addressOf(client) === source).length
  const masquerade = kept === 0 ? true : kept === answers.length ? false : 'sometimes'
  return { result: result.sort().join(', '), masquerade }
}

/** Whatever can answer listens on every port of the tables: a refusal is a rule's. */
function unanswered(stderr: string, times: number): string {
  const count = (text: RegExp) => [...stderr.matchAll(text)].length
  if (count(/connection refused/gi) >= times) return 'REJECT'
  return count(/timed out|time-out/gi) >= times ? 'DROP' : stderr
}

function addressOf(socket: string): string {
  return socket.replace(/^\[?(.*?)\]?:\d+$/, '$1')
}
