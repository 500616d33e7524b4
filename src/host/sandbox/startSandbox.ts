import { readFileSync, writeFileSync } from 'node:fs'
import { CannotRunError } from '../../errors.js'
import { requireTools, toolEnvironment } from '../environment.js'
import { requireLimits } from '../doctor/requireLimits.js'
import { idMapLine, idRange, type IdRange } from './idRange.js'
import { mountTable, presentDevices } from './mountTable.js'
import { onlyChild } from './processTree.js'
import { streamLines } from '../streamLines.js'
import { makeLabGroup, type LabGroup } from '../groups/labGroup.js'
import { ownKeyring } from './ownKeyring.js'
import { makeSandbox, type Sandbox } from './sandbox.js'
import { endGroup, hung, longestCommandMs } from './toolFailure.js'
import { startTool } from './toolProcess.js'
import { endsWithParent, setprivFault } from './endsWithParent.js'
import { becomeRoot, outerInit, sandboxInit, sandboxMark } from './sandboxInit.js'
import { refusalReason, sandboxRemedy } from './sandboxRemedy.js'
import { otherNamespaces, processNamespace, sandboxNamespaces } from './sandboxNamespaces.js'
import { visibleFiles, type VisibleFiles } from './visibleFiles.js'

export interface SandboxOptions {
  /** Why its root must be the host's; otherwise the sandbox has a user namespace. */
  readonly asHostRoot?: string | undefined
  /** Files and folders of the host that it can read even if they are in a hidden folder. */
  readonly show?: readonly string[] | undefined
  /** Stops the sandbox, also while it is being created. */
  readonly signal?: AbortSignal | undefined
}

/** A sandbox that this process created. */
export interface OwnSandbox extends Sandbox {
  /** Ends every process in the sandbox; resolves when the kernel has removed it. */
  stop(): Promise<void>
}

/**
 * Creates a sandbox; `withSandbox` creates one and stops it. Throws CannotRunError if the kernel does not allow it.
 *
 * As root, the sandbox's root is mapped to an id that no user of the host has. If the kernel or a container does not allow
 * that, it is the host's root, and `weakness` is the reason.
 *
 * Without root there are three nested user namespaces. In the innermost one this user is root, and the lab runs there. In the
 * next one the user is root too, and creates the mounts that the lab cannot undo. In the outermost one the user keeps its id,
 * and has all capabilities over the inner ones as their owner (user_namespaces(7)). tcpdump runs there: as root it would set its
 * groups, which such a namespace forbids.
 */
export async function startSandbox(label: string, options: SandboxOptions = {}): Promise<OwnSandbox> {
  requireTools(['unshare', 'nsenter', 'setpriv', 'mount'])
  requireLimits()
  const init = ['sh', '-c', sandboxInit, sandboxMark, label]
  const files = visibleFiles(options.show ?? [])
  const { signal } = options
  const made = makeLabGroup()
  const group = typeof made === 'string' ? undefined : made
  try {
    if (process.getuid?.() !== 0) {
      const about = { rootless: true, weakness: undefined, group }
      return await launch(rootlessCommand(files, init), about, { signal })
    }
    const isMapped = options.asHostRoot === undefined
    const mapped = isMapped ? await mappedSandbox(files, init, group, signal) : undefined
    if (mapped?.sandbox !== undefined) return mapped.sandbox
    const weakness = options.asHostRoot ?? `${mapped?.refusal ?? ''}; \`vethlab doctor\` names the fix`
    const command = [...endsWithParent, 'unshare', ...sandboxNamespaces, ...init, 'host-root']
    return await launch(
      outer('same', 'yes', files, command),
      { rootless: false, weakness, group },
      { signal },
    )
  } catch (error) {
    await group?.remove()
    throw await toCannotRun(error)
  }
}

/** A sandbox whose root is no user of the host, or why that is not possible. */
async function mappedSandbox(
  files: VisibleFiles,
  init: readonly string[],
  group: LabGroup | undefined,
  signal: AbortSignal | undefined,
): Promise<{ sandbox?: OwnSandbox; refusal?: string }> {
  const ids = idRange(readFileSync('/proc/self/uid_map', 'utf8'))
  if (ids === undefined) return { refusal: 'too few user ids are mapped here' }
  try {
    const about = { rootless: false, weakness: undefined, group }
    return { sandbox: await launch(mappedCommand(ids, files, init), about, { ids, signal }) }
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error
    return { refusal: error.message.split('\n').at(-1) ?? '' }
  }
}

/** A command in a mount namespace with the sandbox's root, which the sandbox cannot change; see `outerInit` for the arguments. */
function outer(
  owner: string,
  privileged: 'yes' | '',
  { folders, files, links }: VisibleFiles,
  command: readonly string[],
  user: readonly string[] = [],
): string[] {
  return [
    ...['unshare', ...user, '--mount', '--propagation', 'private'],
    ...['sh', '-c', outerInit, 'outer', owner, privileged, mountTable(folders)],
    ...[...presentDevices(), '--', ...files, '--'],
    ...[...links.flatMap(({ path, target }) => [path, target]), '--', ...command],
  ]
}

