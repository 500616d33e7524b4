import { spawnSync } from 'node:child_process'
import { basename, join } from 'node:path'
import t from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { vethlab } from './servedCommands.js'

const noKubectl = spawnSync('kubectl', ['version', '--client']).error !== undefined

const service = `apiVersion: v1
kind: Service
metadata: { name: second }
spec: { selector: { app: my-app }, ports: [{ port: 80 }] }
`

t.test("the host's kubectl and the built-in one do and print the same", { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  t.teardown(() => vethlab(['down', lab]))
  t.equal((await vethlab(['up', path])).code, 0)
  const file = join(t.testdir({ 'second.yaml': service }), 'second.yaml')

  for (const which of noKubectl ? [['--built-in']] : [[], ['--built-in']]) {
    const kubectl = async (...words: string[]) => {
      const { code, stdout, stderr } = await vethlab(['kubectl', ...which, lab, ...words])
      return { code, text: stdout + stderr }
    }
    t.comment(which[0] ?? 'of the host')
    t.match(await kubectl('apply', '-f', file), { code: 0, text: 'service/second created\n' })
    t.match(await kubectl('-n', 'default', 'scale', 'deployment', 'my-app', '--replicas=3'), {
      code: 0,
      text: 'deployment.apps/my-app scaled\n',
    })
    const pods = await kubectl('get', 'pods')
    t.equal(pods.text.match(/ 1\/1 +Running /g)?.length, 3, `the lab has settled: ${pods.text}`)
    const row =
      /^NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE\nsecond +ClusterIP +10\S+ +<none> +80\/TCP +\d+s\n$/
    t.match(await kubectl('get', 'svc', 'second'), { code: 0, text: row })
    t.match(await kubectl('label', 'svc', 'second', 'a=b'), { text: 'service/second labeled\n' })
    const again = await kubectl('label', 'svc/second', 'a=c')
    t.match(again.text, "'a' already has a value (b), and --overwrite is false")
    t.not(again.code, 0)
    t.match(await kubectl('label', '--overwrite', 'svc/second', 'a=c'), { text: 'service/second labeled\n' })
    t.match(await kubectl('label', 'svc/second', 'a-'), { text: 'service/second unlabeled\n' })
    const wrong = await kubectl(
      'patch',
      'svc/my-nodeport-service',
      '-p',
      '{"spec":{"ports":[{"port":80,"nodePort":1}]}}',
    )
    t.match(
      wrong.text,
      /The Service "my-nodeport-service" is invalid: spec\.ports\[0\]\.nodePort: Invalid value: 1/,
    )
    t.not(wrong.code, 0)
    const all = await kubectl('describe', 'svc', 'second', '-A')
    t.match(all.text, 'a resource cannot be retrieved by name across all namespaces')
    t.match(await kubectl('delete', '-f', file), { code: 0, text: /^service "second" deleted/ })
    t.match(await kubectl('scale', 'deployment/my-app', '--replicas', '2'), { code: 0 })
  }

  const missing = await vethlab(['kubectl', '--built-in', lab, 'expose', 'deployment', 'my-app'])
  t.match(missing, { code: 2, stderr: /the built-in kubectl has no `expose`; .*(kubernetes-client|kubectl)/ })
  const former = await vethlab(['get', lab, 'svc', '-o', 'name'])
  t.match(former, {
    code: 0,
    stdout: /^service\/my-nodeport-service$/m,
    stderr: `note: \`vethlab kubectl ${lab} get …\` replaces this command`,
  })
})
