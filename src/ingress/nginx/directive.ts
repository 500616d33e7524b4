/** A directive of nginx's configuration: its name, its parameters as nginx is to see them, and a block's contents. */
export interface Directive {
  readonly name: string
  readonly parameters: readonly string[]
  readonly block?: readonly Directive[] | undefined
}

/** A simple directive, or a block when `block` is given. */
export function directive(
  name: string,
  parameters: readonly (string | number)[] = [],
  block?: readonly Directive[],
): Directive {
  return { name, parameters: parameters.map(String), block }
}

/** Name of the variable whose value is a dollar sign: nginx has no way to escape one. */
export const dollarVariable = 'dollar'

/** A text in a parameter where nginx puts in variables: nothing of it is taken for one. */
export function literal(text: string): string {
  return text.replaceAll('$', `\${${dollarVariable}}`)
}

/** Directives as text, one a line. Each parameter that is more than a plain word is quoted. */
export function renderDirectives(directives: readonly Directive[], indent = ''): string {
  return directives.map((one) => renderDirective(one, indent)).join('')
}

function renderDirective({ name, parameters, block }: Directive, indent: string): string {
  // the left side of a map's line is the name of a directive, too
  const head = `${indent}${[name, ...parameters].map(quote).join(' ')}`
  if (block === undefined) return `${head};\n`
  return `${head} {\n${renderDirectives(block, `${indent}  `)}${indent}}\n`
}

/** In double quotes nginx takes \" and \\ (and \t, \r, \n, which text for it never holds) and everything else as is. */
function quote(text: string): string {
  if (/^[\w./:=@$*+~-]+$/.test(text)) return text
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
