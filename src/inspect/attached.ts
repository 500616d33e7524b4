import { InputError } from '../errors.js'
import { readAttached, type AttachedFiles } from '../host/attached.js'
import { hostPrograms } from '../host/programs.js'
import type { GivenProxy } from '../snapshot/attached/attachedModel.js'
import { attachedSnapshot } from '../snapshot/attached/attachedState.js'
import { readBundle, type Bundle } from '../snapshot/attached/bundle.js'
import { readSnapshotText } from '../snapshot/file/snapshotText.js'
import type { Snapshot } from '../snapshot/model/snapshot.js'
import { withNamedTexts } from './nodeOfTexts.js'

/** What a file holds: a snapshot that vethlab wrote, or what somebody attached, with its texts. */
export interface ReadSnapshot {
  readonly snapshot: Snapshot
  /** Absent for a snapshot of vethlab. */
  readonly bundle?: Bundle | undefined
}

/** What is known besides what was attached. */
export interface GivenFacts extends GivenProxy {
  /** The node of texts that name none. */
  readonly node?: string | undefined
}

/**
 * Reads what was attached, with more files beside it (`-f`). Throws InputError for what cannot be read, and if nothing of it is about a
 * cluster.
 */
export async function readAttachedSnapshot(
  word: string,
  more: readonly string[] = [],
  given: GivenFacts = {},
): Promise<ReadSnapshot> {
  const all: AttachedFiles[] = []
  for (const path of [word, ...more]) all.push(await readAttached(path))
  const files = all.flatMap((one) => one.files)
  const unread = all.flatMap((one) => one.unread)
  const [first] = files
  if (first !== undefined && files.length === 1 && isOfVethlab(first.bytes)) {
    const name = word === '-' ? 'standard input' : word
    return { snapshot: readSnapshotText(name, new TextDecoder().decode(first.bytes), hostPrograms()) }
  }
  const bundle = readBundle(word === '-' ? 'standard input' : word, files, unread)
  if (bundle.objects.length === 0 && bundle.nodes.length === 0)
    throw new InputError([
      {
        message: `${bundle.name} has neither objects of a cluster nor rules of a node`,
        hint: 'attach the output of iptables-save, `nft list ruleset` or `kubectl get svc,ep,pods,nodes -A -o yaml`, or a support bundle',
      },
      ...bundle.notices.map((message) => ({ message })),
    ])
  return { snapshot: snapshotOfNode(bundle, given), bundle }
}

/** A snapshot of a bundle; texts that nothing names are those of the given node, or of the node that they fit best. */
export function snapshotOfNode(bundle: Bundle, given: GivenFacts): Snapshot {
  return attachedSnapshot(withNamedTexts(bundle, given), given)
}

/** A snapshot begins with the version of its format. */
function isOfVethlab(bytes: Uint8Array): boolean {
  return /^\s*\{\s*"version":\s*\d+,\s*"basis"/.test(new TextDecoder().decode(bytes.subarray(0, 200)))
}
