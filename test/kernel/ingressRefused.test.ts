import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { findTool } from '../../src/host/environment.js'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { inLab } from './inLab.js'
import { vethlab } from './servedCommands.js'

const skip = cannotRun || (findTool('haproxy') === undefined && 'missing here: haproxy')

/** An Ingress with a certificate whose key no proxy takes today: 1024 bits of RSA. */
function weakIngress(t: Test, ingressClassName: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const [key, certificate] = [join(folder, 'key'), join(folder, 'certificate')]
  const names = ['-subj', '/CN=weak.example', '-addext', 'subjectAltName=DNS:weak.example']
  const made = ['-x509', '-newkey', 'rsa:1024', '-nodes', '-days', '2', ...names]
  execFileSync('openssl', ['req', ...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const data = { 'tls.crt': readFileSync(certificate, 'base64'), 'tls.key': readFileSync(key, 'base64') }
  const path = {
    ...{ path: '/', pathType: 'Prefix' },
    backend: { service: { name: 'web', port: { number: 80 } } },
  }
  const objects = [
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'weak' }, type: 'kubernetes.io/tls', data },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'weak' },
      spec: {
        ingressClassName,
        tls: [{ hosts: ['weak.example'], secretName: 'weak' }],
        rules: [{ host: 'weak.example', http: { paths: [path] } }],
      },
    },
  ]
  const file = join(folder, 'weak.yaml')
  writeFileSync(file, objects.map((object) => JSON.stringify(object)).join('\n---\n'))
  return file
}

const said = async (...args: string[]) => {
  const { stdout, stderr } = await vethlab(args)
  return `${stdout}${stderr}`
}

t.test(
  'a configuration that a proxy refuses leaves the last good one, and says whose it is',
  { skip },
  async (t) => {
    const folder = copyOfLab(t, 'ingress-classes')
    const lab = basename(folder)
    t.teardown(() => said('down', lab))
    await said('up', folder)
    for (const { ingressClass, controller, address } of [
      { ingressClass: 'nginx', controller: 'ingress-nginx', address: '192.0.2.1' },
      { ingressClass: 'external-lb', controller: 'external', address: '192.0.2.2' },
    ]) {
      const ask = async (host: string) => {
        const url = ['--resolve', `${host}:80:${address}`, `http://${host}/`]
        const curl = ['curl', '-s', '-o', '/dev/null', '-w', '%{http_code}', ...url]
        return (await inLab(lab, 'client', curl)).stdout
      }
      const before = await said('ingress', lab, controller)
      t.match(before, /web\.example\.com/)
      const file = weakIngress(t, ingressClass)
      await said('kubectl', '--built-in', lab, 'apply', '-f', file)
      t.match(
        await said('kubectl', '--built-in', lab, 'describe', 'ingress', 'weak'),
        /Warning +ConfigurationRefused .*the last good configuration is still served.*default\/weak/,
      )
      t.equal(await said('ingress', lab, controller), before, `${controller} gets no new configuration`)
      t.equal(await ask('web.example.com'), '200', 'what was served is served')
      t.equal(await ask('weak.example'), '404')
      await said('kubectl', '--built-in', lab, 'delete', '-f', file)
      const another = [
        'patch',
        lab,
        'ingress',
        'elsewhere',
        '-p',
        JSON.stringify({ spec: { ingressClassName: ingressClass } }),
      ]
      await said(...another)
      t.equal(await ask('other.example.com'), '200', 'what comes later is served')
    }
    const own = await said('ingress', lab, 'own')
    t.match(own, /"key": "\(private key\)/)
    t.notMatch(own, /PRIVATE KEY/)
    t.match(
      await said('ingress', lab, 'externl'),
      /there is no ingress controller "externl"; did you mean "external"\?/,
    )
  },
)

t.test(
  'a lab whose first configuration is refused comes up, and says why nothing is served',
  { skip },
  async (t) => {
    const folder = copyOfLab(t, 'ingress-classes')
    const lab = basename(folder)
    t.teardown(() => said('down', lab))
    writeFileSync(join(folder, 'manifests', 'weak.yaml'), readFileSync(weakIngress(t, 'nginx')))
    t.match(await said('up', folder), /is running/)
    t.match(
      await said('kubectl', '--built-in', lab, 'describe', 'ingress', 'inside'),
      /ConfigurationRefused .*default\/weak/,
    )
    t.match(
      await said('kubectl', '--built-in', lab, 'describe', 'ingress', 'outside'),
      /Events: +<none>/,
      'the other controller’s',
    )
  },
)

t.test('the plan shows what proxies read, and no keys', async (t) => {
  const { stdout } = await vethlab(['plan', 'ingress-tls'])
  t.match(stdout, /# \d+\. what the proxies of ingress controller ingress-nginx read\n--- \S+\/nginx\.conf\n/)
  t.match(stdout, /\n {4}\(tls\.key of Secret default\/a-tls\)\n/)
  t.notMatch(stdout, /PRIVATE KEY/)
})
