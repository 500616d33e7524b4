import { readFileSync } from 'node:fs'

/** The versions of Node and the tools that vethlab needs; `vethlab doctor` reads the same file. */
export function readRequirements() {
  return JSON.parse(readFileSync(new URL('../../src/host/doctor/requirements.json', import.meta.url), 'utf8'))
}

/** Whether a Node version is one of the supported lines; each line is [major, minimum minor], the last one without an upper limit. */
export function supportsNode(lines, version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const newest = lines[lines.length - 1]
  return major > newest[0] || lines.some((line) => line[0] === major && minor >= line[1])
}
