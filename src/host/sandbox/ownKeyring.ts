import { readFileSync } from 'node:fs'
import { requireTools } from '../environment.js'

/** The number of keyctl(2), by `process.arch`. */
export const keyctlNumber: Readonly<Record<string, number>> = {
  ...{ x64: 250, arm64: 219, riscv64: 219, loong64: 219, arm: 311, ia32: 288, ppc64: 271, s390x: 280 },
}

/** KEYCTL_JOIN_SESSION_KEYRING without a name: a new keyring. */
const join = 1

/**
 * A prefix that gives a command a session keyring of its own (session-keyring(7)), because those who have a keyring can read its
 * keys. Empty if the caller's keyrings have no keys, as they usually have not. Throws CannotRunError if they have, and there is no
 * perl, which does what no tool of util-linux does.
 */
export function ownKeyring(): readonly string[] {
  return (prefix ??= hasKeys(visibleKeys()) ? joinKeyring() : [])
}

let prefix: readonly string[] | undefined

function joinKeyring(): readonly string[] {
  requireTools(['perl'])
  const number = keyctlNumber[process.arch] ?? 0
  return [
    'perl',
    '-e',
    `syscall(${number}, ${join}, 0) > 0 or die "keyctl: $!\\n"; exec @ARGV or exit 127`,
    '--',
  ]
}

/** Whether a text of proc_keys(5) has other keys than keyrings. */
export function hasKeys(keys: string): boolean {
  return keys.split('\n').some((line) => {
    const type = line.trim().split(/\s+/)[7]
    return type !== undefined && type !== 'keyring'
  })
}

function visibleKeys(): string {
  try {
    return readFileSync('/proc/keys', 'utf8')
  } catch {
    // the kernel has no keys, or no such file: then no process finds one
    return ''
  }
}
