import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { packageOf } from '../../src/host/environment.js'
import { toolRequirements } from '../../src/host/doctor/requirements.js'

/** What every Debian has: coreutils, dash, grep, libc-bin, findutils; and what vethlab itself runs on. */
const everywhere = ['node', 'sh', 'sleep', 'true', 'getent', 'xargs', 'cat', 'grep', 'env', 'printf', 'echo']

/** What packages bring beside the tool that the requirements name. */
const beside: Readonly<Record<string, readonly string[]>> = {
  iproute2: ['ss', 'bridge'],
  iptables: ['iptables-save', 'iptables-restore', 'ip6tables', 'ip6tables-save'],
}

const packages = new Set(toolRequirements.map((tool) => tool.package))
const known = new Set([
  ...everywhere,
  ...toolRequirements.map(({ name }) => name),
  ...Object.entries(beside).flatMap(([name, tools]) => (packages.has(name) ? tools : [])),
])

/** First words of `command` lists, wherever they stand. */
function commands(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(commands)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === 'command' && Array.isArray(inner) && typeof inner[0] === 'string' ? [inner[0]] : commands(inner),
  )
}

t.test('the image gets what the requirements name', async (t) => {
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  t.match(dockerfile, 'COPY src/host/doctor/requirements.json src/host/doctor/requirements.json')
  t.match(dockerfile, 'node scripts/setup.mjs tools')
})

t.test('they name what vethlab itself and every lab starts', async (t) => {
  const missing = Object.values(packageOf)
    .flatMap((names) => names.split(' '))
    .filter((name) => !packages.has(name) && !['findutils', 'perl-base'].includes(name))
  t.strictSame(missing, [])
  const all = readdirSync('labs', { recursive: true, encoding: 'utf8' })
  const files = all.filter((file) => /(^|\/)(lab|exercise)\.yaml$/.test(file)).map((file) => `labs/${file}`)
  t.ok(files.length > 30, 'labs were found')
  for (const file of files) {
    const words = commands(parse(readFileSync(file, 'utf8')))
    t.strictSame(
      [...new Set(words)].filter((word) => !known.has(word)),
      [],
      file,
    )
  }
})
