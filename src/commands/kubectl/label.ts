import type { Command } from 'commander'
import { InputError } from '../../errors.js'
import { kindOf } from '../../cluster/kinds/index.js'
import type { ObjectRef } from '../../cluster/changes/findObject.js'
import { getFromApi, resourcePath } from '../../up/api.js'
import { withUpLab } from '../../up/upLab.js'
import { askForChange } from '../orders.js'
import { changeCommand, objectRefs, type ChangeFlags } from './changeCommand.js'

interface MetadataFlags extends ChangeFlags {
  readonly overwrite?: boolean
}

type Pairs = Readonly<Record<string, string | null>>

/** `kubectl label pod/web-0 app=out tier-`. */
export function labelCommand(lab: string): Command {
  return metadataCommand(lab, 'label', 'objects, then labels: pod/web-0 app=out tier-')
}

/** `kubectl annotate ingress/shop nginx.ingress.kubernetes.io/ssl-redirect=false`. */
export function annotateCommand(lab: string): Command {
  return metadataCommand(lab, 'annotate', 'objects, then annotations: service/web team=front note-')
}

function metadataCommand(lab: string, verb: 'label' | 'annotate', about: string): Command {
  return changeCommand(verb)
    .argument('<words...>', about)
    .option('--overwrite', 'change values that exist')
    .action(async (words: string[], flags: MetadataFlags) => {
      const isPair = (word: string) => /=|-$/.test(word)
      const values = Object.fromEntries(words.filter(isPair).map(keyAndValue))
      if (Object.keys(values).length === 0) {
        const message = `no ${verb === 'label' ? 'label' : 'annotation'} is named`
        throw new InputError([{ message, hint: 'write KEY=VALUE, or KEY- to remove one' }])
      }
      const objects = objectRefs(
        words.filter((word) => !isPair(word)),
        flags.namespace,
      )
      if (flags.overwrite !== true) for (const ref of objects) await rejectExisting(lab, ref, verb, values)
      const writes = objects.map((ref) => ({ verb, ref, values }))
      await askForChange(lab, { do: 'write', writes })
    })
}

function keyAndValue(word: string): [string, string | null] {
  const at = word.indexOf('=')
  return at === -1 ? [word.slice(0, -1), null] : [word.slice(0, at), word.slice(at + 1)]
}

/** Throws InputError, as kubectl does, if a key has another value already. */
async function rejectExisting(
  name: string,
  { kind, namespace, name: object }: ObjectRef,
  verb: 'label' | 'annotate',
  values: Pairs,
): Promise<void> {
  const path = resourcePath(kindOf(kind), namespace, object)
  const shown = await withUpLab(name, (lab) => getFromApi(lab, { path, table: false }))
  const { metadata } = shown as { metadata: Readonly<Record<'labels' | 'annotations', Pairs | undefined>> }
  const existing = metadata[verb === 'label' ? 'labels' : 'annotations'] ?? {}
  const problems = Object.entries(values).flatMap(([key, value]) => {
    const old = existing[key]
    if (value === null || old === undefined || old === value) return []
    return [{ message: `'${key}' already has a value (${old}), and --overwrite is false` }]
  })
  if (problems.length > 0) throw new InputError(problems)
}
