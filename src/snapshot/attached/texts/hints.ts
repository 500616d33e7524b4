import type { IpFamily } from '../../../net/ipFamily.js'
import type { AttachedText, Hints } from './model.js'

/** What the command says of a text; without one, what the name of its file says. */
export function hintsOf({ path, command }: Pick<AttachedText, 'path' | 'command'>): Hints {
  if (command !== undefined && command.trim() !== '') return hintsOfCommand(command)
  return hintsOfPath(path)
}

const selecting = new Set([
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'head',
  'tail',
  'awk',
  'sed',
  'cut',
  'sort',
  'uniq',
  'wc',
])

/** Reads a command as people type it, through sudo, ssh, nsenter, docker, kubectl and chroot. */
export function hintsOfCommand(command: string): Hints {
  const several = command.slice(0, 4000).split(/;|&&/)
  if (several.length > 1) {
    // what belongs to which of them is not known
    const { node, elsewhere } = hintsOfCommand(several[0] ?? '')
    return { args: [], node, elsewhere }
  }
  const [main = '', ...others] = command
    .slice(0, 4000)
    .replaceAll(/\d?>&?\s?[^\s|]{0,200}/g, ' ')
    .split('|')
  const filter = others.map((one) => one.trim()).find((one) => selecting.has(one.split(/\s/, 1)[0] ?? ''))
  const words = main.split(/\s+/).filter((word) => word !== '')
  const { node, elsewhere, rest } = unwrapped(words)
  const [full = '', ...args] = rest
  const program = full.slice(full.lastIndexOf('/') + 1)
  const tableAt = args.findIndex((word) => word === '-t' || word === 'table')
  const table = tableAt < 0 ? undefined : args[tableAt + 1]
  const joined = args.find((word) => /^-t[a-z]+$/.test(word))?.slice(2)
  const isIptables = /^ip6?tables/.test(program)
  const isFiltered = filter !== undefined || selecting.has(program)
  if (program === 'cat' && args.length === 1)
    return {
      ...hintsOfPath(args[0] ?? ''),
      program,
      args,
      node,
      elsewhere,
      ...(filter !== undefined && { filter }),
    }
  return {
    ...{ program, args, family: familyOf(program, args), node, elsewhere },
    table: table ?? (isIptables ? joined : undefined),
    backend: /-legacy/.test(program) ? 'legacy' : /-nft/.test(program) ? 'nft' : undefined,
    ...(isFiltered && { filter: filter ?? rest.join(' ') }),
  }
}

function familyOf(program: string, args: readonly string[]): IpFamily | undefined {
  if (program.startsWith('ip6tables')) return 'IPv6'
  if (program.startsWith('iptables')) return 'IPv4'
  if (args.includes('-6') || args.join(' ').includes('inet6')) return 'IPv6'
  return args.includes('-4') ? 'IPv4' : undefined
}

interface Unwrapped {
  readonly rest: readonly string[]
  readonly node?: string | undefined
  readonly elsewhere?: string | undefined
}

/** Options that take a word. */
const withValue: Readonly<Record<string, readonly string[]>> = {
  sudo: ['-u', '-g', '-h'],
  ssh: ['-i', '-l', '-p', '-o', '-F', '-J'],
  docker: ['-u', '-w', '-e', '--user'],
  kubectl: ['-n', '--namespace', '-c', '--container', '--image', '--profile', '--context', '--kubeconfig'],
  nsenter: ['-t', '--target'],
}

/** Removes programs that only run another one, such as sudo, one after the other. */
function unwrapped(words: readonly string[]): Unwrapped {
  let found: Unwrapped = { rest: words }
  for (let round = 0; round < 8; round++) {
    const next = unwrapOne(found.rest)
    if (next === undefined) break
    found = { ...found, ...next }
  }
  return found
}

