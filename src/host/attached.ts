import { lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { unzipSync } from 'fflate'
import { extract } from 'tar-stream'
import { InputError } from '../errors.js'
import { readBytes } from './readText.js'

/** A file that somebody attached, alone, in a folder or in an archive. */
export interface AttachedFile {
  /** In the folder or archive; nested archives are folders of it: `sysdump.zip/bugtool.tar.gz/cmd/ip-a.md`. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** What was attached, and what of it was not read. */
export interface AttachedFiles {
  readonly files: readonly AttachedFile[]
  readonly unread: readonly { readonly path: string; readonly why: string }[]
}

const MiB = 1024 * 1024

/** A bundle of a large cluster has some hundred megabytes; an archive that unpacks to more is an error, or an attack. */
const limits = { file: 128 * MiB, total: 768 * MiB, files: 100_000, depth: 3 }

interface Reading {
  readonly files: AttachedFile[]
  readonly unread: { path: string; why: string }[]
  /** Bytes so far. */
  total: number
}

/**
 * Reads a file, a folder, an archive (tar, tar.gz, zip, also nested) or standard input (`-`) into memory; nothing is written.
 * Throws InputError for what cannot be read, and for more than the limits.
 */
export async function readAttached(path: string): Promise<AttachedFiles> {
  const reading: Reading = { files: [], unread: [], total: 0 }
  if (path !== '-' && isFolder(path)) await addFolder(reading, path, '')
  else
    await add(
      reading,
      path === '-' ? 'standard input' : basename(path),
      readBytes(path, { most: limits.total }),
      0,
    )
  return reading
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

async function addFolder(reading: Reading, folder: string, name: string): Promise<void> {
  for (const entry of readdirSync(folder).sort()) {
    const [path, shown] = [join(folder, entry), name === '' ? entry : `${name}/${entry}`]
    const stats = lstatSync(path)
    if (stats.isDirectory()) await addFolder(reading, path, shown)
    // a link may lead out of the bundle
    else if (!stats.isFile()) reading.unread.push({ path: shown, why: 'it is no regular file' })
    else if (stats.size > limits.file) reading.unread.push({ path: shown, why: tooLarge })
    else await add(reading, shown, readBytes(path, { most: limits.file }), 0)
  }
}

const tooLarge = `it is larger than ${limits.file / MiB} MiB`

async function add(reading: Reading, path: string, bytes: Uint8Array, depth: number): Promise<void> {
  const kind = archiveKind(bytes)
  if (kind !== undefined && depth >= limits.depth) {
    reading.unread.push({ path, why: `archives are nested deeper than ${limits.depth}` })
    return
  }
  const prefix = depth === 0 ? '' : `${path}/`
  try {
    if (kind === 'xz')
      reading.unread.push({
        path,
        why: `it is compressed by xz: \`tar -xJf ${basename(path)}\` unpacks it; attach the folder that it writes`,
      })
    else if (kind === 'gzip') await addGzip(reading, path, prefix, bytes, depth)
    else if (kind === 'tar') await addTar(reading, prefix, Readable.from([bytes]), depth)
    else if (kind === 'zip') await addZip(reading, prefix, bytes, depth)
    else count(reading, path, bytes)
  } catch (error) {
    if (error instanceof InputError) throw error
    reading.unread.push({
      path,
      why: `the archive is damaged: ${error instanceof Error ? error.message : String(error)}`,
    })
  }
}

function count(reading: Reading, path: string, bytes: Uint8Array): void {
  reading.total += bytes.length
  if (reading.total > limits.total || reading.files.length >= limits.files)
    throw new InputError([
      {
        message: `${path}: what is attached is larger than ${limits.total / MiB} MiB or has over ${limits.files} files`,
        hint: 'attach the folders with rules, addresses and objects only',
      },
    ])
  reading.files.push({ path, bytes })
}

function archiveKind(bytes: Uint8Array): 'gzip' | 'zip' | 'tar' | 'xz' | undefined {
  const starts = (...start: readonly number[]) => start.every((byte, index) => bytes[index] === byte)
  if (starts(0x1f, 0x8b)) return 'gzip'
  if (starts(0x50, 0x4b, 0x03, 0x04)) return 'zip'
  if (starts(0xfd, 0x37, 0x7a, 0x58, 0x5a)) return 'xz'
  return Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar' ? 'tar' : undefined
}

/** A compressed tar, or one compressed file. */
async function addGzip(
  reading: Reading,
  path: string,
  prefix: string,
  bytes: Uint8Array,
  depth: number,
): Promise<void> {
  const parts: Buffer[] = []
  let size = 0
  for await (const chunk of Readable.from([bytes]).pipe(createGunzip()) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size + reading.total > limits.total) count(reading, path, { length: limits.total } as Uint8Array)
    parts.push(chunk)
  }
  const unpacked = Buffer.concat(parts)
  if (archiveKind(unpacked) === 'tar') await addTar(reading, prefix, Readable.from([unpacked]), depth)
  else await add(reading, path.replace(/\.gz$/, ''), unpacked, depth + 1)
}

async function addTar(reading: Reading, prefix: string, stream: Readable, depth: number): Promise<void> {
  for await (const entry of stream.pipe(extract())) {
    const { name, type, size = 0 } = entry.header
    const path = `${prefix}${plainPath(name)}`
    if (type !== 'file' || size > limits.file) {
      if (type === 'file') reading.unread.push({ path, why: tooLarge })
      else if (type !== 'directory') reading.unread.push({ path, why: 'it is no regular file' })
      entry.resume()
      continue
    }
    const parts: Buffer[] = []
    for await (const chunk of entry as AsyncIterable<Buffer>) parts.push(chunk)
    await add(reading, path, Buffer.concat(parts), depth + 1)
  }
}

async function addZip(reading: Reading, prefix: string, bytes: Uint8Array, depth: number): Promise<void> {
  let declared = reading.total
  const files = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (name.endsWith('/')) return false
      declared += originalSize
      const fits = originalSize <= limits.file && declared <= limits.total
      if (!fits) reading.unread.push({ path: `${prefix}${plainPath(name)}`, why: tooLarge })
      return fits
    },
  })
  for (const [name, content] of Object.entries(files))
    await add(reading, `${prefix}${plainPath(name)}`, content, depth + 1)
}

/** Names are labels only: nothing is written. */
function plainPath(name: string): string {
  return name.replaceAll('\\', '/').replace(/^(\.?\/)+/, '')
}
