import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'

t.test('a debugger finds the sources of the built command line', async (t) => {
  for (const name of ['vethlab.cjs', 'portals.cjs']) {
    const map = JSON.parse(readFileSync(`dist/${name}.map`, 'utf8')) as {
      sourceRoot: string
      sources: string[]
    }
    const sources = map.sources.map((source) => resolve('dist', join(map.sourceRoot, source)))
    const own = sources.filter((source) => source.startsWith(resolve('src')))
    t.ok(own.length > 0, `${name} has sources in src`)
    t.strictSame(
      own.filter((source) => !existsSync(source)),
      [],
      name,
    )
  }
})
