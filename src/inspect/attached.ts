import { InputError } from '../errors.js'
import { readAttached, type AttachedFiles } from '../host/attached.js'
import { planSnapshot } from '../lab/plan/planSnapshot.js'
import { exists, isFolder } from '../host/paths.js'
import { hostPrograms } from '../host/programs.js'
import { attachedSnapshot } from '../snapshot/attached/attachedState.js'
import { readBundle, type Bundle } from '../snapshot/attached/bundle.js'
import { readSnapshotText } from '../snapshot/file/snapshotText.js'
import type { Snapshot } from '../snapshot/model/snapshot.js'
import { upLabNamed } from '../up/upLab.js'
import { readUpLab } from './traceInLab.js'

/** What a file holds: a snapshot that vethlab wrote, or what somebody attached, with its texts. */
export interface ReadSnapshot {
  readonly snapshot: Snapshot
  /** Absent for a snapshot of vethlab. */
  readonly bundle?: Bundle | undefined
}

/** Whether a word names a file, a folder without lab.yaml, or standard input (`-`), and not a lab. */
export function isAttached(word: string): boolean {
  if (word === '-' || word.endsWith('.json')) return true
  if (!exists(word)) return false
  return !isFolder(word) || (/[\\/]/.test(word) && !exists(`${word}/lab.yaml`))
}

/**
 * Reads what was attached, with more files beside it (`-f`). Throws InputError for what cannot be read, and if nothing of it is about a
 * cluster.
 */
export async function readAttachedSnapshot(
  word: string,
  more: readonly string[] = [],
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
  return { snapshot: attachedSnapshot(bundle), bundle }
}

/**
 * What a word names: what was attached, a lab as it runs, or the plan of a lab that does not run, or that `plan` asks for. Throws InputError.
 */
export async function readCluster(
  word: string,
  { filename, plan }: { readonly filename?: readonly string[]; readonly plan?: true } = {},
): Promise<ReadSnapshot> {
  if (isAttached(word)) return readAttachedSnapshot(word, filename)
  const up = plan === true ? undefined : await upLabNamed(word)
  return { snapshot: up === undefined ? planSnapshot(word) : await readUpLab(up) }
}

/** A snapshot begins with the version of its format. */
function isOfVethlab(bytes: Uint8Array): boolean {
  return /^\s*\{\s*"version":\s*\d+,\s*"basis"/.test(new TextDecoder().decode(bytes.subarray(0, 200)))
}
