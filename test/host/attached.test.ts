import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import t, { type Test } from 'tap'
import { pack } from 'tar-stream'
import { readAttached } from '../../src/host/attached.js'

function folderOf(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-attached-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return folder
}

interface Entry {
  readonly name: string
  readonly text: string
  readonly type?: 'symlink'
}

async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack()
  for (const { name, text, type } of entries)
    archive.entry(
      type === undefined ? { name } : { name, type, linkname: '/etc/passwd' },
      type === undefined ? text : '',
    )
  archive.finalize()
  const parts: Buffer[] = []
  for await (const part of archive as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

const texts = ({ files }: Awaited<ReturnType<typeof readAttached>>) =>
  files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])

t.test('a folder, a tar, a zip and archives in archives are read alike', async (t) => {
  const folder = folderOf(t)
  mkdirSync(join(folder, 'plain/net'), { recursive: true })
  writeFileSync(join(folder, 'plain/net/a'), 'one')
  t.strictSame(texts(await readAttached(join(folder, 'plain'))), [['net/a', 'one']])
  const tar = await tarOf([{ name: './net/a', text: 'one' }])
  writeFileSync(join(folder, 'b.tar.gz'), gzipSync(tar))
  t.strictSame(texts(await readAttached(join(folder, 'b.tar.gz'))), [['net/a', 'one']])
  const zip = zipSync({ 'cmd/x.tar.gz': gzipSync(tar), 'top.txt': new TextEncoder().encode('two') })
  writeFileSync(join(folder, 'c.zip'), zip)
  t.strictSame(texts(await readAttached(join(folder, 'c.zip'))), [
    ['cmd/x.tar.gz/net/a', 'one'],
    ['top.txt', 'two'],
  ])
  writeFileSync(join(folder, 'd.gz'), gzipSync('three'))
  t.strictSame(texts(await readAttached(join(folder, 'd.gz'))), [['d', 'three']])
})

t.test('links are not followed, and names that lead out of an archive are labels', async (t) => {
  const folder = folderOf(t)
  const tar = await tarOf([
    { name: '../../etc/shadow', text: 'mine' },
    { name: 'link', text: '', type: 'symlink' },
  ])
  writeFileSync(join(folder, 'a.tar'), tar)
  const found = await readAttached(join(folder, 'a.tar'))
  t.match(texts(found), [[/shadow$/, 'mine']])
  t.match(found.unread, [{ path: 'link', why: /no regular file/ }])
  mkdirSync(join(folder, 'own'))
  symlinkSync('/etc/passwd', join(folder, 'own/passwd'))
  t.match(await readAttached(join(folder, 'own')), { files: [], unread: [{ path: 'passwd' }] })
})

t.test('damaged, deep and huge archives are named, within bounds', async (t) => {
  const folder = folderOf(t)
  const tar = await tarOf([{ name: 'a', text: 'x'.repeat(5000) }])
  writeFileSync(join(folder, 'cut.tar.gz'), gzipSync(tar).subarray(0, 40))
  t.match(await readAttached(join(folder, 'cut.tar.gz')), { unread: [{ why: /damaged/ }] })
  let nested: Uint8Array = await tarOf([{ name: 'a', text: 'x' }])
  for (let depth = 0; depth < 6; depth++) nested = zipSync({ 'in.zip': nested })
  writeFileSync(join(folder, 'deep.zip'), nested)
  t.match(await readAttached(join(folder, 'deep.zip')), {
    files: [],
    unread: [{ why: /nested deeper than 3/ }],
  })
  writeFileSync(join(folder, 'xz.tar.xz'), Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]))
  t.match(await readAttached(join(folder, 'xz.tar.xz')), { files: [], unread: [{ why: /xz/ }] })
  // a gzip file may have many members: 800 MiB of zeros in less than one
  const member = gzipSync(Buffer.alloc(1 << 20))
  writeFileSync(join(folder, 'bomb.gz'), Buffer.concat(Array.from({ length: 800 }, () => member)))
  await t.rejects(readAttached(join(folder, 'bomb.gz')), { message: /larger than 768 MiB/ })
  await t.rejects(readAttached(join(folder, 'absent')), { message: /no such file/ })
})
