import type { Command } from 'commander'
import { acceptOwner } from './options.js'
import { lookAtFolder } from './ownFolder.js'
import type { Verb } from './verb.js'

/** The verbs that change or end a running lab, or run commands in it. */
const changing = [
  ...['down', 'view', 'exec', 'shell', 'apply', 'delete', 'scale', 'label', 'annotate', 'patch', 'restart'],
  'node',
]
/** The verbs that only read a running lab. */
const reading = [
  ...['forward', 'capture', 'get', 'describe', 'watch', 'events', 'logs', 'rules', 'trace', 'why', 'ingress'],
  ...['snapshot', 'kubeconfig'],
]

/** The verbs that find or start labs that stay. */
const withOwner = ['run', 'up', 'ps', 'workshop', ...changing, ...reading]

/** The verbs in the order of `--help`, by heading. Only the called one is loaded, so that startup is fast. */
export const verbGroups: readonly { readonly heading: string; readonly verbs: readonly Verb[] }[] = [
  {
    heading: 'Run labs:',
    verbs: [
      {
        name: 'run',
        summary: 'build labs, check them, and remove them',
        load: async () => (await import('./labs/run.js')).runCommand(),
      },
      {
        name: 'mutate',
        summary: 'find the checks that fail when a rule is missing',
        load: async () => (await import('./labs/mutate.js')).mutateCommand(),
      },
      {
        name: 'ci',
        summary: 'run labs in containers and write one report',
        load: async () => (await import('./ci.js')).ciCommand(),
      },
      {
        name: 'list',
        summary: 'list the labs',
        load: async () => (await import('./list.js')).listCommand(),
      },
      {
        name: 'plan',
        summary: 'print every operation that `up` would run, without running it',
        load: async () => (await import('./plan.js')).planCommand(),
      },
    ],
  },
  {
    heading: 'Explore a running lab:',
    verbs: [
      {
        name: 'up',
        summary: 'start a lab and keep it running',
        load: async () => (await import('./up.js')).upCommand(),
      },
      {
        name: 'down',
        summary: 'remove a running lab',
        load: async () => (await import('./down.js')).downCommand(),
      },
      {
        name: 'ps',
        summary: 'list the running labs',
        load: async () => (await import('./ps.js')).psCommand(),
      },
      {
        name: 'view',
        summary: 'show a running lab in a browser',
        load: async () => (await import('./view/view.js')).viewCommand(),
      },
      {
        name: 'exec',
        summary: 'run a command in a node, pod or client',
        load: async () => (await import('./exec.js')).execCommand(),
      },
      {
        name: 'shell',
        summary: 'open a shell in a node, pod or client',
        load: async () => (await import('./shell.js')).shellCommand(),
      },
      {
        name: 'forward',
        summary: 'forward ports of the host to a Service, pod, node or client',
        load: async () => (await import('./traffic/forward.js')).forwardCommand(),
      },
      {
        name: 'capture',
        summary: 'show packets as they pass, merged from several places',
        load: async () => (await import('./traffic/capture.js')).captureCommand(),
      },
      {
        name: 'get',
        summary: 'list objects',
        load: async () => (await import('./kubectl/get.js')).getCommand(),
      },
      {
        name: 'describe',
        summary: 'show the effective configuration, problems and events of objects',
        load: async () => (await import('./kubectl/describe.js')).describeCommand(),
      },
      {
        name: 'watch',
        summary: 'print changes of objects as they happen',
        load: async () => (await import('./kubectl/watch.js')).watchCommand(),
      },
      {
        name: 'events',
        summary: 'list events',
        load: async () => (await import('./kubectl/events.js')).eventsCommand(),
      },
      {
        name: 'logs',
        summary: 'print the output of a container',
        load: async () => (await import('./kubectl/logs.js')).logsCommand(),
      },
      {
        name: 'check',
        summary: 'print what is wrong in a cluster: of a support bundle, a pasted text, or a lab',
        load: async () => (await import('./trace/check.js')).checkCommand(),
      },
      {
        name: 'reach',
        summary:
          'predict every request to every Service, and which ones another kube-proxy or cluster would change',
        load: async () => (await import('./trace/reach.js')).reachCommand(),
      },
      {
        name: 'rules',
        summary: 'explain the rules on a node',
        load: async () => (await import('./rules.js')).rulesCommand(),
      },
      {
        name: 'trace',
        summary: 'explain the path of a request, rule by rule, or predict it from the plan of a lab',
        load: async () => (await import('./trace/trace.js')).traceCommand(),
      },
      {
        name: 'why',
        summary: 'print why a request fails or passes, with the cause and a fix',
        load: async () => (await import('./trace/why.js')).whyCommand(),
      },
      {
        name: 'reduce',
        summary: 'find the smallest lab in which a request fails alike',
        load: async () => (await import('./labs/reduce.js')).reduceCommand(),
      },
      {
        name: 'explain',
        summary: 'explain a code in an answer of why or diff',
        load: async () => (await import('./trace/explain.js')).explainCommand(),
      },
      {
        name: 'mcp',
        summary: 'answer questions of assistants, over the Model Context Protocol',
        load: async () => (await import('./mcp/mcp.js')).mcpCommand(),
      },
      {
        name: 'snapshot',
        summary: 'write the state of a lab to a file, for trace, why, rules and diff',
        load: async () => (await import('./trace/snapshot.js')).snapshotCommand(),
      },
      {
        name: 'ingress',
        summary: 'print the configuration that each ingress controller wrote for its proxy',
        load: async () => (await import('./ingress.js')).ingressCommand(),
      },
      {
        name: 'kubeconfig',
        summary: 'print a kubeconfig',
        load: async () => (await import('./kubectl/kubeconfig.js')).kubeconfigCommand(),
      },
    ],
  },
  {
    heading: 'Change a running lab:',
    verbs: [
      {
        name: 'apply',
        summary: 'create or change objects from Kubernetes YAML',
        load: async () => (await import('./kubectl/apply.js')).applyCommand(),
      },
      {
        name: 'delete',
        summary: 'delete objects',
        load: async () => (await import('./kubectl/delete.js')).deleteCommand(),
      },
      {
        name: 'scale',
        summary: 'set the number of pods of a workload',
        load: async () => (await import('./kubectl/scale.js')).scaleCommand(),
      },
      {
        name: 'label',
        summary: 'set or remove labels of objects',
        load: async () => (await import('./kubectl/label.js')).labelCommand(),
      },
      {
        name: 'annotate',
        summary: 'set or remove annotations of objects',
        load: async () => (await import('./kubectl/label.js')).annotateCommand(),
      },
      {
        name: 'patch',
        summary: 'change fields of an object',
        load: async () => (await import('./kubectl/patch.js')).patchCommand(),
      },
      {
        name: 'restart',
        summary: 'replace the pods of a workload, or restart kube-proxy',
        load: async () => (await import('./kubectl/restart.js')).restartCommand(),
      },
      {
        name: 'node',
        summary: 'disconnect a node from the network, or reconnect it',
        load: async () => (await import('./kubectl/node.js')).nodeCommand(),
      },
    ],
  },
  {
    heading: 'Compare with a real cluster:',
    verbs: [
      {
        name: 'render',
        summary: 'print the rules that kube-proxy writes on one node',
        load: async () => (await import('./render.js')).renderCommand(),
      },
      {
        name: 'diff',
        summary: 'compare saved rules with the rules that kube-proxy should have written',
        load: async () => (await import('./diff.js')).diffCommand(),
      },
      {
        name: 'collect',
        summary: 'print a script that collects what a node and a cluster show, or run it',
        load: async () => (await import('./trace/collect.js')).collectCommand(),
      },
    ],
  },
  {
    heading: 'Learn and set up:',
    verbs: [
      {
        name: 'workshop',
        summary: 'find and fix faults in guided exercises',
        load: async () => (await import('./workshop.js')).workshopCommand(),
      },
      {
        name: 'init',
        summary: 'create a small lab to start from',
        load: async () => (await import('./init.js')).initCommand(),
      },
      {
        name: 'completion',
        summary: 'print a completion script for bash, zsh or fish',
        load: async () => (await import('./completion/completion.js')).completionCommand(loadAll),
      },
      {
        name: 'doctor',
        summary: 'check what this host needs to run labs',
        load: async () => (await import('./doctor.js')).doctorCommand(),
      },
    ],
  },
]

/** The command of a verb, with its summary as the first sentence of its description. */
export async function loadVerb({ name, summary, load }: Verb): Promise<Command> {
  const command = await load()
  if (withOwner.includes(name)) acceptOwner(command)
  if (changing.includes(name) || reading.includes(name)) lookAtFolder(command, changing.includes(name))
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
  return command.summary(summary).description(`${sentence}\n${command.description()}`.trimEnd())
}

/** The commands of all verbs. */
async function loadAll(): Promise<readonly Command[]> {
  return Promise.all(verbGroups.flatMap(({ verbs }) => verbs.map(loadVerb)))
}
