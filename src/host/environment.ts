import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { CannotRunError } from '../errors.js'
import { install } from './doctor/install.js'

/** Debian's folders for network tools, which are not in an ordinary user's PATH. */
export const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/local/bin', '/usr/bin', '/bin']

/** A folder of the sandbox that comes first on the PATH of the lab's commands. A lab can write to it. */
export const sandboxTools = '/run/vethlab/bin'

/** A folder of the sandbox that comes first on the PATH of vethlab's tools. Only they see it. */
export const ownTools = '/.vethlab'

/** The home folder of processes in a sandbox; empty. */
const sandboxHome = '/run/vethlab/home'

/** The only variables of the caller's environment that commands get: terminal settings and time zone. */
const passedOn = ['TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'TZ']

/** Folders that a sandbox has itself: of the same name, on the host, they have nothing to do with it. */
const madeInside = ['/dev', '/proc', '/run', '/sys']

/**
 * The environment of every tool: untranslated messages, and a PATH with the system's tools. It has no other variables
 * of the caller, such as the tokens of a CI system. The PATH has no folder that a lab could make.
 */
export function toolEnvironment(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(isOfHost)
  const path = [ownTools, ...folders, ...systemFolders.filter((folder) => !folders.includes(folder))].join(
    delimiter,
  )
  const same = passedOn.flatMap((name) => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(same), PATH: path, LC_ALL: 'C', HOME: sandboxHome }
}

function isOfHost(folder: string): boolean {
  return (
    isAbsolute(folder) && existsSync(folder) && !madeInside.some((own) => `${folder}/`.startsWith(`${own}/`))
  )
}

/** The environment of a lab's commands: the lab's own tools come first on the PATH. */
export function labEnvironment(): Record<string, string> {
  const tools = toolEnvironment()
  return { ...tools, PATH: [sandboxTools, tools['PATH']].join(delimiter) }
}

/** Options of execa for a tool: its environment, and an exit code is a result. */
export function asTool() {
  return { env: toolEnvironment(), extendEnv: false, reject: false } as const
}

/** Absolute path of a tool, or undefined; checks files only, starts nothing. */
export function findTool(name: string, path: string = toolEnvironment()['PATH'] ?? ''): string | undefined {
  return filesNamed(name, path).find(isExecutable)
}

const paths = new Map<string, string>()

/**
 * The path of a tool that runs before a command of the lab, with more rights: that command's own PATH begins with a folder of the
 * lab. The name itself if the host has none.
 */
export function toolPath(name: string): string {
  const path = paths.get(name) ?? findTool(name) ?? name
  paths.set(name, path)
  return path
}

/** Whether a tool is in a folder that a lab can never write. */
export function inSystemFolders(name: string): boolean {
  return findTool(name, systemFolders.join(delimiter)) !== undefined
}

/** Absolute path of a file with a tool's name that is not executable; undefined if the tool itself exists. */
export function brokenTool(name: string, path: string = toolEnvironment()['PATH'] ?? ''): string | undefined {
  const files = filesNamed(name, path)
  return files.some(isExecutable) ? undefined : files.find((file) => existsSync(file))
}

function filesNamed(name: string, path: string): string[] {
  return path.split(delimiter).map((folder) => join(folder, name))
}

function isExecutable(file: string): boolean {
  if (!existsSync(file)) return false
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** Debian package of each tool that labs use. */
export const packageOf: Readonly<Record<string, string>> = {
  unshare: 'util-linux',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
  mount: 'mount',
  ip: 'iproute2',
  sysctl: 'procps',
  iptables: 'iptables',
  'iptables-restore': 'iptables',
  'iptables-save': 'iptables',
  tcpdump: 'tcpdump',
  conntrack: 'conntrack',
  curl: 'curl',
  nginx: 'nginx-light libnginx-mod-stream',
  nc: 'netcat-openbsd',
  ping: 'iputils-ping',
  xargs: 'findutils',
  named: 'bind9',
  dnsmasq: 'dnsmasq-base',
  socat: 'socat',
  dig: 'bind9-dnsutils',
  nft: 'nftables',
  script: 'bsdutils',
  perl: 'perl-base',
}

/** Throws CannotRunError with every tool of the list that is not installed, and the command that installs them. */
export function requireTools(names: readonly string[]): void {
  requireLinux()
  const path = toolEnvironment()['PATH'] ?? ''
  const missing = [...new Set(names)].filter((name) => findTool(name, path) === undefined)
  if (missing.length === 0) return
  const broken = missing.flatMap((name) => brokenTool(name, path) ?? [])
  const there = broken.map((file) => `; ${file} exists but is not executable`).join('')
  const remedy = installCommand(missing, broken.length > 0)
  throw new CannotRunError(`not installed on this host: ${missing.join(', ')}${there}`, remedy)
}

/** The command that installs tools, or with `again` replaces broken ones. */
export function installCommand(names: readonly string[], again: boolean): string {
  const packages = names.flatMap((name) => (packageOf[name] ?? name).split(' '))
  return install([...new Set(packages)], { again })
}

/** Throws CannotRunError on a host without a Linux kernel: labs are made of its namespaces. */
export function requireLinux(): void {
  if (process.platform === 'linux') return
  throw new CannotRunError(
    `labs need a Linux kernel, and this host has ${process.platform}; \`check\`, \`why\`, \`trace\`, \`render\` and \`diff\` of files work here`,
    'a virtual machine (`vagrant up` in a clone of vethlab), or a privileged container of its image',
  )
}

/** /proc, which finding and starting labs depends on; throws CannotRunError if it is not mounted, and without Linux. */
export function requireProc(): string {
  requireLinux()
  if (existsSync('/proc/self/stat')) return '/proc'
  throw new CannotRunError('/proc is not mounted', 'sudo mount -t proc proc /proc')
}
