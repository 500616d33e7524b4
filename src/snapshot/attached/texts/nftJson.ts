type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** The output of `nft -j list ruleset` as nft lists it (libnftables-json(5)). What is not known is printed as JSON: it is not decided. */
export function nftJsonAsText(json: unknown): string {
  const items = (json as { readonly nftables?: readonly Readonly<Record<string, Json>>[] }).nftables ?? []
  const tables = new Map<string, { readonly chains: Map<string, string[]>; readonly sets: string[] }>()
  const tableOf = (family: Json | undefined, name: Json | undefined) => {
    const key = `${text(family)} ${text(name)}`
    const own = tables.get(key) ?? { chains: new Map<string, string[]>(), sets: [] }
    tables.set(key, own)
    return own
  }
  for (const item of items) {
    const [[kind = '', value] = []] = Object.entries(item)
    const object = asObject(value ?? null)
    if (object === undefined) continue
    if (kind === 'table') tableOf(object['family'], object['name'])
    const own = object['table'] === undefined ? undefined : tableOf(object['family'], object['table'])
    if (kind === 'chain') own?.chains.set(text(object['name']), hookLines(object))
    if (kind === 'set' || kind === 'map') own?.sets.push(setLines(kind, object))
    if (kind === 'rule') own?.chains.get(text(object['chain']))?.push(ruleText(object))
  }
  return [...tables]
    .map(([name, { chains, sets }]) => {
      const blocks = [...chains].map(([chain, lines]) => block('chain', chain, lines))
      return `table ${name} {\n${[...sets, ...blocks].join('\n')}}\n`
    })
    .join('')
}

function block(kind: string, name: string, lines: readonly string[]): string {
  return `\t${kind} ${name} {\n${lines.map((line) => `\t\t${line}\n`).join('')}\t}\n`
}

function hookLines({ type, hook, prio, policy, dev }: Readonly<Record<string, Json>>): string[] {
  if (hook === undefined) return []
  const device = dev === undefined ? '' : ` device "${text(dev)}"`
  return [
    `type ${text(type)} hook ${text(hook)}${device} priority ${text(prio)}; policy ${text(policy ?? 'accept')};`,
  ]
}

function setLines(kind: string, set: Readonly<Record<string, Json>>): string {
  const elements = asList(set['elem']).map(element)
  return block(
    kind,
    text(set['name']),
    elements.length === 0 ? [] : [`elements = { ${elements.join(', ')} }`],
  )
}

function element(value: Json): string {
  const [key, data] = Array.isArray(value) ? (value as readonly Json[]) : [value]
  const mapped = data === undefined ? '' : ` : ${verdict(data) ?? expression(data)}`
  return `${expression(key ?? null)}${mapped}`
}

function ruleText(rule: Readonly<Record<string, Json>>): string {
  const comment = rule['comment'] === undefined ? [] : [`comment "${text(rule['comment'])}"`]
  return [...asList(rule['expr']).map(statement), ...comment].join(' ')
}

function verdict(value: Json): string | undefined {
  const [name = '', of] = Object.entries(asObject(value) ?? {})[0] ?? []
  if (['accept', 'drop', 'return', 'continue'].includes(name)) return name
  if (name === 'jump' || name === 'goto') return `${name} ${text(asObject(of ?? null)?.['target'])}`
  return undefined
}

