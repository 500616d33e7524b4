import * as z from 'zod'
import { ownCommand } from '../../host/mcp/ownCommand.js'
import type { Tool, ToolAnswer } from '../../host/mcp/serveTools.js'
import { sendOrder } from '../../up/sendOrder.js'
import { upLab, upLabNamed } from '../../up/upLab.js'
import { exerciseTools } from './exerciseTools.js'
import { text, tool } from './tool.js'

/** Characters of an answer; programs that read them pay for each. */
const longestAnswer = 200_000

const lab = text.describe('the name of a lab, such as nodeport, or the path of its folder')
const what = text.describe(
  'a running lab, a lab by name or path, or the path of a support bundle, folder or file of a real cluster',
)
const request = {
  from: text.describe('the sender: a node, pod (pod/NAMESPACE/NAME) or client; `outside` for a bundle'),
  to: text.describe('ADDRESS:PORT or a URL; {NAME} is the address of a node, pod or Service of a lab'),
}
const after = z
  .array(text)
  .max(20)
  .optional()
  .describe('commands that are assumed to have run before, such as `node-a iptables -P FORWARD DROP`')
const json = z.boolean().optional().describe('answer with the JSON document of docs/schema instead of text')

/** The tools that answer, and with `writes` those that start, change and remove labs. */
export function mcpTools(writes: boolean): readonly Tool[] {
  return [...reading, ...(writes ? [...writing, ...exerciseTools] : [])]
}

const reading: readonly Tool[] = [
  tool(
    {
      ...{ name: 'labs', title: 'List labs', readOnly: true },
      description: 'The labs that can be started, with their titles, and those that run, with their places.',
    },
    {},
    async (_, signal) => {
      const [known, running] = await Promise.all([
        ask('list', [], [], signal, true),
        ask('ps', [], [], signal, true),
      ])
      return { text: `Labs:\n${known.text}\nRunning labs:\n${running.text}` }
    },
  ),
  tool(
    {
      ...{ name: 'check', title: 'What is wrong', readOnly: true },
      description:
        'What is wrong in a cluster or lab: predicts a request of each kind of sender to each port of each Service, and prints causes, ' +
        'evidence and fixes. The first question about a bundle.',
    },
    { what, json },
    ({ what, json }, signal) => ask('check', [], [what], signal, json),
  ),
  tool(
    {
      ...{ name: 'why', title: 'Why a request fails', readOnly: true },
      description:
        'Why one request fails or passes: the cause, the rule, route or object, and changes that were predicted to help. Sends no packet.',
    },
    { what, ...request, after, json },
    ({ what, from, to, after = [], json }, signal) =>
      ask('why', after.map(optionOf('after')), [what, from, to], signal, json),
  ),
  tool(
    {
      ...{ name: 'trace', title: 'Predict a path', readOnly: true },
      description: 'The path of a request, rule by rule, predicted from the rules. Sends no packet.',
    },
    { what, ...request, after, json },
    ({ what, from, to, after = [], json }, signal) =>
      ask('trace', ['--predict', ...after.map(optionOf('after'))], [what, from, to], signal, json),
  ),
  tool(
    {
      ...{ name: 'reach', title: 'What reaches what', readOnly: true },
      description:
        'Predicts every request to every Service, and prints which ones differ from what the objects promise; or which ones another mode ' +
        'or version of kube-proxy would change.',
    },
    {
      what,
      service: text.optional().describe('only this Service: NAMESPACE/NAME'),
      againstMode: text.optional().describe('compare with kube-proxy in this mode: iptables, nftables, ipvs'),
      againstVersion: text.optional().describe('compare with this version of kube-proxy, such as 1.33'),
      json,
    },
    ({ what, service, againstMode, againstVersion, json }, signal) => {
      const options = { service, 'against-mode': againstMode, 'against-version': againstVersion }
      const given = Object.entries(options).flatMap(([name, value]) =>
        value === undefined ? [] : [optionOf(name)(value)],
      )
      return ask('reach', given, [what], signal, json)
    },
  ),
  tool(
    {
      ...{ name: 'request', title: 'Send a request', readOnly: true },
      description:
        'Sends one request in a running lab, and prints its result and its path as the kernel traced it, compared with the prediction.',
    },
    { lab, ...request, json },
    async ({ lab, from, to, json }, signal) => {
      // `trace` would start a lab that does not run
      await upLab(lab)
      return ask('trace', [], [lab, from, to], signal, json)
    },
  ),
  tool(
    {
      ...{ name: 'explain', title: 'Explain a code', readOnly: true },
      description:
        'What a code in an answer of check, why or reach means, and how to fix it. Without a code: all codes.',
    },
    { code: text.optional() },
    ({ code }, signal) => ask('explain', [], code === undefined ? [] : [code], signal),
  ),
]

const writing: readonly Tool[] = [
  tool(
    {
      ...{ name: 'up', title: 'Start a lab', readOnly: false },
      description: 'Starts a lab, which runs until `down`. Of a bundle, a lab like the cluster.',
    },
    { what },
    ({ what }, signal) => ask('up', [], [what], signal),
  ),
  tool(
    { name: 'down', title: 'Remove a lab', description: 'Removes a running lab.', readOnly: false },
    { lab },
    ({ lab }, signal) => ask('down', [], [lab], signal),
  ),
  tool(
    {
      ...{ name: 'reset', title: 'Start a lab again', readOnly: false },
      description: 'Removes a running lab, and starts it again from its files: all changes are undone.',
    },
    { lab },
    async ({ lab }, signal) => {
      const running = await upLabNamed(lab)
      if (running === undefined) return { text: `the lab "${lab}" is not running: use up`, failed: true }
      const removed = await ask('down', [], [running.lab], signal)
      return removed.failed === true ? removed : ask('up', [], [running.directory], signal)
    },
  ),
  tool(
    {
      ...{ name: 'apply', title: 'Apply manifests', readOnly: false },
      description: 'Creates or changes Kubernetes objects of a running lab; its rules, DNS and pods follow.',
    },
    { lab, manifests: z.string().min(1).describe('Kubernetes YAML; several documents are separated by ---') },
    async ({ lab, manifests }) => {
      const { holder } = await upLab(lab)
      const answer = await sendOrder(holder, {
        do: 'apply',
        files: [{ path: 'manifests.yaml', text: manifests }],
      })
      return { text: 'messages' in answer ? answer.messages.join('\n') : '' }
    },
  ),
]

function optionOf(name: string): (value: string) => string {
  return (value) => `--${name}=${value}`
}

/** The answer of a command. Words follow `--`: none of them is an option. Exit code 1 is an answer: something is wrong. */
async function ask(
  verb: string,
  options: readonly string[],
  words: readonly string[],
  signal: AbortSignal,
  json = false,
): Promise<ToolAnswer> {
  const args = [verb, ...options, ...(json ? ['--json'] : []), '--', ...words]
  const { code, stdout, stderr } = await ownCommand(args, signal)
  if (code > 1 && stdout === '') return { text: stderr, failed: true }
  const found = [stdout, stderr].filter((part) => part !== '').join('\n')
  if (found.length > longestAnswer) {
    const ask = json ? 'ask without json' : 'ask about less'
    return {
      text: `the answer has ${found.length} characters, more than ${longestAnswer}: ${ask}`,
      failed: true,
    }
  }
  const value: unknown = json ? JSON.parse(stdout) : undefined
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return { text: found, ...(isRecord ? { value: value as Readonly<Record<string, unknown>> } : {}) }
}
