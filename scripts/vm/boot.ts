import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { $ } from 'zx'
import type { VmImage } from './image.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface BootOptions {
  readonly timeoutMs: number
  /** The folder for the files that the command wrote to /out; by default they are discarded. */
  readonly out: string | undefined
  readonly log: (line: string) => void
}

/** Exit code for a failure of the virtual machine itself. */
const failed = 1

/** A command of vethlab as a script for the guest's shell. */
export function guestCommand(command: readonly string[]): string {
  return [
    'exec node dist/cli.cjs',
    ...command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`),
  ].join(' ')
}

/** Boots a machine with this checkout's build, runs the script in it, and resolves with its exit code. */
export async function boot(image: VmImage, script: string, options: BootOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-vm-'))
  const file = (name: string) => join(folder, name)
  try {
    writeFileSync(file('vm-run.sh'), `${script}\n`)
    await $({
      quiet: true,
    })`tar -cf ${file('project.tar')} -C ${root} dist labs docs package.json -C ${folder} vm-run.sh`
    for (const [name, size] of [
      ['out.img', 256 * 1024 * 1024],
      ['console.txt', 0],
      ['code.txt', 0],
    ] as const) {
      writeFileSync(file(name), '')
      truncateSync(file(name), size)
    }
    // setpriv, so that the virtual machine ends with a SIGKILL of this process; a pipe, because qemu would reopen our
    // stdout, which truncates a file and fails for a socket
    const qemu = spawn('setpriv', ['--pdeathsig', 'KILL', 'qemu-system-x86_64', ...machine(image, file)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    qemu.stdout.pipe(process.stdout, { end: false })
    const ended = await endOf(qemu, options.timeoutMs)
    const code = readFileSync(file('code.txt'), 'utf8').trim()
    if (!/^\d+$/.test(code)) {
      options.log(`the virtual machine ended without a result: ${ended}; the end of its console:`)
      process.stderr.write(readFileSync(file('console.txt'), 'utf8').split('\n').slice(-30).join('\n'))
      return failed
    }
    if (options.out !== undefined) {
      mkdirSync(options.out, { recursive: true })
      await $({ quiet: true })`tar -xf ${file('out.img')} -C ${options.out} --no-same-owner`
    }
    return Number(code)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function machine(image: VmImage, file: (name: string) => string): string[] {
  const drive = (path: string, more: string) => ['-drive', `file=${path},format=raw,if=virtio,${more}`]
  return [
    // kvm must be requested, because nested kvm hangs on some hosts
    ...['-machine', 'q35', '-accel', process.env['VETHLAB_VM_ACCEL'] ?? 'tcg,thread=multi'],
    ...['-cpu', 'max', '-smp', '2', '-m', '2048', '-nodefaults', '-no-reboot', '-display', 'none'],
    ...['-kernel', image.kernel, '-initrd', image.initrd],
    ...['-append', 'root=/dev/vda rw quiet console=ttyS0 panic=-1 init=/usr/local/sbin/vm-init'],
    // changes of the disk are discarded
    ...drive(image.disk, 'snapshot=on'),
    ...drive(file('project.tar'), 'readonly=on'),
    ...drive(file('out.img'), 'cache=unsafe'),
    ...['-chardev', 'stdio,id=output,signal=off'],
    ...['-serial', `file:${file('console.txt')}`, '-serial', 'chardev:output'],
    ...['-serial', `file:${file('code.txt')}`],
  ]
}

/** Returns how the virtual machine ended. Kills it, by its pid, at the time limit and when this process gets a signal. */
async function endOf(qemu: ChildProcess, timeoutMs: number): Promise<string> {
  let why = ''
  let said = ''
  qemu.stderr?.on('data', (part: Buffer) => (said += String(part)))
  const end = (reason: string) => {
    why = reason
    qemu.kill('SIGKILL')
  }
  const timer = setTimeout(() => end(`it exceeded its ${timeoutMs / 1000} seconds`), timeoutMs)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const onSignal = (signal: NodeJS.Signals) => end(`${signal} was received`)
  for (const signal of signals) process.once(signal, onSignal)
  const onBrokenPipe = () => end('the reader of its output has ended')
  process.stdout.once('error', onBrokenPipe)
  try {
    return await new Promise<string>((resolve, reject) => {
      qemu.once('error', reject)
      qemu.once('close', (code) =>
        resolve(why || `qemu exited with ${code ?? 'no code'} ${said.trim()}`.trim()),
      )
    })
  } finally {
    clearTimeout(timer)
    for (const signal of signals) process.off(signal, onSignal)
    process.stdout.off('error', onBrokenPipe)
  }
}
