// `npm run bundle -- FILE` writes an archive that installs vethlab on a host without the internet: vethlab, the Node that runs
// this script, and the Debian packages that labs and classes need with all that they depend on.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { $ } from 'zx'
import { root } from './bench/workspace.js'
import { debianIndex } from './bundle/debianIndex.js'

const usage = 'Usage: npm run bundle -- FILE.tar.gz\n'

process.exitCode = await main(process.argv.slice(2))

async function main([file, ...more]: readonly string[]): Promise<number> {
  if (file === undefined || more.length > 0 || !/\.(tar\.gz|tgz)$/.test(file)) {
    process.stderr.write(usage)
    return 2
  }
  if (!existsSync('/usr/bin/apt-get')) {
    process.stderr.write(
      "bundle: needs Debian or Ubuntu: the archive contains packages of this host's release\n",
    )
    return 3
  }
  const temporary = mkdtempSync(join(tmpdir(), 'vethlab-bundle-'))
  try {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    const folder = join(temporary, `vethlab-${version}`)
    mkdirSync(folder)
    say('packing vethlab')
    await addVethlab(folder)
    say('downloading Debian packages')
    await addPackages(join(folder, 'debs'))
    await describeHost(join(folder, 'host'))
    copyFileSync(join(root, 'scripts/bundle/install.sh'), join(folder, 'install.sh'))
    await $({
      cwd: folder,
    })`find . -type f ! -name SHA256SUMS -print0 | sort -z | xargs -0 sha256sum >SHA256SUMS`
    await $`tar --create --gzip --owner=0 --group=0 --file=${resolve(file)} --directory=${temporary} ${basename(folder)}`
    say(
      `${file} is written: on the other host, \`tar -xzf ${basename(file)}\` and \`sudo ./${basename(folder)}/install.sh\``,
    )
    return 0
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** The npm package as it is published, with Node. */
async function addVethlab(folder: string): Promise<void> {
  const { stdout } = await $({ cwd: root })`npm pack --silent --pack-destination ${folder}`
  const archive = join(folder, stdout.trim().split('\n').at(-1) ?? '')
  await $`tar --extract --file=${archive} --directory=${folder}`
  rmSync(archive)
  await $`mv ${join(folder, 'package')} ${join(folder, 'vethlab')}`
  copyFileSync(process.execPath, join(folder, 'vethlab/node'))
  const { exitCode } = await $({ nothrow: true })`env -i ${join(folder, 'vethlab/node')} --version`
  if (exitCode !== 0) throw new Error(`${process.execPath} does not run from another folder`)
}

/** Packages with all that they depend on, as for a host that has none, and their index for apt. */
async function addPackages(folder: string): Promise<void> {
  const file = join(root, 'src/host/doctor/requirements.json')
  const { tools } = JSON.parse(readFileSync(file, 'utf8')) as { tools: readonly { package: string }[] }
  const names = ['libstdc++6', ...new Set(tools.map((tool) => tool.package))]
  const state = mkdtempSync(join(tmpdir(), 'vethlab-apt-'))
  try {
    mkdirSync(join(state, 'archives/partial'), { recursive: true })
    writeFileSync(join(state, 'status'), '')
    const own = [`Dir::Cache=${state}`, `Dir::State::status=${join(state, 'status')}`, 'Debug::NoLocking=1']
    const options = [...own, 'APT::Sandbox::User=root'].flatMap((option) => ['-o', option])
    await $`apt-get -qq -y ${options} install --download-only --no-install-recommends ${names}`
    await $`mv ${join(state, 'archives')} ${folder}`
    for (const name of readdirSync(folder))
      if (!name.endsWith('.deb')) rmSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, 'Packages'), await debianIndex(folder))
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}

/** What install.sh compares with the host that it runs on. */
async function describeHost(file: string): Promise<void> {
  const { stdout } = await $`. /etc/os-release && printf 'id=%s\nrelease=%s\n' "$ID" "$VERSION_CODENAME"`
  const architecture = await $`dpkg --print-architecture`
  writeFileSync(file, `${stdout}architecture=${architecture.stdout}`)
}

function say(text: string): void {
  process.stderr.write(`bundle: ${text}\n`)
}