function unwrapOne([first = '', ...args]: readonly string[]): Unwrapped | undefined {
  const name = first.slice(first.lastIndexOf('/') + 1)
  const skip = (program: string) => {
    let at = 0
    while (args[at]?.startsWith('-') === true && args[at] !== '--')
      at += (withValue[program] ?? []).includes(args[at] ?? '') ? 2 : 1
    return args.slice(args[at] === '--' ? at + 1 : at)
  }
  switch (name) {
    case 'sudo':
    case 'busybox':
    case 'time':
    case 'xtables-nft-multi':
    case 'xtables-legacy-multi':
      return { rest: skip(name) }
    case 'env':
      return { rest: args.slice(args.findIndex((word) => !word.includes('='))) }
    case 'chroot':
      return { rest: args.slice(1) }
    case 'sh':
    case 'bash': {
      const at = args.indexOf('-c')
      return at < 0 ? undefined : { rest: args.slice(at + 1).map((word) => word.replaceAll(/["']/g, '')) }
    }
    case 'ssh': {
      const [host = '', ...rest] = skip('ssh')
      return rest.length === 0 ? undefined : { rest, node: host.slice(host.lastIndexOf('@') + 1) }
    }
    case 'nsenter': {
      const target = args.findIndex((word) => word === '-t' || word === '--target')
      const rest = skip('nsenter')
      const isHost = target < 0 || args[target + 1] === '1'
      return { rest, ...(!isHost && { elsewhere: `in the namespace of process ${args[target + 1] ?? ''}` }) }
    }
    case 'ip':
      if (args[0] !== 'netns' || args[1] !== 'exec') return undefined
      return { rest: args.slice(3), elsewhere: `in the network namespace ${args[2] ?? ''}` }
    case 'docker':
    case 'podman': {
      if (args[0] !== 'exec') return undefined
      const [container = '', ...rest] = unwrapOne(['sudo', ...args.slice(1)])?.rest ?? []
      return { rest, node: container }
    }
    case 'kubectl':
    case 'k':
    case 'oc':
      return kubectl(args)
    default:
      return undefined
  }
}

/** Pods of these programs are in the network namespace of their node. */
const ofNode =
  /^(?:kube-proxy|calico-node|cilium|kindnet|kube-flannel|aws-node|antrea-agent|kube-router|weave-net|node-debugger|kube-controller|kube-apiserver|canal)/

function kubectl(args: readonly string[]): Unwrapped | undefined {
  const end = args.indexOf('--')
  const verb = args.findIndex((word) => word === 'exec' || word === 'debug')
  if (verb < 0 || end < verb) return undefined
  const rest = args.slice(end + 1)
  const node = args.find((word) => word.startsWith('node/') || word.startsWith('no/'))
  if (args[verb] === 'debug' && node !== undefined) return { rest, node: node.slice(node.indexOf('/') + 1) }
  const before = args.slice(verb + 1, end)
  const taken = new Set(
    before.flatMap((word, at) => (withValue['kubectl']?.includes(word) === true ? [at, at + 1] : [])),
  )
  const pod = before.find((word, at) => !word.startsWith('-') && !taken.has(at)) ?? ''
  const name = pod.slice(pod.indexOf('/') + 1)
  return ofNode.test(name) ? { rest } : { rest, elsewhere: `in pod ${name}` }
}

/** `networking/ip6rule.txt`, `cmd/ip--4-route-show-table-255.md`, `iptables-legacy-save` */
function hintsOfPath(path: string): Hints {
  const name = path.slice(path.lastIndexOf('/') + 1).slice(0, 300)
  const isSix = /ip6|ipv6|tables6|--6-|_-6_/i.test(name)
  const isFour = /ip4|ipv4|--4-|_-4_/i.test(name) || (/iptables/.test(name) && !isSix)
  const table =
    /[-_]table[-_]([a-z0-9-]{1,40}?)(?:\.\w+)?$/i.exec(name)?.[1] ??
    /tables(?:[-_]|_-t_)?(nat|mangle|filter|raw)(?![a-z])/.exec(name)?.[1]
  return {
    args: [],
    family: isSix ? 'IPv6' : isFour ? 'IPv4' : undefined,
    table,
    backend: /legacy/.test(name) ? 'legacy' : /tables-nft/.test(name) ? 'nft' : undefined,
  }
}
