import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Test } from 'tap'
import type { Behaviour } from '../fixtures/fakeKubeProxy.js'

/** Builds the fake kube-proxy; the result makes an executable of it with a given behaviour. */
export async function fakeKubeProxy(t: Test): Promise<(...behaviour: Behaviour[]) => string> {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  // other users run it too
  chmodSync(folder, 0o755)
  const { outputFiles } = await build({
    entryPoints: ['test/fixtures/fakeKubeProxy.ts'],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    logLevel: 'warning',
  })
  const program = outputFiles.map(({ text }) => text).join('')
  let made = 0
  return (...behaviour) => {
    const binary = join(folder, `kube-proxy-${made++}`)
    const words = behaviour.map((option) => option.join('='))
    // one file, as the real one is: a lab sees nothing else of its folder
    const script = `process.argv.splice(2, 0, ...${JSON.stringify(words)})\n${program}`
    writeFileSync(binary, `#!${process.execPath}\n${script}`)
    chmodSync(binary, 0o755)
    return binary
  }
}
