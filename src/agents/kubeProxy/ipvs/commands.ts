import { ipsetLines } from './ipset.js'
import { ipvsadmLines } from './ipvsadm.js'
import { ipvsRestore, restoreCommand } from './restore.js'
import { ipvsDevice, type IpvsCommand, type IpvsState } from './types.js'

/**
 * The commands that create the state in an empty network namespace, in kube-proxy's order: addresses, ipsets,
 * virtual servers, rules. Everything except the sysctls is of one family.
 */
export function ipvsCommands(
  state: IpvsState,
  sysctls: Readonly<Record<string, number>>,
): readonly IpvsCommand[] {
  const bits = state.family === 'IPv4' ? 32 : 128
  return [
    {
      argv: ['sysctl', '--quiet', '--load=-'],
      input: inputOf(Object.entries(sysctls).map(([name, value]) => `${name} = ${value}`)),
    },
    {
      argv: ['ip', '-batch', '-'],
      input: inputOf([
        `link add ${ipvsDevice} type dummy`,
        ...state.addresses.map((address) => `address add ${address}/${bits} dev ${ipvsDevice}`),
      ]),
    },
    { argv: ['ipset', 'restore'], input: inputOf(ipsetLines(state)) },
    { argv: ['ipvsadm', '--restore'], input: inputOf(ipvsadmLines(state.virtualServers)) },
    { argv: restoreCommand(state.family), input: ipvsRestore(state) },
  ]
}

/** The commands as a script for /bin/sh, each with its input in a here-document. */
export function commandScript(commands: readonly IpvsCommand[]): string {
  return commands
    .filter(({ input }) => input !== '')
    .map(({ argv, input }) => `${argv.join(' ')} <<'END'\n${input}END\n`)
    .join('\n')
}

/** Lines as the standard input of a command. */
export function inputOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
