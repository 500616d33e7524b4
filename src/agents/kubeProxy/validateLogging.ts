import {
  forbidden,
  invalid,
  required,
  type FieldError,
  type Path,
} from '../../cluster/validation/fieldErrors.js'
import type { ConfigurationProblem, KubeProxyConfiguration, LoggingConfiguration } from './config.js'

const largestVerbosity = 2 ** 31 - 1

/** What kube-proxy 1.36 rejects in `logging`; mirrors Validate of component-base/logs/api/v1. */
export function loggingProblems({ logging, featureGates }: KubeProxyConfiguration): ConfigurationProblem[] {
  const { format, verbosity = 0, vmodule = [] } = logging
  const at: Path = ['logging', 'vmodule']
  return [
    ...(format === 'text' || format === 'json'
      ? []
      : [invalid(['logging', 'format'], format, 'Unsupported log format')]),
    ...tooHigh(['logging', 'verbosity'], verbosity),
    ...(vmodule.length > 0 && format !== 'text' ? [forbidden(at, 'Only supported for text log format')] : []),
    ...vmodule.flatMap(({ filePattern, verbosity: own }, index) => [
      ...(filePattern === '' ? [required([...at, index], 'File pattern must not be empty')] : []),
      ...(/[=,]/.test(filePattern)
        ? [invalid([...at, index], filePattern, 'File pattern must not contain equal sign or comma')]
        : []),
      ...tooHigh([...at, index], own),
    ]),
    ...(featureGates['LoggingAlphaOptions'] === true ? [] : alphaOptions(logging)),
  ].map(({ path, message }) => ({ path, message }))
}

function tooHigh(path: Path, verbosity: number): FieldError[] {
  return verbosity > largestVerbosity ? [invalid(path, verbosity, `Must be <= ${largestVerbosity}`)] : []
}

function alphaOptions({ options = {} }: LoggingConfiguration): FieldError[] {
  return (['text', 'json'] as const).flatMap((format) => {
    const { splitStream = false, infoBufferSize = '0' } = options[format] ?? {}
    const disabled = (name: string) =>
      forbidden(['logging', 'options', format, name], 'Feature LoggingAlphaOptions is disabled')
    return [
      ...(splitStream ? [disabled('splitStream')] : []),
      ...(infoBufferSize === '0' ? [] : [disabled('infoBufferSize')]),
    ]
  })
}
