import { isBuiltIn } from '../../netfilter/chainOwners.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import { targetText } from '../../netfilter/rules/render.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import { socketText } from '../../net/socketText.js'
import { pad, wrap } from '../../text/textWidth.js'
import { headerText } from '../observed/seenText.js'
import type { SeenHop, SeenRule } from '../observed/model.js'
import type { ObservedTextOptions } from './observedText.js'
import { chainColumn, conditionsText, shortChain } from './ruleText.js'
import { traceTexts } from './texts.js'

/** A later packet of a connection, as the kernel reports it: rules that apply, and what conntrack rewrites without rules. */
export function laterPacketText(
  { request, answer }: { readonly request: readonly SeenHop[]; readonly answer: readonly SeenHop[] },
  options: ObservedTextOptions,
): string {
  const { colours, language } = options
  const texts = traceTexts[language]
  const lines = [
    ...request.flatMap((hop) => hopLines(hop, options)),
    ...(answer.length === 0 ? [] : [`◀ ${texts.packets.answer}`]),
    ...answer.flatMap((hop) => hopLines(hop, options)),
  ]
  const nat = [...request, ...answer].flatMap(({ rules }) => rules.filter(({ table }) => table === 'nat'))
  const summary = nat.length === 0 ? colours.good(`✔ ${texts.noNatRule}`) : texts.natRules(nat.length)
  return [...lines, summary].map((line) => `${line}\n`).join('')
}

function hopLines(hop: SeenHop, options: ObservedTextOptions): string[] {
  const { colours, all } = options
  const { place, before, rules, mark, state } = hop
  const on = hop.in === undefined ? '' : `  in ${hop.in}`
  const flags = before.tcp === undefined ? '' : `  ${flagsText(before.tcp)}`
  const marked = mark === 0 ? '' : `  mark 0x${mark.toString(16)}`
  const head = `━ ${colours.name(place)}${on}  ${colours.bold(headerText(before))}${flags}${marked}`
  let heading = ''
  const evaluated = rules
    .filter((rule) => all || !entersOther(rule))
    .flatMap((rule) => {
      const next = ` ${rule.hook.toUpperCase()} ${rule.table}`
      const lines = ruleLines(rule, options)
      if (next === heading) return lines
      heading = next
      return [next, ...lines]
    })
  return [
    head,
    ...(state === undefined ? [] : [` CONNTRACK ${state}${rewrites(hop, options)}`]),
    ...evaluated,
  ]
}

/** A jump from a chain of the kernel. */
function entersOther({ chain, spec = '' }: SeenRule): boolean {
  return isBuiltIn(chain) && / -j KUBE-/.test(spec)
}

function rewrites({ before, after }: SeenHop, { colours }: ObservedTextOptions): string {
  const side = (name: string, from: SocketAddress, to: SocketAddress) =>
    socketText(from) === socketText(to) ? [] : [`${name} ⇒ ${socketText(to)}`]
  const changed = [
    ...side('dst', before.destination, after.destination).map(colours.dnat),
    ...side('src', before.source, after.source).map(colours.snat),
  ]
  return changed.length === 0 ? '' : `: ${changed.join(', ')}`
}

function ruleLines(
  { table, chain, number, spec, verdict }: SeenRule,
  { colours, all, width }: ObservedTextOptions,
): string[] {
  const start = `   ${pad(`${all ? chain : shortChain(chain)} ${number ?? ''}`.trimEnd(), chainColumn)} `
  const text = spec?.startsWith('-') === true ? savedRuleText(table, spec) : (spec ?? verdict)
  return wrap(text.split(' '), Math.max(20, width - start.length - 2)).map((line, index) =>
    index === 0 ? `${start}${colours.good('✔')} ${line}` : `${' '.repeat(start.length)}  ${line}`,
  )
}

/** A rule of iptables-save without comments and names of extensions: `--ctstate RELATED,ESTABLISHED → ACCEPT`. */
function savedRuleText(table: string, spec: string): string {
  const { target } = parseRule(spec)
  const then = target === undefined ? '' : `→ ${targetText(target).slice(3)}`
  return `${conditionsText({ table, spec })} ${then}`.trim()
}

function flagsText({ syn, ack, rst }: NonNullable<SeenHop['before']['tcp']>): string {
  return [syn ? 'SYN' : '', rst ? 'RST' : '', ack ? 'ACK' : ''].filter((flag) => flag !== '').join(',')
}
