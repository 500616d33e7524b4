import { fromApi } from '../../../src/apiserver/clusterObjects.js'
import { describeObject } from '../../../src/apiserver/describe/describeObject.js'
import { tableRows } from '../../../src/commands/kubectl/tableRows.js'
import { formatTable } from '../../../src/text/table.js'
import { columnGap } from '../../../src/commands/kubectl/watchTable.js'
import type { ApiTable } from '../../../src/up/api.js'
import type { KubeObject } from '../../../src/cluster/types.js'
import { ask, tableFirst } from '../client.js'
import type { WritableLab } from '../writableLab.js'

/** What vethlab prints for the arguments of kubectl (`get` or `describe` of one NetworkPolicy), normalized as recorded. */
export async function shownText(line: string, { server }: WritableLab): Promise<string> {
  const [verb, , name = '', , namespace = '', ...options] = line.split(' ')
  const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies/${name}`
  const { json } = await ask(server, path, verb === 'get' ? { headers: tableFirst } : {})
  const text =
    verb === 'get'
      ? formatTable(tableRows(json as ApiTable, { ...formOf(options), prefix: '' }), { gap: columnGap })
      : describeObject(fromApi(json as KubeObject), [], [], new Date())
  return text
    .replace(/^(Created on:\s+)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC$/m, '$1*')
    .replace(/ +$/gm, '')
    .replace(/ \d+[a-z]\d*[a-z]?(?=$| {2})/gm, ' 0s')
}

function formOf(options: readonly string[]) {
  return { wide: options.includes('wide'), namespaces: false, labels: options.includes('--show-labels') }
}
