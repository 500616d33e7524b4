import t from 'tap'
import { buildCluster } from '../../../src/cluster/cluster.js'
import { parseManifests } from '../../../src/cluster/manifests/manifests.js'
import { clusterNotices } from '../../../src/cluster/manifests/notices.js'
import { twoNodes } from '../lab.js'

function notices(container: string, port: string): readonly string[] {
  const text = `apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
spec: { containers: [{ name: web, image: nginx, ${container} }] }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  selector: { app: web }
  ports:
    - { ${port} }
`
  const { objects } = parseManifests([{ path: 'web.yaml', text }])
  return clusterNotices(buildCluster(objects, twoNodes), objects)
}

const http = 'ports: [{ name: http, containerPort: 8080 }]'

t.test('a targetPort that no container declares, with its position', async (t) => {
  t.same(notices(http, 'port: 80, targetPort: 9090'), [
    'web.yaml:12:31: Service default/web: no container of its pods declares targetPort 9090/TCP; they declare 8080/TCP (http): nothing listens there',
  ])
  t.match(
    notices(http, 'port: 80'),
    [/^web\.yaml:12:7: .* targetPort 80\/TCP/],
    'targetPort is port by default',
  )
  t.match(notices(http, 'port: 8080, protocol: UDP'), [/targetPort 8080\/UDP; they declare 8080\/TCP/])
  t.same(notices(http, 'port: 80, targetPort: 8080'), [])
  t.same(notices(http, 'port: 80, targetPort: http'), [])
})

t.test('a targetPort by a name that no container has', async (t) => {
  t.match(notices(http, 'port: 80, targetPort: web'), [
    /^web\.yaml:12:31: Service default\/web: no container of its pods has a port named "web" for TCP; they declare 8080\/TCP \(http\): the port has no endpoints$/,
  ])
  t.match(
    notices('args: [x]', 'port: 80, targetPort: web')[0],
    /they declare no ports: the port has no endpoints$/,
  )
})

t.test('a program may listen on ports that it does not declare', async (t) => {
  const run = "command: [sleep, '9'], "
  t.match(notices(run + http, 'port: 80, targetPort: 9090'), [
    /only a program that listens there anyway answers$/,
  ])
  t.same(notices(`${run}args: [x]`, 'port: 80, targetPort: 9090'), [], 'it declares nothing')
})

t.test('a pod that declares no ports: the echo server follows the Services', async (t) => {
  t.same(notices('args: [x]', 'port: 80, targetPort: 9090'), [
    'pods that declare no ports: the echo server listens on the target ports of their Services: default/web',
  ])
})

t.test('only Services of the manifests are reported, if they are given', async (t) => {
  const text = `apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
---
apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
spec: { containers: [{ name: web, image: nginx, ${http} }] }
`
  const { objects } = parseManifests([{ path: 'web.yaml', text }])
  const built = buildCluster(objects, twoNodes)
  t.equal(clusterNotices(built, []).length, 0)
  t.match(clusterNotices(built), [/^Service default\/web: no container/])
})
