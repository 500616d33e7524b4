import { applied } from '../../../src/apiserver/write/kubectlVerbs.js'
import { findObject } from '../../../src/cluster/changes/findObject.js'
import { networkPolicy } from '../../../src/cluster/kinds/networkPolicy.js'
import { readObject } from '../../../src/cluster/manifests/readObject.js'
import type { Cluster } from '../../../src/cluster/types.js'
import type { Json } from '../../../src/cluster/yaml/json.js'
import { InputError } from '../../../src/errors.js'
import { twoNodes } from '../../cluster/lab.js'
import type { WritableLab } from '../writableLab.js'
import { compared } from './compared.js'
import type { Case } from './replay.js'

const options = { ...twoNodes, families: ['IPv4'], now: '2026-01-02T03:04:05Z' } as const

/** Applies the objects of a case, and then the one of its step, as `kubectl apply` does. */
export function replayApply({ objects = [], then }: Case, lab: WritableLab): unknown {
  let cluster = lab.cluster()
  let said: readonly string[] = []
  const apply = then?.apply
  try {
    for (const object of [...objects, apply]) ({ cluster, said } = applyOne(cluster, object))
    const found = findObject(cluster, { kind: 'NetworkPolicy', name: 'web', namespace: 'npt-lab' })
    // with the last applied manifest, which was not recorded
    const { annotations: _applied, ...metadata } = found.metadata
    const stored = compared({ ...found, metadata }, [])
    return { apply, accepted: true, output: said.join('\n'), stored }
  } catch (error) {
    if (error instanceof InputError) return { apply, accepted: false, error: error.problems[0]?.message }
    throw error
  }
}

function applyOne(cluster: Cluster, object: unknown): { cluster: Cluster; said: readonly string[] } {
  const at = () => ({ file: '', line: 1, column: 1 })
  const value = object as { [key: string]: Json }
  const { located, problems } = readObject({ file: '', value, at, keyAt: at }, networkPolicy)
  if (located === undefined || problems.length > 0) throw new InputError([...problems])
  return applied(cluster, located, options)
}
