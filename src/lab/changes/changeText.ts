import { shorten } from '../../names/braces.js'
import { shellWords } from '../file/shellWords.js'
import type { ChangeAction, LoadAction, StopAction, WaitAction, WrittenChange } from './types.js'

/** A step that makes no request, as a command: that of kubectl if there is one. */
export function changeText(action: ChangeAction | WaitAction | LoadAction | StopAction): string {
  switch (action.kind) {
    case 'change':
      return shellWords(changeWords(action.written))
    case 'wait': {
      const until = typeof action.until === 'string' ? action.until : `endpoints=${action.until.endpoints}`
      return shellWords(['wait', action.for, `--for=${until}`, `--timeout=${action.timeoutSeconds}s`])
    }
    case 'load':
      return `load ${action.load}: every ${Math.round(action.everySeconds * 1000)} ms`
    case 'stop':
      return `stop ${action.load}`
  }
}

function changeWords(written: WrittenChange): string[] {
  switch (written.verb) {
    case 'apply':
      return ['kubectl', 'apply', ...written.manifests.flatMap(manifestWords)]
    case 'delete': {
      const { objects, files, gracePeriodSeconds: seconds } = written
      const grace = seconds === undefined ? [] : [`--grace-period=${seconds}`]
      return ['kubectl', 'delete', ...objects, ...files.flatMap((file) => ['-f', file]), ...grace]
    }
    case 'scale':
      return scaleWords(Object.entries(written.replicas))
    case 'label':
    case 'annotate': {
      const values = Object.entries(written.values)
      const words = values.map(([key, value]) => (value === null ? `${key}-` : `${key}=${value}`))
      return ['kubectl', written.verb, ...written.objects, ...words]
    }
    case 'patch':
      return [
        'kubectl',
        'patch',
        written.object,
        '--type=merge',
        '-p',
        shorten(JSON.stringify(written.patch), 80),
      ]
    case 'restart':
      return ['kubectl', 'rollout', 'restart', ...written.objects]
    case 'restart-kube-proxy':
      return ['restart', 'kube-proxy', ...(written.nodes === undefined ? [] : ['on', ...written.nodes])]
    case 'node':
      return ['down', 'up'].flatMap((state) => {
        const nodes = state === 'down' ? written.down : written.up
        return nodes.length === 0 ? [] : ['node', ...nodes, state]
      })
  }
}

function scaleWords(replicas: readonly (readonly [string, number])[]): string[] {
  const [first] = replicas
  if (first !== undefined && replicas.every(([, count]) => count === first[1]))
    return ['kubectl', 'scale', ...replicas.map(([object]) => object), `--replicas=${first[1]}`]
  return ['kubectl', 'scale', ...replicas.map(([object, count]) => `${object}=${count}`)]
}

function manifestWords(manifest: Extract<WrittenChange, { verb: 'apply' }>['manifests'][number]): string[] {
  if ('path' in manifest) return ['-f', manifest.path]
  const { kind, metadata } = manifest.object
  const name = typeof metadata === 'object' && metadata !== null && 'name' in metadata ? metadata.name : ''
  return [`${String(kind).toLowerCase()}/${String(name)}`]
}