/**
 * The PID namespace, with its /proc, is created before the user namespace: inside one, the kernel mounts a new /proc only if no
 * part of the current one is hidden, as it is in a container.
 */
function mappedCommand({ first }: IdRange, files: VisibleFiles, init: readonly string[]): string[] {
  const user = ['unshare', '--user', '--keep-caps', 'sh', '-c', becomeRoot, 'become-root']
  return outer(String(first), '', files, [
    ...[...endsWithParent, 'unshare', ...processNamespace, ...user],
    ...['unshare', ...otherNamespaces, ...init],
  ])
}

function rootlessCommand(files: VisibleFiles, init: readonly string[]): string[] {
  const user = ['--user', '--map-root-user']
  const inner = [...endsWithParent, 'unshare', ...user, ...sandboxNamespaces, ...init]
  return [
    ...['unshare', '--user', '--map-current-user', ...endsWithParent, 'sh', '-c', waitForInner, 'outer'],
    ...outer('same', '', files, inner, user),
  ]
}

/** Keeps running as the parent: the outer user namespace needs a process for others to join it. */
const waitForInner = '"$@"; exit $?'

/** A sandbox that is being created; it ends when its standard input ends. */
type Making = ReturnType<typeof begin>

function begin(command: readonly string[], group: LabGroup | undefined) {
  return startTool([...ownKeyring(), ...(group?.enter ?? []), ...command], {
    env: toolEnvironment(),
    open: true,
    keep: true,
  })
}

/** Runs a command that becomes a sandbox until the sandbox is ready; maps its ids when it waits for them. Throws NotAllowed. */
async function launch(
  command: readonly string[],
  about: Pick<Sandbox, 'rootless' | 'weakness' | 'group'>,
  { ids, signal }: { ids?: IdRange; signal: AbortSignal | undefined },
): Promise<OwnSandbox> {
  signal?.throwIfAborted()
  const child = begin(command, about.group)
  let isLate = false
  const end = () => endGroup(child.pid)
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, longestCommandMs)
  // a process that hangs does not detect the end of its standard input
  process.on('exit', end)
  signal?.addEventListener('abort', end)
  try {
    await untilReady(child, ids)
    return sandboxOf(child, about, signal)
  } catch (error) {
    signal?.throwIfAborted()
    throw isLate ? hung(command) : error
  } finally {
    clearTimeout(timer)
    process.off('exit', end)
    signal?.removeEventListener('abort', end)
  }
}

async function untilReady(child: Making, ids: IdRange | undefined): Promise<void> {
  // if it has ended, its result has the error
  child.stdin?.on('error', () => undefined)
  const words = streamLines(child.stdout)
  if (ids !== undefined) {
    if (!(await words.hold('map'))) throw await refusal(child)
    try {
      mapIds(childOf(child.pid ?? 0), ids)
    } catch (error) {
      child.stdin?.end()
      await child
      throw new NotAllowed((error as Error).message)
    }
    child.stdin?.write('\n')
  }
  if (!(await words.hold('ready'))) throw await refusal(child)
}

function mapIds(pid: number, ids: IdRange): void {
  for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${pid}/${map}`, idMapLine(ids))
}

async function refusal(child: Making): Promise<NotAllowed> {
  const { stderr, message } = await child
  return new NotAllowed(`${message}: ${stderr.trim()}`)
}

/** The sandbox of the last process that creates it, whose child is the sandbox's first process. */
function sandboxOf(
  child: Making,
  about: Pick<Sandbox, 'rootless' | 'weakness' | 'group'>,
  signal: AbortSignal | undefined,
): OwnSandbox {
  const pid = childOf(about.rootless ? childOf(child.pid ?? 0) : (child.pid ?? 0))
  const end = () => void child.stdin?.end()
  signal?.addEventListener('abort', end)
  const ended = child.then(() => signal?.removeEventListener('abort', end))
  const stop = async () => {
    end()
    await ended
    await about.group?.remove()
  }
  return { ...makeSandbox({ pid, ...about, ended }), stop }
}

function childOf(parent: number): number {
  const child = onlyChild(parent)
  if (child === undefined) throw new CannotRunError('the sandbox ended while it was being made')
  return child
}

/** The kernel does not allow a sandbox of this kind. */
class NotAllowed extends Error {}

async function toCannotRun(error: unknown): Promise<unknown> {
  if (!(error instanceof NotAllowed)) return error
  const broken = await setprivFault()
  if (broken !== undefined) return broken
  const rootless = process.getuid?.() !== 0
  const reason = refusalReason(rootless)
  const what = `the kernel refused a sandbox: ${error.message}`
  return new CannotRunError(reason === undefined ? what : `${what}\n  ${reason}`, sandboxRemedy(rootless))
}
