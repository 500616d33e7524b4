import { InvalidArgumentError, Option } from 'commander'

/** `--iptables nft|legacy`. */
export function backendOption(): Option {
  return new Option('--iptables <backend>', "iptables backend; the machine's default otherwise").choices([
    'nft',
    'legacy',
  ])
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
