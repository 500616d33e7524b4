import { InvalidArgumentError, Option } from 'commander'
import { InputError } from '../../errors.js'
import { nearestName } from '../../text/nearestName.js'
import { shellWords } from '../../lab/file/shellWords.js'
import type { UpLab } from '../../up/upLab.js'

const formats = ['wide', 'yaml', 'json', 'name'] as const

/** Output formats of kubectl that have a template: its dialects of JSONPath and of Go templates. */
const templates = [
  'custom-columns',
  'custom-columns-file',
  'go-template',
  'go-template-file',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
  'template',
  'templatefile',
]

/** An output format of `vethlab get`, or the text of one that only kubectl has. */
export type OutputFormat = (typeof formats)[number] | { readonly template: string }

/** `-o` of `vethlab get`. */
export function outputOption(): Option {
  return new Option('-o, --output <format>', 'output format').choices(formats).argParser(parse)
}

function parse(text: string): OutputFormat {
  const known = formats.find((format) => format === text)
  if (known !== undefined) return known
  const [name = ''] = text.split('=', 1)
  if (templates.includes(name)) return { template: text }
  const near = nearestName(name, [...formats, ...templates])
  throw new InvalidArgumentError(
    `Allowed choices are ${formats.join(', ')}.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
  )
}

/** The words of `vethlab get` and `kubectl get` after the lab, without the output format. */
export interface Query {
  readonly kinds: string
  readonly names: readonly string[]
  readonly namespace: string
  readonly allNamespaces?: boolean
  readonly selector?: string
}

/** The error about a template, with the command that prints it: kubectl runs in a node of the lab. */
export function needsKubectl(
  { template }: { readonly template: string },
  lab: UpLab,
  query: Query,
): InputError {
  const { kinds, names, namespace, allNamespaces, selector } = query
  const words = [
    ...['get', kinds, ...names],
    ...(allNamespaces === true ? ['-A'] : namespace === 'default' ? [] : ['-n', namespace]),
    ...(selector === undefined ? [] : ['-l', selector]),
    ...['-o', template],
  ]
  const node = lab.view.nodes[0]?.name ?? '<node>'
  const command = shellWords(['vethlab', 'exec', lab.lab, node, '--', 'kubectl', ...words])
  return new InputError([
    {
      message: `only kubectl prints the output format ${template.split('=', 1)[0]}`,
      hint: `run it in the lab: \`${command}\`; or print JSON for jq, with \`-o json\``,
    },
  ])
}
