import { basename, join } from 'node:path'
import t from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab, start } from './commandLine.js'
import { vethlab } from './servedCommands.js'

const objects = `apiVersion: v1
kind: Pod
metadata: { name: talker }
spec:
  containers:
    - { name: main, image: busybox, command: [sh, -c, 'echo one; echo two; while ! test -e /tmp/go; do sleep 0.1; done; echo three; exec sleep 9999'] }
    - { name: other, image: busybox, command: [sh, -c, 'echo from the other; exec sleep 9999'] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: broken }
spec:
  ingressClassName: nginx-example
  rules: [{ host: broken.example, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: none, port: { number: 80 } } } }] } }]
`

t.test('logs, events, annotate and get -w of a running lab', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'ingress')
  const lab = basename(path)
  t.teardown(() => vethlab(['down', lab]))
  t.equal((await vethlab(['up', path])).code, 0)
  const pods = start(['kubectl', '--built-in', lab, 'get', 'pods', '-w'])
  const events = start(['kubectl', '--built-in', lab, 'events', '--watch', '--for', 'ingress/broken'])
  t.teardown(() => [pods, events].forEach((one) => one.kill('SIGKILL')))
  await pods.says('RESTARTS')
  const file = join(t.testdir({ 'objects.yaml': objects }), 'objects.yaml')
  const applied = await vethlab(['kubectl', '--built-in', lab, 'apply', '-f', file])
  t.equal(applied.code, 0, applied.stderr)

  t.match(
    await pods.says('talker'),
    /^NAME +READY +STATUS[^]*\ntalker +\d\/2 /,
    'a row without a second heading',
  )
  t.match(await events.says('BackendNotFound'), /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n/)
  t.match(await vethlab(['ingress', lab, 'ingress/broken']), {
    code: 0,
    stdout: /broken\.example +\/ +Prefix +none:80 \(not served: Service default\/none was not found\)/,
  })
  t.match(await vethlab(['ingress', lab, 'pod/talker']), {
    code: 2,
    stderr: /no ingress controller reads a Pod/,
  })
  const listed = await vethlab(['kubectl', '--built-in', lab, 'events', '--for', 'ingress/broken'])
  t.match(listed.stdout, /Warning +BackendNotFound +ingress\/broken +\S/)
  const none = await vethlab(['kubectl', '--built-in', lab, 'events', '--for', 'pod/talker'])
  t.match(none.stderr + none.stdout, /No events found|pod\/talker/)
  t.notMatch(none.stdout, 'BackendNotFound')

  const log = async (...args: string[]) => {
    const { code, stdout, stderr } = await vethlab(['kubectl', '--built-in', lab, 'logs', ...args])
    return { code, text: stdout + stderr }
  }
  const following = start(['kubectl', '--built-in', lab, 'logs', 'talker', '-c', 'main', '-f'])
  await following.says('two\n')
  t.strictSame(await log('talker', '-c', 'main'), { code: 0, text: 'one\ntwo\n' })
  t.strictSame(await log('pod/talker', '-c', 'main', '--tail', '1'), { code: 0, text: 'two\n' })
  t.strictSame(await log('talker', '-n', 'default', '-c', 'other'), { code: 0, text: 'from the other\n' })
  t.match(await log('talker'), { code: 2, text: /a container name must be specified for pod talker/ })
  t.match(await log('talker', '-c', 'main', '--previous'), {
    code: 2,
    text: /previous terminated container "main"/,
  })
  t.match(await log('talke'), { code: 2, text: /did you mean "talker"/ })
  t.equal((await vethlab(['exec', lab, 'talker', '--', 'touch', '/tmp/go'])).code, 0)
  await following.says('three\n')
  t.equal((await vethlab(['kubectl', '--built-in', lab, 'delete', 'pod/talker'])).code, 0)
  t.match(await following.ended, { code: 0, stdout: 'one\ntwo\nthree\n' }, 'it ends with the pod')

  const annotated = await vethlab(['kubectl', '--built-in', lab, 'annotate', 'ingress/broken', 'note=seen'])
  t.match(annotated, { code: 0, stdout: 'ingress.networking.k8s.io/broken annotated\n' })
  t.match(
    (await vethlab(['kubectl', '--built-in', lab, 'get', 'ingress', 'broken', '-o', 'yaml'])).stdout,
    /note: seen/,
  )
  t.match(await vethlab(['kubectl', '--built-in', lab, 'annotate', 'ingress/broken']), {
    code: 2,
    stderr: /no annotation is named/,
  })

  t.match(await vethlab(['kubectl', '--built-in', lab, 'get', 'pods,svc', '-w']), {
    code: 2,
    stderr: /tables of one kind/,
  })
  t.match(await vethlab(['kubectl', '--built-in', lab, 'get', 'pods', '-o', 'jsonpath={.items}']), {
    code: 2,
    stderr: /has no output format jsonpath; .*kubernetes-client/,
  })
  pods.kill('SIGINT')
  t.equal((await pods.ended).code, 130)
  t.equal((await vethlab(['down', lab])).code, 0)
  t.equal((await events.ended).code, 0, 'it ends with the lab')
})
