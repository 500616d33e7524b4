import t from 'tap'
import { parseFieldSelector } from '../../src/apiserver/fieldSelector.js'
import { findResource, type Resource } from '../../src/apiserver/resources.js'
import type { KubeObject } from '../../src/cluster/types.js'
import { headless, node, pod, web } from './objects.js'
import { thrownStatus } from './thrownStatus.js'

const found = (plural: string): Resource => {
  const resource = findResource('', 'v1', plural)
  if (resource === undefined) throw new Error(`no resource ${plural}`)
  return resource
}

const selectors: readonly (readonly [string, string, KubeObject, boolean])[] = [
  ['services', '', web, true],
  ['services', 'metadata.name=web', web, true],
  ['services', 'metadata.name==web', web, true],
  ['services', 'metadata.name!=web', web, false],
  ['services', 'metadata.namespace=lab', web, true],
  ['services', 'metadata.namespace=default', web, false],
  ['services', 'spec.clusterIP!=None', web, true],
  ['services', 'spec.clusterIP!=None', headless, false],
  ['services', 'spec.type=NodePort', web, true],
  ['services', 'spec.type=ClusterIP', headless, true],
  ['services', 'spec.clusterIP!=None,metadata.name=web', web, true],
  ['services', 'spec.clusterIP!=None,metadata.name=api', web, false],
  ['services', 'metadata.name=a\\,b', web, false],
  ['services', 'metadata.name!=a\\=b\\\\', web, true],
  ['pods', 'spec.nodeName=node-a', pod('x', 'node-a'), true],
  ['pods', 'spec.nodeName=', pod('x', 'node-a'), false],
  ['pods', 'status.phase=Running', pod('x', 'node-a'), true],
  ['pods', 'status.podIP=10.244.1.3', pod('x', 'node-a'), true],
  ['pods', 'spec.hostNetwork=false', pod('x', 'node-a'), true],
  ['nodes', 'metadata.name=node-a', node('node-a', '172.18.0.2'), true],
  ['nodes', 'spec.unschedulable=false', node('node-a', '172.18.0.2'), true],
]

for (const [plural, text, object, selected] of selectors)
  void t.test(
    `${plural} '${text}' ${selected ? 'selects' : 'does not select'} ${object.metadata.name}`,
    (t) => {
      t.equal(parseFieldSelector(text, found(plural))(object), selected)
      t.end()
    },
  )

for (const [plural, text] of [
  ['services', 'metadata.name'],
  ['services', 'spec.ports=80'],
  ['services', 'constructor=x'],
  ['nodes', 'metadata.namespace=lab'],
  ['services', 'metadata.name=a=b'],
  ['services', 'metadata.name=a\\b'],
] as const)
  void t.test(`${plural} '${text}' is rejected`, (t) => {
    t.match(
      thrownStatus(() => parseFieldSelector(text, found(plural))),
      { code: 400, reason: 'BadRequest' },
    )
    t.end()
  })
