import { spawnSync } from 'node:child_process'
import { basename } from 'node:path'
import t from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { inLab } from './inLab.js'
import { vethlab } from './servedCommands.js'

const noKubectl = spawnSync('kubectl', ['version', '--client']).error !== undefined
const skip = cannotRun || (noKubectl && 'no kubectl on this machine')

const manifest = (replicas: number) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: api }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: api } }
  template:
    metadata: { labels: { app: api } }
    spec: { containers: [{ name: api, image: nginx, ports: [{ containerPort: 80 }] }] }
`

t.test('kubectl changes a lab: pods and rules follow', { skip }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  t.equal((await vethlab(['up', path])).code, 0)
  t.teardown(() => vethlab(['down', lab]))
  const onNode = (...argv: string[]) => inLab(lab, 'node-a', argv)
  /** Runs a script with kubectl in the lab; returns its output. */
  const script = async (text: string) => {
    const { exitCode, stdout, stderr } = await onNode('sh', '-ec', text)
    t.equal(exitCode, 0, `${text}\n${stderr}`)
    return stdout
  }
  const applied = (replicas: number, flags = '') =>
    script(`kubectl apply ${flags} -f - <<'Y'\n${manifest(replicas)}Y`)
  const rules = async () => (await onNode('iptables-save', '-t', 'nat')).stdout

  t.match(await applied(1), 'deployment.apps/api created')
  await script('kubectl rollout status deploy/api --timeout=60s')
  t.match(await applied(2), 'deployment.apps/api configured')
  t.match(await applied(2), 'deployment.apps/api unchanged')
  t.match(await script('kubectl expose deploy api --port=80'), 'service/api exposed')
  await script('kubectl wait --for=condition=Ready pod -l app=api --timeout=60s')
  const address = await script("kubectl get svc api -o jsonpath='{.spec.clusterIP}'")
  t.match(await script(`curl -s -o /dev/null -w '%{http_code}' --max-time 30 http://${address}/`), '200')
  t.match(await rules(), `-d ${address}/32`, 'the node has the rules of the new Service')

  t.match(await script('kubectl scale deploy api --replicas=1'), 'scaled')
  t.match(await script('kubectl set image deploy api api=nginx:2'), 'image updated')
  await script('kubectl annotate deploy api kubernetes.io/change-cause=second')
  await script('kubectl rollout status deploy/api --timeout=60s')
  t.match(await script('kubectl rollout history deploy api'), /^1 +<none>\n2 +second$/m)
  t.match(await script('kubectl rollout undo deploy api'), 'rolled back')
  await script('kubectl rollout status deploy/api --timeout=60s')
  const images = "kubectl get pods -l app=api -o jsonpath='{.items[*].spec.containers[0].image}'"
  t.match(await script(images), /\bnginx( |$)/, 'a pod has the old image')
  t.match(await script('kubectl rollout undo deploy api --to-revision=2'), 'rolled back')
  t.match(await script('kubectl rollout history deploy api'), /^3 +<none>\n4 +second$/m)
  t.match(await script('kubectl rollout restart deploy api; kubectl rollout pause deploy api'), 'paused')
  t.match(await script('kubectl rollout resume deploy api'), 'resumed')
  await script('kubectl rollout status deploy/api --timeout=60s')
  t.match(await script('kubectl label svc api a=b; kubectl annotate svc api c=d'), /labeled\n.*annotated/)
  for (const patch of [
    `-p '{"spec":{"ports":[{"port":80,"name":"web"}]}}'`,
    `--type=merge -p '{"metadata":{"labels":{"m":"1"}}}'`,
    `--type=json -p '[{"op":"add","path":"/spec/externalIPs","value":["192.0.2.9"]}]'`,
  ])
    t.match(await script(`kubectl patch svc api ${patch}`), 'service/api patched')
  t.match(await rules(), '-d 192.0.2.9/32')
  const editor = `printf '#!/bin/sh\\nsed -i s/192.0.2.9/192.0.2.10/ $1\\n' >/tmp/editor; chmod +x /tmp/editor`
  t.match(await script(`${editor}; EDITOR=/tmp/editor kubectl edit svc api`), 'service/api edited')
  t.match(await rules(), '-d 192.0.2.10/32')

  t.match(await applied(2, '--server-side --force-conflicts'), 'serverside-applied')
  const conflict = await onNode(
    'sh',
    '-c',
    `kubectl apply --server-side --field-manager=x -f - <<'Y'\n${manifest(3)}Y`,
  )
  t.match(conflict.stderr, 'conflict with "kubectl" using apps/v1: .spec.replicas')
  t.match(
    (await onNode('sh', '-c', `kubectl diff -f - <<'Y'\n${manifest(4)}Y`)).stdout,
    /^\+ {2}replicas: 4$/m,
  )
  t.match(await script('kubectl create deployment dry --image=nginx --dry-run=server'), 'server dry run')
  t.match((await onNode('kubectl', 'get', 'deploy', 'dry')).stderr, 'not found')
  for (const [create, kind] of [
    ['configmap one --from-literal=a=b', 'configmap'],
    ['namespace one', 'namespace'],
    ['service clusterip one --tcp=80:8081', 'service'],
  ] as const)
    t.match(await script(`kubectl create ${create}`), `${kind}/one created`)
  t.equal(await script("kubectl get svc one -o jsonpath='{.spec.ports[0].targetPort}'"), '8081')

  t.match(await script('kubectl run one --image=nginx'), 'pod/one created')
  await script('kubectl wait --for=condition=Ready pod/one --timeout=60s')

  const stateful = manifest(1).replace('Deployment', 'StatefulSet').replaceAll(': api', ': db')
  t.match(await script(`kubectl apply -f - <<'Y'\n${stateful}Y`), 'statefulset.apps/db created')
  await script('kubectl rollout status sts/db --timeout=60s')
  t.match(await script('kubectl set image sts db db=nginx:2'), 'image updated')
  await script('kubectl rollout status sts/db --timeout=60s')
  t.match(await script('kubectl rollout undo sts db'), 'rolled back')
  await script('kubectl rollout status sts/db --timeout=60s')
  t.match(await script('kubectl rollout history sts db'), /^2 +<none>\n3 +<none>$/m)
  t.equal(await script("kubectl get pod db-0 -o jsonpath='{.spec.containers[0].image}'"), 'nginx')
  t.match(await script('kubectl delete sts db'), 'deleted')

  t.match(await script('kubectl taint node node-a k=v:NoSchedule; kubectl taint node node-a k-'), 'untainted')
  t.match(await script('kubectl drain node-b --force --timeout=120s'), 'node/node-b drained')
  const left = 'kubectl get pods -A --field-selector spec.nodeName=node-b -o name'
  t.equal(await script(left), '', 'no pod is left on the drained node')
  t.match(await script('kubectl uncordon node-b'), 'uncordoned')
  const refused = await onNode('kubectl', 'patch', 'svc', 'api', '-p', '{"spec":{"clusterIP":"10.96.9.9"}}')
  t.match(refused.stderr, 'The Service "api" is invalid: spec.clusterIP')
  t.match(await script('kubectl delete svc api; kubectl delete deploy,pod --all --grace-period=1'), 'deleted')
  t.notMatch(await rules(), `-d ${address}/32`, 'the rules of the Service are removed')

  const url = 'https://172.18.0.1:6444/api/v1/namespaces/default/services/one'
  const anonymous = await onNode('curl', '-sk', '-X', 'DELETE', url)
  t.match(anonymous.stdout, 'User \\"system:anonymous\\" cannot delete resource')
})
