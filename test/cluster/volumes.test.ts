import t from 'tap'
import { buildCluster } from '../../src/cluster/cluster.js'
import { parseManifests } from '../../src/cluster/manifests/manifests.js'
import { clusterNotices } from '../../src/cluster/manifests/notices.js'
import { needProblems } from '../../src/cluster/pods/podNeeds.js'
import { inUnits } from '../../src/cluster/quantity.js'
import { formatProblem } from '../../src/errors.js'
import { defaultRanges } from '../../src/net/addressRanges.js'
import { refusals } from './lab.js'

const options = {
  nodes: [{ name: 'node-a', labels: {} }],
  ranges: defaultRanges,
  families: ['IPv4'] as const,
}

function read(text: string) {
  return parseManifests([{ path: 'a.yaml', text }]).objects
}

/** A pod with a command, with these fields of its container and its spec. */
function pod(container: string, spec = '', command = ', command: [sleep, infinity]'): string {
  return `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - { name: web, image: x${command}, ${container} }
  ${spec}
`
}

t.test('volumes, mounts and environments that the API server rejects', (t) => {
  const wrong = (container: string, spec: string, message: RegExp) =>
    t.throws(() => read(pod(container, spec)), { message })
  const config = 'volumes: [{ name: a, configMap: { name: c } }]'
  wrong(
    'volumeMounts: [{ name: b, mountPath: /x }]',
    config,
    /^a.yaml:6:81: .*spec.containers\[0\].volumeMounts\[0\].name: Not found: "b"; did you mean "a"\?$/,
  )
  wrong(
    'volumeMounts: [{ name: a, mountpath: /x }]',
    config,
    /unknown field ".*mountpath"; did you mean "mountPath"\?/,
  )
  wrong(
    'volumeMounts: [{ name: a, mountPath: /x }, { name: a, mountPath: /x }]',
    config,
    /mountPath: Invalid value: "\/x": must be unique/,
  )
  wrong(
    'volumeMounts: [{ name: a, mountPath: /x, subPath: ../y }]',
    config,
    /subPath: Invalid value: "..\/y": must not contain '..'/,
  )
  wrong('', 'volumes: [{ name: a, configmap: { name: c } }]', /^a.yaml:7:24: .*did you mean "configMap"\?/)
  wrong('', 'volumes: [{ name: a, secret: { name: c } }]', /unknown field "spec.volumes\[0\].secret.name"/)
  wrong('', 'volumes: [{ name: a, secret: {} }]', /volumes\[0\].secret.secretName: Required value/)
  wrong(
    '',
    'volumes: [{ name: a, secret: { secretName: x }, emptyDir: {} }]',
    /secret: Forbidden: may not specify more than 1 volume type/,
  )
  wrong(
    '',
    'volumes: [{ name: a, emptyDir: {} }, { name: a, emptyDir: {} }]',
    /volumes\[1\].name: Duplicate value: "a"/,
  )
  wrong(
    '',
    'volumes: [{ name: a, downwardAPI: { items: [{ path: x, fieldRef: { fieldPath: status.podIP } }] } }]',
    /fieldPath: Unsupported value: "status.podIP"/,
  )
  wrong(
    'env: [{ name: A, valueFrom: { fieldRef: { fieldPath: status.podIp } } }]',
    '',
    /field label not supported: status.podIp.*did you mean "status.podIP"\?/,
  )
  wrong(
    'env: [{ name: A, valueFrom: { secretKeyRef: { name: s } } }]',
    '',
    /secretKeyRef.key: Required value/,
  )
  wrong(
    'env: [{ name: A, valueFrom: { secretRef: { name: s } } }]',
    '',
    /unknown field .*secretRef"; did you mean "secretKeyRef"\?/,
  )
  wrong('envFrom: [{ prefix: x }]', '', /must specify one of: `configMapRef` or `secretRef`/)
  t.end()
})

