import { InvalidArgumentError, Option } from 'commander'
import type { InputError } from '../../errors.js'
import { nearestName } from '../../text/nearestName.js'
import { builtInLacks } from './builtInLacks.js'

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

/** An output format of the built-in `kubectl get`, or the text of one that only kubectl has. */
export type OutputFormat = (typeof formats)[number] | { readonly template: string }

/** `-o` of the built-in `kubectl get`. */
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

/** The error about a template. */
export function needsKubectl({ template }: { readonly template: string }): InputError {
  return builtInLacks(`output format ${template.split('=', 1)[0]}; \`-o json\` is for jq`)
}
