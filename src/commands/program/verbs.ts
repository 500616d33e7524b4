import type { Command } from 'commander'
import { changesObjects } from '../kubectl/kubectlWords.js'
import { acceptOwner } from '../options.js'
import { lookAtFolder } from '../ownFolder.js'
import type { Verb } from './verb.js'

/** The verbs that change or end a running lab, or run commands in it. */
const changing = ['down', 'view', 'exec', 'shell', 'restart', 'node']
/** The verbs that only read a running lab. */
const reading = [
  ...[
    'forward',
    'capture',
    'rules',
    'trace',
    'why',
    'check',
    'reach',
    'diff',
    'ingress',
    'snapshot',
    'kubeconfig',
  ],
]

/** The verbs that find or start labs that stay. */
const withOwner = ['run', 'up', 'ps', 'workshop', 'kubectl', ...changing, ...reading]

/** A part of `--help`. */
export interface VerbGroup {
  readonly heading: string
  readonly verbs: readonly Verb[]
}

/** The verbs in the order of `--help`, by what people come for. Only the called one is loaded, so that startup is fast. */
export const verbGroups: readonly VerbGroup[] = [
  {
    heading: 'Explain a cluster: a support bundle, a pasted text, a snapshot or a lab',
    verbs: [
      {
        name: 'check',
        summary: 'print what is wrong in a cluster',
        load: async () => (await import('../trace/check.js')).checkCommand(),
      },
      {
        name: 'why',
        summary: 'print why a request fails or passes, with a fix',
        load: async () => (await import('../trace/why.js')).whyCommand(),
      },
      {
        name: 'trace',
        summary: 'print the path of a request, rule by rule',
        load: async () => (await import('../trace/trace.js')).traceCommand(),
      },
      {
        name: 'rules',
        summary: 'explain the rules of a node',
        load: async () => (await import('../rules.js')).rulesCommand(),
      },
      {
        name: 'reach',
        summary: 'predict every request, also after a change of kube-proxy',
        load: async () => (await import('../trace/reach.js')).reachCommand(),
      },
      {
        name: 'diff',
        summary: 'compare saved rules with those of kube-proxy',
        load: async () => (await import('../diff.js')).diffCommand(),
      },
      {
        name: 'explain',
        summary: 'explain a code in these answers',
        load: async () => (await import('../trace/explain.js')).explainCommand(),
      },
      {
        name: 'collect',
        summary: 'collect what these commands read from a cluster',
        load: async () => (await import('../trace/collect.js')).collectCommand(),
      },
      {
        name: 'mcp',
        summary: 'answer questions of assistants, over the Model Context Protocol',
        rare: true,
        load: async () => (await import('../mcp/mcp.js')).mcpCommand(),
      },
      {
        name: 'snapshot',
        summary: 'write the state of a lab to a file',
        rare: true,
        load: async () => (await import('../trace/snapshot.js')).snapshotCommand(),
      },
      {
        name: 'reduce',
        summary: 'find the smallest lab in which a request fails alike',
        rare: true,
        load: async () => (await import('../labs/reduce.js')).reduceCommand(),
      },
      {
        name: 'render',
        summary: 'print the rules that kube-proxy writes on one node',
        rare: true,
        load: async () => (await import('../render.js')).renderCommand(),
      },
    ],
  },
  {
    heading: 'Run labs, and explore a running one',
    verbs: [
      {
        name: 'list',
        summary: 'list the labs',
        load: async () => (await import('../list.js')).listCommand(),
      },
      {
        name: 'run',
        summary: 'build labs, check them, and remove them',
        load: async () => (await import('../labs/run.js')).runCommand(),
      },
      {
        name: 'up',
        summary: 'start a lab and keep it running',
        load: async () => (await import('../up.js')).upCommand(),
      },
      {
        name: 'down',
        summary: 'remove a running lab',
        load: async () => (await import('../down.js')).downCommand(),
      },
      {
        name: 'ps',
        summary: 'list the running labs',
        load: async () => (await import('../ps.js')).psCommand(),
      },
      {
        name: 'kubectl',
        summary: 'read and change the objects of a lab with kubectl',
        load: async () => (await import('../kubectl/kubectl.js')).kubectlCommand(),
      },
      {
        name: 'exec',
        summary: 'run a command in a node, pod or client',
        load: async () => (await import('../exec.js')).execCommand(),
      },
      {
        name: 'shell',
        summary: 'open a shell in a node, pod or client',
        load: async () => (await import('../shell.js')).shellCommand(),
      },
      {
        name: 'view',
        summary: 'show a running lab in a browser',
        load: async () => (await import('../view/view.js')).viewCommand(),
      },
      {
        name: 'capture',
        summary: 'show packets as they pass, merged from several places',
        load: async () => (await import('../traffic/capture.js')).captureCommand(),
      },
      {
        name: 'forward',
        summary: 'forward ports of the host into a lab',
        load: async () => (await import('../traffic/forward.js')).forwardCommand(),
      },
      {
        name: 'node',
        summary: 'disconnect a node from the network, or reconnect it',
        load: async () => (await import('../node.js')).nodeCommand(),
      },
      {
        name: 'restart',
        summary: 'restart kube-proxy on one node or on all',
        rare: true,
        load: async () => (await import('../restart.js')).restartCommand(),
      },
      {
        name: 'ingress',
        summary: 'explain how an Ingress, a Gateway or a route is served',
        load: async () => (await import('../ingress.js')).ingressCommand(),
      },
      {
        name: 'kubeconfig',
        summary: 'print a kubeconfig',
        rare: true,
        load: async () => (await import('../kubectl/kubeconfig.js')).kubeconfigCommand(),
      },
      {
        name: 'plan',
        summary: 'print every operation that `up` would run, without running it',
        rare: true,
        load: async () => (await import('../plan.js')).planCommand(),
      },
      {
        name: 'mutate',
        summary: 'find the checks that fail when a rule is missing',
        rare: true,
        load: async () => (await import('../labs/mutate.js')).mutateCommand(),
      },
      {
        name: 'ci',
        summary: 'run labs in containers and write one report',
        rare: true,
        load: async () => (await import('../ci.js')).ciCommand(),
      },
    ],
  },
  {
    heading: 'Learn, and set up',
    verbs: [
      {
        name: 'workshop',
        summary: 'find and fix faults in guided exercises',
        load: async () => (await import('../workshop.js')).workshopCommand(),
      },
      {
        name: 'init',
        summary: 'create a small lab to start from',
        load: async () => (await import('../init.js')).initCommand(),
      },
      {
        name: 'doctor',
        summary: 'check what this host needs to run labs',
        load: async () => (await import('../doctor.js')).doctorCommand(),
      },
      {
        name: 'completion',
        summary: 'print a completion script for bash, zsh or fish',
        load: async () => (await import('../completion/completion.js')).completionCommand(loadAll),
      },
    ],
  },
]

/** The command of a verb, with its summary as the first sentence of its description. */
export async function loadVerb({ name, summary, load }: Verb): Promise<Command> {
  const command = await load()
  if (withOwner.includes(name)) acceptOwner(command)
  if (changing.includes(name) || reading.includes(name)) lookAtFolder(command, changing.includes(name))
  if (name === 'kubectl') lookAtFolder(command, ([, words]) => changesObjects(words as string[]))
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
  return command.summary(summary).description(`${sentence}\n${command.description()}`.trimEnd())
}

/** The commands of all verbs. */
async function loadAll(): Promise<readonly Command[]> {
  return Promise.all(verbGroups.flatMap(({ verbs }) => verbs.map(loadVerb)))
}