t.test('Secrets that the API server rejects', (t) => {
  const wrong = (fields: string, message: RegExp) =>
    t.throws(() => read(`apiVersion: v1\nkind: Secret\nmetadata: { name: s }\n${fields}\n`), { message })
  wrong(
    'data: { a: hello }',
    /^a.yaml:4:12: .*illegal base64 data at input byte 4; stringData takes text as it is$/,
  )
  wrong('stringData: { "a b": x }', /data\[a b\]: Invalid value: "a b": a valid config key/)
  wrong('type: kubernetes.io/tls', /data\[tls.crt\]: Required value[^]*data\[tls.key\]: Required value/)
  wrong('type: kubernetes.io/basic-auth', /data\[username\]: Required value/)
  const details: readonly [text: string, detail: string][] = [
    ['nothing', "invalid character 'o' in literal null (expecting 'u')"],
    ['x', "invalid character 'x' looking for beginning of value"],
    ['{a: 1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a": 1 2}', "invalid character '2' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['{', 'unexpected end of JSON input'],
    ['[]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
  ]
  const docker = 'apiVersion: v1\nkind: Secret\nmetadata: { name: s }\ntype: kubernetes.io/dockerconfigjson\n'
  for (const [text, detail] of details)
    t.equal(
      refusals(() => read(`${docker}stringData: { .dockerconfigjson: '${text}' }\n`))[0]?.split(
        'redacted>": ',
      )[1],
      detail,
    )
  const [secret] = read('apiVersion: v1\nkind: Secret\nmetadata: { name: s }\nstringData: { a: x }\n')
  t.match(secret?.object, { type: 'Opaque', data: { a: 'eA==' } })
  for (const type of ['example.com/mine', '__proto__', 'constructor'])
    t.equal(read(`apiVersion: v1\nkind: Secret\nmetadata: { name: s }\ntype: ${type}\n`).length, 1, type)
  t.notOk('stringData' in (secret?.object ?? {}))
  t.end()
})

t.test('missing objects are reported at the field that needs them, once for each workload', (t) => {
  const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: x
          command: [sleep, infinity]
          env: [{ name: A, valueFrom: { secretKeyRef: { name: s, key: gone } } }]
          envFrom: [{ configMapRef: { name: c } }, { secretRef: { name: o, optional: true } }]
      volumes: [{ name: v, projected: { sources: [{ secret: { name: none } }] } }]
---
apiVersion: v1
kind: Secret
metadata: { name: s }
stringData: { a: b }
`
  const objects = read(deployment)
  const cluster = buildCluster(objects, options)
  const lets = '`optional: true` lets its pods start without'
  t.strictSame(needProblems(cluster, objects).map(formatProblem), [
    `a.yaml:16:69: Deployment "web": secret "none" not found; add it to the manifests; ${lets} it`,
    `a.yaml:15:45: Deployment "web": configmap "c" not found; add it to the manifests; ${lets} it`,
    `a.yaml:14:71: Deployment "web": couldn't find key gone in Secret default/s; ${lets} the key`,
  ])
  const echo = read(deployment.replace('          command: [sleep, infinity]\n', ''))
  const served = buildCluster(echo, options)
  t.strictSame(needProblems(served, echo), [])
  t.match(
    clusterNotices(served).join('\n'),
    /configmap "c" not found: a real cluster would not start its container; .*: default\/web-/,
  )
  t.end()
})

t.test('unsupported volumes are listed', (t) => {
  const spec = 'volumes: [{ name: a, hostPath: { path: /x } }, { name: b, nfs: { server: x, path: /y } }]'
  const notices = (text: string) => clusterNotices(buildCluster(read(text), options)).join('\n')
  t.match(
    notices(pod('', spec)),
    /hostPath volumes are folders of the lab.*default\/web\nnfs volumes are not supported/,
  )
  t.equal(notices(pod('', spec, '')), '', 'the echo server needs none')
  t.end()
})

t.test('quantities in units, rounded up', (t) => {
  t.equal(inUnits('1500m', ''), '2')
  t.equal(inUnits('1500m', '1m'), '1500')
  t.equal(inUnits('64Mi', '1Ki'), '65536')
  t.equal(inUnits('100M', '1Mi'), '96')
  t.equal(inUnits('1e3', '0'), '1000')
  t.equal(inUnits('much', ''), undefined)
  t.end()
})

t.test('a pod whose PriorityClass does not exist is refused, as by the API server', (t) => {
  const spec = `
spec:
  containers: [{ name: a, image: x }]
  priorityClassName: high
`
  const pod = `apiVersion: v1\nkind: Pod\nmetadata: { name: a }${spec}`
  const set = `---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agents }
spec:
  selector: { matchLabels: { app: a } }
  template:
    metadata: { labels: { app: a } }
    spec:
      priorityClassName: low
      containers: [{ name: a, image: x }]
`
  const problems = (manifest: string) => {
    const objects = read(manifest)
    return needProblems(buildCluster(objects, options), objects).map(formatProblem)
  }
  t.strictSame(problems(pod + set), [
    'a.yaml:6:22: pods "a" is forbidden: no PriorityClass with name high was found; add it to the manifests',
    'a.yaml:16:26: no pod of DaemonSet "agents" is created: no PriorityClass with name low was found; add it to the manifests',
  ])
  const high =
    '---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 1\n'
  t.strictSame(problems(pod + high), [])
  t.strictSame(problems(pod.replace('high', 'system-node-critical')), [])
  t.end()
})
