import type { Problem } from '../../errors.js'
import { didYouMean } from '../../text/nearestName.js'
import { apiVersionsOf, kinds } from '../kinds/index.js'
import { isObject } from '../schema/decode.js'
import { groupsOfOther, otherKindNames } from './otherKinds.js'
import type { WrittenObject } from './readObject.js'

/** The message of kubectl for a kind that the cluster does not serve. */
export function unknownKind(written: WrittenObject, apiVersion: string, kind: string): Problem {
  const metadata = isObject(written.value['metadata']) ? written.value['metadata'] : {}
  const [name, namespace] = [metadata['name'], metadata['namespace']].map((text) =>
    typeof text === 'string' ? text : '',
  )
  const versions = apiVersionsOf(kind)
  const names = [...kinds.map((item) => item.kind), ...otherKindNames()]
  const group = groupIn(apiVersion)
  const isCustom = group.includes('.') && !group.endsWith('k8s.io')
  const [otherGroup] = groupsOfOther(kind)
  const similar =
    versions.length > 0
      ? didYouMeanVersion(versions)
      : otherGroup === undefined
        ? didYouMean(kind, names)
        : `did you mean the API group "${otherGroup}"?`
  return {
    message: `resource mapping not found for name: "${name}" namespace: "${namespace}" from "${written.file}": no matches for kind "${kind}" in version "${apiVersion}"`,
    at: written.at([versions.length > 0 && !isCustom ? 'apiVersion' : 'kind']),
    hint:
      (isCustom ? undefined : similar) ??
      `\`--ignore ${versions.length > 0 ? `${kind}.${group}` : kind}\` skips it; so does its CustomResourceDefinition in the manifests`,
  }
}

/** The group of an `apiVersion`; empty for the core group. */
export function groupIn(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(0, apiVersion.lastIndexOf('/')))
}

function didYouMeanVersion(versions: readonly string[]): string {
  return `did you mean "${versions.join('", "')}"?`
}
