import type { Command } from 'commander'

/** A verb of the command line. */
export interface Verb {
  readonly name: string
  readonly arguments: string
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** The verbs in the order of `--help`. Only the one that is called is loaded: starting stays fast. */
export const verbs: readonly Verb[] = [
  {
    name: 'run',
    arguments: '[labs...]',
    summary: 'build labs, check them, remove them',
    load: async () => (await import('./labs/run.js')).runCommand(),
  },
  {
    name: 'mutate',
    arguments: '[labs...]',
    summary: 'show what each rule is for: which check fails without it',
    load: async () => (await import('./labs/mutate.js')).mutateCommand(),
  },
  {
    name: 'ci',
    arguments: '[labs...]',
    summary: 'run labs in containers: every backend and family, several at once, one report',
    load: async () => (await import('./ci.js')).ciCommand(),
  },
  {
    name: 'up',
    arguments: '<lab>',
    summary: 'build a lab that stays, for exploring',
    load: async () => (await import('./up.js')).upCommand(),
  },
  {
    name: 'down',
    arguments: '[lab]',
    summary: 'remove a lab that is up',
    load: async () => (await import('./down.js')).downCommand(),
  },
  {
    name: 'ps',
    arguments: '',
    summary: 'show the labs that are up',
    load: async () => (await import('./ps.js')).psCommand(),
  },
  {
    name: 'exec',
    arguments: '<lab> <place> -- <command...>',
    summary: 'run a command in a node, pod or client of a lab that is up',
    load: async () => (await import('./exec.js')).execCommand(),
  },
  {
    name: 'shell',
    arguments: '<lab> [place]',
    summary: 'open a shell in a node, pod or client of a lab that is up',
    load: async () => (await import('./shell.js')).shellCommand(),
  },
  {
    name: 'get',
    arguments: '<lab> <kinds> [names...]',
    summary: 'show objects of a lab that is up',
    load: async () => (await import('./kubectl/get.js')).getCommand(),
  },
  {
    name: 'describe',
    arguments: '<lab> <kind> [names...]',
    summary: 'tell all of objects of a lab that is up, and why something is not served',
    load: async () => (await import('./kubectl/describe.js')).describeCommand(),
  },
  {
    name: 'watch',
    arguments: '<lab> [kinds]',
    summary: 'follow what happens to the objects of a lab that is up',
    load: async () => (await import('./kubectl/watch.js')).watchCommand(),
  },
  {
    name: 'apply',
    arguments: '<lab> -f <path>',
    summary: 'make or change objects of a lab that is up',
    load: async () => (await import('./kubectl/apply.js')).applyCommand(),
  },
  {
    name: 'delete',
    arguments: '<lab> <objects...>',
    summary: 'delete objects of a lab that is up',
    load: async () => (await import('./kubectl/delete.js')).deleteCommand(),
  },
  {
    name: 'scale',
    arguments: '<lab> <objects...>',
    summary: 'change how many pods a workload of a lab that is up has',
    load: async () => (await import('./kubectl/scale.js')).scaleCommand(),
  },
  {
    name: 'label',
    arguments: '<lab> <objects-and-labels...>',
    summary: 'set labels of objects of a lab that is up, or take them away',
    load: async () => (await import('./kubectl/label.js')).labelCommand(),
  },
  {
    name: 'patch',
    arguments: '<lab> <object...>',
    summary: 'change fields of an object of a lab that is up',
    load: async () => (await import('./kubectl/patch.js')).patchCommand(),
  },
  {
    name: 'restart',
    arguments: '<lab> <objects...>',
    summary: 'replace the pods of a workload of a lab that is up, or restart kube-proxy',
    load: async () => (await import('./kubectl/restart.js')).restartCommand(),
  },
  {
    name: 'node',
    arguments: '<lab> <node> <state>',
    summary: 'take a node of a lab that is up off the network, or put it back',
    load: async () => (await import('./kubectl/node.js')).nodeCommand(),
  },
  {
    name: 'kubeconfig',
    arguments: '<lab>',
    summary: 'print the kubeconfig of a lab that is up',
    load: async () => (await import('./kubectl/kubeconfig.js')).kubeconfigCommand(),
  },
  {
    name: 'workshop',
    arguments: '<command>',
    summary: 'guided exercises: find out what is wrong in a lab, and mend it',
    load: async () => (await import('./workshop.js')).workshopCommand(),
  },
  {
    name: 'list',
    arguments: '',
    summary: 'list the labs',
    load: async () => (await import('./list.js')).listCommand(),
  },
  {
    name: 'plan',
    arguments: '<lab>',
    summary: 'print every operation that `up` would run, running none',
    load: async () => (await import('./plan.js')).planCommand(),
  },
  {
    name: 'render',
    arguments: '',
    summary: "print the iptables-restore text of one node's kube-proxy",
    load: async () => (await import('./render.js')).renderCommand(),
  },
  {
    name: 'rules',
    arguments: '<lab> <node>',
    summary: 'explain the rules on a node of a lab that is up',
    load: async () => (await import('./rules.js')).rulesCommand(),
  },
  {
    name: 'ingress',
    arguments: '<lab> [controller]',
    summary: 'print the configurations of the proxies of a lab that is up',
    load: async () => (await import('./ingress.js')).ingressCommand(),
  },
  {
    name: 'diff',
    arguments: '<file>',
    summary: 'compare a saved ruleset with what kube-proxy should have written',
    load: async () => (await import('./diff.js')).diffCommand(),
  },
  {
    name: 'doctor',
    arguments: '',
    summary: 'show what this machine has and lacks',
    load: async () => (await import('./doctor.js')).doctorCommand(),
  },
  {
    name: 'init',
    arguments: '<dir>',
    summary: 'write a small lab of your own to start from',
    load: async () => (await import('./init.js')).initCommand(),
  },
]

/** Verbs that vethlab calls itself. */
export const hidden: readonly Verb[] = [
  {
    name: 'hold',
    arguments: '<lab>',
    summary: 'hold a lab up (started by `up` and by `run --keep`)',
    load: async () => (await import('./hold.js')).holdCommand(),
  },
  {
    name: 'serve-api',
    arguments: '',
    summary: "serve a lab's Kubernetes API (started inside its sandbox)",
    load: async () => (await import('./serveApi.js')).serveApiCommand(),
  },
]
