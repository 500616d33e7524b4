import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Test } from 'tap'
import type { Behaviour } from '../fixtures/fakeKubeProxy.js'

/** Builds the fake kube-proxy; what is returned makes an executable of it that behaves as told. */
export async function fakeKubeProxy(t: Test): Promise<(...behaviour: Behaviour[]) => string> {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  // other users run it too
  chmodSync(folder, 0o755)
  const fake = join(folder, 'fake.mjs')
  await build({
    entryPoints: ['test/fixtures/fakeKubeProxy.ts'],
    outfile: fake,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
  let made = 0
  return (...behaviour) => {
    const binary = join(folder, `kube-proxy-${made++}`)
    const words = [process.execPath, fake, ...behaviour.map((option) => option.join('='))]
      .map((word) => `'${word}'`)
      .join(' ')
    writeFileSync(binary, `#!/bin/sh\nexec ${words} "$@"\n`)
    chmodSync(binary, 0o755)
    return binary
  }
}
