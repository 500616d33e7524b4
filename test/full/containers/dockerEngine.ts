import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync } from 'node:fs'
import { readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Docker from 'dockerode'
import { until } from '../../until.js'

/** A Docker engine of a test's own. */
export interface TestEngine {
  readonly socket: string
  readonly docker: Docker
  /** Ends it with all that it runs, and removes what it kept. */
  stop(): Promise<void>
}

const needed = ['dockerd', 'containerd', 'runc', 'mmdebstrap', 'unshare', 'setpriv']
const missing = needed.filter(
  (tool) => spawnSync('sh', ['-c', 'PATH=$PATH:/usr/sbin:/sbin command -v "$0"', tool]).status !== 0,
)

/** Why no engine can be started here, as far as it shows before one is. */
export const noEngine: string | false =
  process.getuid?.() !== 0
    ? 'only root may start a Docker engine'
    : missing.length > 0 && `missing here: ${missing.join(', ')}`

/**
 * In mount and PID namespaces of its own: what it mounts, and writes to /etc, /run and /opt, ends with it, and so does
 * every process of it. It gets no bridge and no rules, so that nothing of it shows on the machine.
 */
const init = `
set -e
folder=$1; shift
resolv=$(cat /etc/resolv.conf 2>/dev/null || :)
mkdir "$folder/layers"
mount -t tmpfs tmpfs "$folder/layers"
for name in etc run opt; do
  [ -d "/$name" ] || continue
  mkdir "$folder/layers/$name" "$folder/layers/$name.work"
  mount -t overlay -o "lowerdir=/$name,upperdir=$folder/layers/$name,workdir=$folder/layers/$name.work" overlay "/$name"
done
rm -f /etc/resolv.conf
printf '%s\\n' "$resolv" >/etc/resolv.conf
exec dockerd "$@"
`

/** Starts an engine; a text says why it did not start. */
export async function startEngine(): Promise<TestEngine | string> {
  forgetDead()
  const folder = mkdtempSync(join(tmpdir(), `vethlab-docker-${process.pid}-`))
  const socket = join(folder, 'socket')
  const log = join(folder, 'log')
  const group = `/vethlab-test-${process.pid}`
  const output = openSync(log, 'w')
  const namespaces = [
    '--mount',
    '--propagation',
    'private',
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
  ]
  const child = spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'KILL', 'unshare', ...namespaces, 'sh', '-c', init, 'engine', folder],
      ...[
        '--host',
        `unix://${socket}`,
        '--data-root',
        join(folder, 'data'),
        '--exec-root',
        join(folder, 'exec'),
      ],
      ...[
        '--pidfile',
        join(folder, 'pid'),
        '--cgroup-parent',
        group,
        '--exec-opt',
        'native.cgroupdriver=cgroupfs',
      ],
      ...['--bridge=none', '--iptables=false', '--ip6tables=false', '--ip-forward=false', '--ip-masq=false'],
    ],
    {
      stdio: ['ignore', output, output],
      env: { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` },
    },
  )
  closeSync(output)
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await removeGroup(group)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const docker = new Docker({ socketPath: socket })
  let answered = false
  const answersOrEnds = async () => {
    answered = await docker.ping().then(
      () => true,
      () => false,
    )
    return answered || child.exitCode !== null
  }
  await until(answersOrEnds)
  if (answered) return { socket, docker, stop }
  const last = readFileSync(log, 'utf8').trim().split('\n').at(-1)
  await stop()
  return `the Docker engine does not start: ${last}`
}

/** Imports a minimal Debian as an image, made once and kept where CI may keep it; a text says why there is none. */
export async function importBase({ docker }: TestEngine, image: string): Promise<string | undefined> {
  let file: string
  try {
    file = await baseArchive('trixie')
  } catch (error) {
    const { message, stderr } = error as { message: string; stderr?: string }
    return `no base image can be made: ${(stderr ?? message).trim().split('\n').at(-1)}`
  }
  const [repo, tag] = image.split(':')
  const progress = await docker.importImage(file, { repo, tag })
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(progress, (error) => (error ? reject(error) : resolve()))
  })
  return undefined
}

async function baseArchive(release: string): Promise<string> {
  // as apt of this machine reaches its packages
  const { stdout } = await promisify(execFile)('apt-config', ['dump'])
  const reach = stdout
    .split('\n')
    .filter((line) => /^Acquire::(.*Proxy|Check-(Valid-Until|Date)) /.test(line))
  // as in Debian's own images for containers: nothing is forced to the disk, no manuals
  const slim = ['force-unsafe-io', 'path-exclude=/usr/share/man/*', 'path-exclude=/usr/share/doc/*']
  const args = [
    ...['--quiet', '--variant=apt', ...slim.map((line) => `--dpkgopt=${line}`)],
    ...['Acquire::Languages "none"', ...reach].map((line) => `--aptopt=${line}`),
    release,
  ]
  const cache =
    process.env['VETHLAB_CACHE'] ??
    join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'vethlab')
  const recipe = createHash('sha256').update(args.join('\n')).digest('hex').slice(0, 12)
  const file = join(cache, `base-${release}-${process.arch}-${recipe}.tar`)
  if (existsSync(file)) return file
  mkdirSync(cache, { recursive: true })
  for (const old of readdirSync(cache))
    if (old.startsWith(`base-${release}-`)) rmSync(join(cache, old), { force: true })
  const made = `${file}.${process.pid}.tar`
  try {
    await promisify(execFile)('mmdebstrap', [...args, made], { timeout: 600_000 })
    renameSync(made, file)
  } finally {
    rmSync(made, { force: true })
  }
  return file
}

/** The folders in which control groups of version 1 and 2 are. */
function groupRoots(): string[] {
  const root = '/sys/fs/cgroup'
  return existsSync(root) ? [root, ...readdirSync(root).map((name) => join(root, name))] : []
}

/** Removes a control group everywhere, once the processes in it have ended. */
async function removeGroup(name: string): Promise<void> {
  const folders = groupRoots().map((root) => join(root, name))
  await until(() => {
    for (const folder of folders) removeFolders(folder)
    return !folders.some((folder) => existsSync(folder))
  })
}

function removeFolders(folder: string): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeFolders(join(folder, entry.name))
  try {
    rmdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error
  }
}

/** Removes what tests kept that were killed. */
function forgetDead(): void {
  const isDead = (pid: string | undefined) => pid !== undefined && !existsSync(`/proc/${pid}`)
  for (const root of groupRoots().filter((folder) => existsSync(join(folder, 'cgroup.procs'))))
    for (const name of readdirSync(root))
      if (isDead(/^vethlab-test-(\d+)$/.exec(name)?.[1])) removeFolders(join(root, name))
  for (const name of readdirSync(tmpdir()))
    if (isDead(/^vethlab-docker-(\d+)-/.exec(name)?.[1]))
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
}
