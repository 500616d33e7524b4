import { resolve } from 'node:path'
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { IpFamily } from '../net/ipFamily.js'
import { notExecutable } from '../host/executable.js'
import { ownerProblem, ownerVariable } from '../host/owner.js'
import { modeNames, type ModeName } from '../agents/kubeProxy/config.js'
import { languageOf, languages, type Language } from '../text/language.js'

/** `--iptables nft|legacy`. */
export function backendOption(): Option {
  return new Option('--iptables <backend>', "iptables backend (default: the host's)").choices([
    'nft',
    'legacy',
  ])
}

/** `--mode iptables|nftables`. */
export function modeOption(description: string, modes: readonly ModeName[]): Option {
  return new Option('--mode <mode>', description).choices(modes)
}

/** `--mode`, for the kube-proxies of labs. */
export function labModeOption(): Option {
  const description = "mode of kube-proxy (default: the lab's, or iptables)"
  return modeOption(description, modeNames)
}

/** `--mode`, with several modes for `--compare`. */
export function labModesOption(): Option {
  const description = `mode of kube-proxy: ${modeNames.join(', ')} (default: the lab's, or iptables); with --compare several, with a comma`
  return new Option('--mode <mode>', description).argParser((text: string) => {
    const modes = text.split(',').map((name) => modeNames.find((mode) => mode === name))
    const known = modes.filter((mode) => mode !== undefined)
    if (known.length < modes.length || new Set(known).size < known.length)
      throw new InvalidArgumentError(
        `It must be one of ${modeNames.join(', ')}; with --compare several, with a comma.`,
      )
    return known
  })
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

/** `--families IPv4|IPv6|IPv4,IPv6`. */
export function familiesOption(): Option {
  return new Option(
    '--families <families>',
    'address families of labs that set none: IPv4, IPv6, or both with a comma, the primary family first',
  ).argParser(readFamilies)
}

/** `IPv4,IPv6` as families, the primary one first. */
export function readFamilies(text: string): IpFamily[] {
  const families = text.split(',')
  const known = families.filter((family): family is IpFamily => family === 'IPv4' || family === 'IPv6')
  if (known.length < families.length || new Set(known).size < known.length)
    throw new InvalidArgumentError('It must be IPv4, IPv6, IPv4,IPv6 or IPv6,IPv4.')
  return known
}

/** `--lang en|ko`; `what` is what it applies to. */
export function languageOption(what: string): Option {
  return new Option(
    '--lang <language>',
    `language of ${what} (default: that of LC_ALL, LC_MESSAGES or LANG)`,
  ).choices(languages)
}

/** The language that `--lang` requests, otherwise that of the environment. */
export function chosenLanguage(requested: Language | undefined): Language {
  return requested ?? languageOf(process.env)
}

/** The options on which the language of an answer depends. */
export interface LanguageFlags {
  readonly json?: true
  readonly lang?: Language
}

/** The language of an answer. Programs read JSON: the environment does not change it. */
export function languageIn({ json, lang }: LanguageFlags): Language {
  return json === true ? (lang ?? 'en') : chosenLanguage(lang)
}

/** `--ignore KIND`, more than once. */
export function ignoreOption(): Option {
  return new Option('--ignore <kind>', 'ignore objects of this kind, or Kind.group (repeatable)')
    .argParser((kind: string, kinds: readonly string[]) => [...kinds, kind])
    .default([], 'none')
}

/** `--commands echo|strict`. */
export function commandsOption(): Option {
  return new Option(
    '--commands <how>',
    'containers with a command that only their image has: echo replaces them by the echo server, strict makes them an error (default: echo)',
  ).choices(['echo', 'strict'])
}

/** `--as NAME`, for a command and the commands below it. */
export function acceptOwner(command: Command): void {
  const option = new Option('--as <name>', `the owner of labs, such as a participant`).env(ownerVariable)
  const own = [command, ...command.commands]
  for (const one of own)
    one.addOption(
      option.argParser((name: string) => {
        const problem = ownerProblem(name)
        if (problem !== undefined) throw new InvalidArgumentError(`It ${problem}.`)
        return name
      }),
    )
  command.hook('preAction', (_, called) => {
    const { as } = called.optsWithGlobals<{ as?: string }>()
    if (as !== undefined) process.env[ownerVariable] = as
  })
}

/** More than any option needs; in seconds it still fits a timer (2^31 ms). */
const largestNumber = 1_000_000

/** A whole number from 1 to a million. */
export function positiveNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1 || value > largestNumber)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${largestNumber}.`)
  return value
}

/** The same, or 0. */
export function wholeNumber(text: string): number {
  return text === '0' ? 0 : positiveNumber(text)
}
