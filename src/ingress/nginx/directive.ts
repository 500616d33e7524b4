/** A directive of nginx's configuration: its name, its unquoted parameters, and the contents of a block. */
export interface Directive {
  readonly name: string
  readonly parameters: readonly string[]
  readonly block?: readonly Directive[] | undefined
}

/** A simple directive, or with `block` a block directive. */
export function directive(
  name: string,
  parameters: readonly (string | number)[] = [],
  block?: readonly Directive[],
): Directive {
  return { name, parameters: parameters.map(String), block }
}

/** Name of a variable whose value is a dollar sign, because nginx cannot escape one. */
export const dollarVariable = 'dollar'

/** A literal text for a parameter in which nginx expands variables. */
export function literal(text: string): string {
  return text.replaceAll('$', `\${${dollarVariable}}`)
}

/** Directives as text, one per line. Parameters with special characters are quoted. */
export function renderDirectives(directives: readonly Directive[], indent = ''): string {
  return directives.map((one) => renderDirective(one, indent)).join('')
}

function renderDirective({ name, parameters, block }: Directive, indent: string): string {
  // the left side of a map entry is also the name of a directive
  const head = `${indent}${[name, ...parameters].map(quote).join(' ')}`
  if (block === undefined) return `${head};\n`
  return `${head} {\n${renderDirectives(block, `${indent}  `)}${indent}}\n`
}

/** In double quotes nginx interprets only \" and \\ (and \t, \r, \n, which never occur in these texts). */
function quote(text: string): string {
  if (/^[\w./:=@$*+~-]+$/.test(text)) return text
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
