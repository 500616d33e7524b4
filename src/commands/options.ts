import { resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { notExecutable } from '../lab/executable.js'

/** `--iptables nft|legacy`. */
export function backendOption(): Option {
  return new Option('--iptables <backend>', "iptables backend; the machine's default otherwise").choices([
    'nft',
    'legacy',
  ])
}

/** `--kube-proxy PATH`. */
export function kubeProxyOption(): Option {
  return new Option(
    '--kube-proxy <path>',
    'run this kube-proxy on every node instead of the built-in rules',
  ).argParser((path: string) => {
    const problem = notExecutable(path)
    if (problem !== undefined) throw new InvalidArgumentError(`It ${problem}.`)
    return resolve(path)
  })
}

/** `--ignore KIND`, more than once. */
export function ignoreOption(): Option {
  return new Option('--ignore <kind>', 'leave objects of this kind out (repeatable)')
    .argParser((kind: string, kinds: readonly string[]) => [...kinds, kind])
    .default([], 'none')
}

/** A whole number from 1 up. */
export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number from 1 up.')
  return value
}

/** A whole number from 0 up. */
export function wholeNumber(text: string): number {
  return text === '0' ? 0 : positiveNumber(text)
}
