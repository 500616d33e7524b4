import { execa } from 'execa'
import { asTool, labEnvironment } from '../environment.js'
import { processesFrom, sendSignal } from './processTree.js'

/** How long a command has to end after SIGTERM or SIGHUP before it is killed. */
const graceMs = 1000

/**
 * Runs a command of `Sandbox.command` on this terminal until it ends, and forwards signals to it. Returns how it ended, and
 * the signal that was forwarded to end it.
 */
export async function runOnTerminal(
  [file = '', ...argv]: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  // before the command starts: an earlier signal would end only this process
  const signals = passSignals(() => command.pid)
  const command = execa(file, argv, {
    stdio: 'inherit',
    ...asTool(),
    cleanup: false,
    env: { ...labEnvironment(), ...env },
  })
  const { exitCode, failed, signal, originalMessage } = await command
  signals.stop()
  return { exitCode, failed, signal, originalMessage, passed: signals.ending }
}

/**
 * Forwards signals to a command that nsenter has forked, because nsenter forwards none. The terminal sends Ctrl-C to the command
 * directly, and the command decides how to react: a shell continues.
 */
function passSignals(nsenterPid: () => number | undefined) {
  const passed = { ending: undefined as NodeJS.Signals | undefined, stop: () => undefined as void }
  const send = (signal: NodeJS.Signals) => {
    for (const pid of processesFrom(nsenterPid() ?? 0).slice(1)) sendSignal(pid, signal)
  }
  const handlers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const handler = () => {
      if (nsenterPid() === undefined || (signal === 'SIGINT' && process.stdin.isTTY)) return
      send(signal)
      if (signal === 'SIGINT') return
      passed.ending = signal
      setTimeout(() => send('SIGKILL'), graceMs).unref()
    }
    process.on(signal, handler)
    return () => process.off(signal, handler)
  })
  passed.stop = () => handlers.forEach((off) => off())
  return passed
}