function statement(value: Json): string {
  const found = verdict(value)
  if (found !== undefined) return found
  const [name = '', of = null] = Object.entries(asObject(value) ?? {})[0] ?? []
  const fields = asObject(of) ?? {}
  const get = (field: string) => expression(fields[field] ?? null)
  switch (name) {
    case 'match': {
      const operator = text(fields['op'])
      // of flags, no operator means one in common
      const isMasked = asObject(fields['left'] ?? null)?.['&'] !== undefined
      const isImplied = operator === 'in' || (operator === '==' && !isMasked)
      return `${get('left')} ${isImplied ? '' : `${operator} `}${get('right')}`
    }
    case 'vmap':
      return `${get('key')} vmap ${get('data')}`
    case 'counter':
      return typeof of === 'string' ? `counter name "${of}"` : 'counter packets 0 bytes 0'
    case 'mangle':
      return `${get('key')} set ${get('value')}`
    case 'dnat':
    case 'snat':
    case 'masquerade':
    case 'redirect':
      return nat(name, fields)
    case 'reject': {
      if (fields['type'] === undefined) return 'reject'
      if (fields['type'] === 'tcp reset') return 'reject with tcp reset'
      return `reject with ${text(fields['type'])} ${get('expr')}`
    }
    case 'set':
      return `${text(fields['op'])} ${text(fields['set'])} { ${get('elem')} }`
    case 'notrack':
      return 'notrack'
    case 'log':
      return 'log'
    case 'xt':
      return fields['name'] === 'comment' ? '' : `xt ${text(fields['type'])} "${text(fields['name'])}"`
    default:
      return unknown(value)
  }
}

function nat(name: string, { family, addr, port, flags }: Readonly<Record<string, Json>>): string {
  const words =
    asList(flags ?? []).length > 0
      ? asList(flags ?? [])
          .map(text)
          .join(',')
      : text(flags ?? '')
  const version = family === undefined ? '' : ` ${text(family)}`
  const host = addr === undefined ? '' : expression(addr)
  const to = port === undefined ? host : `${host.includes(':') ? `[${host}]` : host}:${expression(port)}`
  return `${name}${version}${to === '' ? '' : ` to ${to}`}${words === '' ? '' : ` ${words}`}`
}

function expression(value: Json): string {
  if (Array.isArray(value)) return (value as readonly Json[]).map(expression).join(',')
  if (typeof value === 'string') return /[\s"{}]/.test(value) ? JSON.stringify(value) : value
  const object = asObject(value)
  if (object === undefined) return typeof value === 'object' ? '' : String(value)
  const decided = verdict(value)
  if (decided !== undefined) return decided
  const [name = '', of = null] = Object.entries(object)[0] ?? []
  const fields = asObject(of) ?? {}
  const list = asList(of)
  switch (name) {
    case 'payload':
      return fields['protocol'] === undefined
        ? unknown(value)
        : `${text(fields['protocol'])} ${text(fields['field'])}`
    case 'meta':
      return `meta ${text(fields['key'])}`
    case 'ct':
      return ['ct', fields['dir'], fields['family'], fields['key']]
        .filter((word) => word !== undefined)
        .map(text)
        .join(' ')
    case 'fib':
      return `fib ${asList(fields['flags'] ?? [])
        .map(text)
        .join(' . ')} ${text(fields['result'])}`
    case 'numgen':
      return `numgen ${text(fields['mode'])} mod ${text(fields['mod'])} offset ${text(fields['offset'] ?? 0)}`
    case 'concat':
      return list.map(expression).join(' . ')
    case 'prefix':
      return `${expression(fields['addr'] ?? null)}/${text(fields['len'])}`
    case 'range':
      return list.map(expression).join('-')
    case 'set':
      return `{ ${(Array.isArray(of) ? list : [of]).map(element).join(', ')} }`
    case 'map':
      return `${expression(fields['key'] ?? null)} map ${expression(fields['data'] ?? null)}`
    case 'elem': {
      const timeout = fields['timeout'] === undefined ? '' : ` timeout ${text(fields['timeout'])}s`
      return `${expression(fields['val'] ?? null)}${timeout}`
    }
    case '|':
    case '&':
    case '^':
      return list
        .map((one) => (Array.isArray(one) ? `( ${one.map(expression).join(' | ')} )` : expression(one)))
        .join(` ${name} `)
    default:
      return unknown(value)
  }
}

/** A word that no rule of nft has. */
function unknown(value: Json): string {
  return `unknown ${JSON.stringify(JSON.stringify(value).replaceAll('"', "'").slice(0, 200))}`
}

function asObject(value: Json): Readonly<Record<string, Json>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, Json>>)
    : undefined
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

function text(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
