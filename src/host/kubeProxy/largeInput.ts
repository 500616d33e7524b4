import { execa } from 'execa'
import type { IpFamily } from '../../net/ipFamily.js'
import { splitNft } from '../../netfilter/splitNft.js'
import { splitRestore } from '../../netfilter/splitRestore.js'
import { shellWord } from '../../text/shellWord.js'
import { findTool, sandboxTools } from '../environment.js'
import type { Iptables } from '../backend.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { cliPath } from '../builtFiles.js'

/** Where the programs are written before they are installed. */
const folder = '/run/vethlab/large-input'

/** How the input of a tool is split: that of iptables-restore into several commits, that of nft into several transactions. */
export const inputForms = ['restore', 'nft'] as const
export type InputForm = (typeof inputForms)[number]

/**
 * Puts programs first on the PATH of a sandbox that retry in parts what the kernel refuses as too long. In a user namespace
 * nft and iptables-nft cannot enlarge the buffer of their socket, and a kube-proxy binary does not split its rules.
 */
export async function acceptLargeInput(sandbox: Sandbox, iptables: Iptables): Promise<void> {
  if (sandbox.owner === 0) return
  const families: readonly IpFamily[] = ['IPv4', 'IPv6']
  const restores = (iptables.backend === 'nft' ? families : []).map((family) => ({
    name: family === 'IPv4' ? 'iptables-restore' : 'ip6tables-restore',
    tool: findTool(iptables.program(family, 'restore')),
    form: 'restore' as const,
  }))
  const programs = [...restores, { name: 'nft', tool: findTool('nft'), form: 'nft' as const }].flatMap(
    ({ name, tool, form }) =>
      tool === undefined ? [] : [{ path: `${folder}/${name}`, text: retrying(tool, form) }],
  )
  await sandbox.writeFiles(programs)
  const install = ['install', '-m', '755', '-t', sandboxTools, ...programs.map(({ path }) => path)]
  if (programs.length > 0) await sandbox.must('installing programs in the sandbox', install)
}

/** A shell script that runs a tool, and runs it in parts if that fails because its input is too long. */
export function retrying(tool: string, form: InputForm): string {
  const inParts = [process.execPath, cliPath(), 'in-parts', form, tool].map(shellWord).join(' ')
  // only the input of a transaction is kept; lists and versions have none
  const others =
    form === 'restore' ? '' : `case " $* " in *' -f - '*) ;; *) exec ${shellWord(tool)} "$@" ;; esac\n`
  return `#!/bin/sh
${others}kept=$(mktemp -d) || exit 4
trap 'rm -rf "$kept"' EXIT
cat >"$kept/input"
${shellWord(tool)} "$@" <"$kept/input" 2>"$kept/errors"
code=$?
if [ "$code" -ne 0 ] && grep -q 'Message too long' "$kept/errors"; then
  ${inParts} -- "$@" <"$kept/input"
  exit
fi
cat "$kept/errors" >&2
exit "$code"
`
}

/** Runs a tool with its input in parts, until one fails; returns its exit code. It has the output and environment of this process. */
export async function runInParts(form: InputForm, argv: readonly string[], input: string): Promise<number> {
  const [tool = '', ...args] = argv
  for (const part of form === 'nft' ? splitNft(input) : [splitRestore(input)]) {
    const { exitCode = 4 } = await execa(tool, args, {
      reject: false,
      input: part,
      stdout: 'inherit',
      stderr: 'inherit',
    })
    if (exitCode !== 0) return exitCode
  }
  return 0
}
