import { Option, type Command } from 'commander'
import type { PatchType } from '../../apiserver/write/objectWrite.js'
import type { ObjectRef } from '../../cluster/changes/findObject.js'
import { kindOf } from '../../cluster/kinds/index.js'
import { isObject } from '../../cluster/schema/decode.js'
import type { KubeObject } from '../../cluster/types.js'
import type { JsonObject } from '../../cluster/yaml/json.js'
import { yamlValue } from '../../cluster/yaml/yamlValue.js'
import { InputError } from '../../errors.js'
import { getFromApi, resourcePath } from '../../up/api.js'
import { withUpLab } from '../../up/upLab.js'
import { changeCommand, objectRefs, type ChangeFlags } from './changeCommand.js'
import { askForChange } from '../orders.js'

const patchTypes: readonly PatchType[] = ['strategic', 'merge', 'json']

/** `kubectl patch service/web -p '{spec: {…}}'`. */
export function patchCommand(lab: string): Command {
  return changeCommand('patch')
    .argument('<object...>', 'service/web, or a kind and a name')
    .requiredOption('-p, --patch <patch>', 'the patch, as JSON or YAML')
    .addOption(
      new Option('--type <type>', 'the format of the patch').choices(patchTypes).default('strategic'),
    )
    .action(async (words: string[], flags: ChangeFlags & { patch: string; type: PatchType }) => {
      const patch = parsePatch(flags.patch)
      for (const ref of objectRefs(words, flags.namespace)) {
        const own = await withoutOwnVersion(lab, ref, patch)
        await askForChange(lab, {
          do: 'write',
          writes: [{ verb: 'patch', ref, patch: own, type: flags.type }],
        })
      }
    })
}

/**
 * The patch without the uid and resourceVersion that the API shows for the object now: the lab's own objects have none,
 * and take any that is left for a foreign one.
 */
async function withoutOwnVersion(name: string, { kind, namespace, name: object }: ObjectRef, patch: unknown) {
  if (!isObject(patch) || !isObject(patch['metadata'])) return patch
  const { metadata, ...fields } = patch as JsonObject & { metadata: JsonObject }
  if (metadata['uid'] === undefined && metadata['resourceVersion'] === undefined) return patch
  const path = resourcePath(kindOf(kind), namespace, object)
  const shown = (await withUpLab(name, (lab) => getFromApi(lab, { path, table: false }))) as KubeObject
  const { uid, resourceVersion } = shown.metadata
  const own: Readonly<Record<string, unknown>> = { uid, resourceVersion }
  const others = Object.entries(metadata).filter(
    ([key, value]) => own[key] === undefined || own[key] !== value,
  )
  return { ...fields, metadata: Object.fromEntries(others) }
}

function parsePatch(text: string): unknown {
  try {
    return yamlValue(text)
  } catch (error) {
    throw new InputError([{ message: `the patch is neither JSON nor YAML: ${(error as Error).message}` }])
  }
}
