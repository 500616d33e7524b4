// `npm run soak -- upstream DIR [--go FILE] [--kube-proxy-version 1.36]`, called by soak.ts: DIR is a Kubernetes source tree with its
// vendored packages (1.31 to 1.36). Upstream's tests of pkg/proxy/iptables and nftables run with an overlay that puts the rules that
// vethlab renders for their objects in the place of what its proxier has written: upstream's packet tracer and comparison of
// texts decide. The tree is not changed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { execa } from 'execa'
import { minorOf, type MinorVersion } from '../src/agents/kubeProxy/versions/version.js'
import { kubeProxyVersionOption } from '../src/commands/render.js'
import { CannotRunError, InputError } from '../src/errors.js'
import { hooked } from './upstream/hooks.js'
import { rendered, type HookInput } from './upstream/rendered.js'

const modes = ['iptables', 'nftables'] as const

/** How much of the output of a failed test is printed, in characters. */
const shownOutput = 3000

/** Returns the exit code: 0 if every test of upstream that passes without vethlab passes with it. */
export async function soakUpstream(args: readonly string[]): Promise<number> {
  const command = new Command('soak -- upstream')
    .argument('<tree>')
    .option('--go <file>', 'the go command', 'go')
    .addOption(kubeProxyVersionOption())
    .parse(args, { from: 'user' })
  const { go, kubeProxyVersion = '1.36' } = command.opts<{ go: string; kubeProxyVersion?: string }>()
  const tree = resolve(command.args[0] ?? '')
  await requireGo(go)
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-upstream-'))
  const server = await renderServer(minorOf(kubeProxyVersion))
  const print = (text: string) => process.stdout.write(`${text}\n`)
  try {
    const overlay = writeOverlay(tree, folder)
    const run = (flags: readonly string[]) => testResults(go, tree, flags, urlOf(server))
    const plain = await run([])
    const replaced = await run(['-overlay', overlay])
    const counted = [...plain].filter(([, { passed }]) => passed).map(([test]) => test)
    const failed = counted.filter((test) => replaced.get(test)?.passed !== true)
    for (const test of failed)
      print(`failed: ${test}\n${(replaced.get(test)?.output ?? 'did not run').slice(0, shownOutput)}`)
    print(`figure: ${counted.length - failed.length} of ${counted.length} tests of upstream pass`)
    return counted.length > 0 && failed.length === 0 ? 0 : 1
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function requireGo(go: string): Promise<void> {
  const { failed } = await execa(go, ['version'], { reject: false, env: { GOTOOLCHAIN: 'local' } })
  if (failed)
    throw new CannotRunError(`${go}: no Go toolchain`, 'install Go, or name its go command with --go')
}

/** The files of an overlay for `go test`: the hooked proxiers, and their hooks. */
function writeOverlay(tree: string, folder: string): string {
  const replaced = modes.flatMap((mode) => {
    const path = join(tree, 'pkg/proxy', mode, 'proxier.go')
    const { proxier, hooks } = hooked(mode, readSource(path))
    const [edited, added] = [join(folder, `${mode}.go`), join(folder, `${mode}Hooks.go`)]
    writeFileSync(edited, proxier)
    writeFileSync(added, hooks)
    return [[path, edited] as const, [join(tree, 'pkg/proxy', mode, 'vethlab.go'), added] as const]
  })
  const overlay = join(folder, 'overlay.json')
  writeFileSync(overlay, JSON.stringify({ Replace: Object.fromEntries(replaced) }))
  return overlay
}

function readSource(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    const hint = 'name the folder of a Kubernetes source tree with pkg/proxy and vendor'
    throw new InputError([{ message: `${path} cannot be read`, hint }])
  }
}

async function renderServer(version: MinorVersion): Promise<Server> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      try {
        response.end(rendered(JSON.parse(Buffer.concat(parts).toString()) as HookInput, version))
      } catch (error) {
        response.writeHead(500).end(String(error))
      }
    })
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  return server
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

interface TestResult {
  readonly passed: boolean
  readonly output: string
}

/** The results of each test and subtest, by package and name. */
async function testResults(
  go: string,
  cwd: string,
  flags: readonly string[],
  url: string,
): Promise<ReadonlyMap<string, TestResult>> {
  const packages = modes.map((mode) => `./pkg/proxy/${mode}/`)
  const { stdout, stderr } = await execa(
    go,
    ['test', '-json', '-count=1', '-vet=off', '-p', '1', ...flags, ...packages],
    { cwd, reject: false, env: { GOTOOLCHAIN: 'local', GOFLAGS: '-mod=vendor', VETHLAB_RENDER: url } },
  )
  const results = new Map<string, TestResult>()
  const outputs = new Map<string, string>()
  for (const line of stdout.split('\n')) {
    if (!line.startsWith('{')) continue
    const { Action, Package = '', Test, Output = '' } = JSON.parse(line) as GoEvent
    if (Test === undefined) continue
    const test = `${Package.split('/').at(-1) ?? ''} ${Test}`
    if (Action === 'output') outputs.set(test, (outputs.get(test) ?? '') + Output)
    if (Action === 'pass' || Action === 'fail')
      results.set(test, { passed: Action === 'pass', output: outputs.get(test) ?? '' })
  }
  if (results.size === 0)
    throw new InputError([{ message: `go test ran no test\n${(stderr || stdout).slice(-2000)}` }])
  return results
}

/** A line of `go test -json`. */
interface GoEvent {
  readonly Action: string
  readonly Package?: string
  readonly Test?: string
  readonly Output?: string
}
