// Which page of the site shows which file, and how links between files become links between pages.
import { readdirSync } from 'node:fs'
import { posix } from 'node:path'

const { dirname, join } = posix

/** Files and folders of which every Markdown file is a page. */
const files = ['README.md', 'README.ko.md', 'CONTRIBUTING.md', 'scripts/README.md']
const folders = ['docs', 'labs']

/**
 * The page of a Markdown file: a README is the index of its folder, and `*.ko.md` goes below `ko/`.
 * @param {string} file path from the top of the repository
 */
export function pageOf(file) {
  const korean = file.endsWith('.ko.md')
  const page = file.replace(/(\.ko)?\.md$/, '').replace(/(^|\/)README$/, '$1index')
  return `${korean ? 'ko/' : ''}${page}.md`
}

/**
 * A link as a page of the site has it; undefined where it leads to a file that is not a page.
 * @param {string} file the Markdown file that has the link
 * @param {string} href the link as written
 */
export function linkOf(file, href) {
  if (/^([a-z]+:|#)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const linked = join(dirname(file), path)
  if (!path.endsWith('.md') || !(files.includes(linked) || folders.includes(linked.split('/')[0] ?? '')))
    return undefined
  const target = pageOf(linked).replace(/(^|\/)index\.md$/, '$1')
  return `/${target.replace(/\.md$/, '')}${anchor === undefined ? '' : `#${anchor}`}`
}

/** The anchor of a heading, as GitHub spells it: links between the files hold in both places. */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/** Every Markdown file of the site. */
export function pageFiles(root) {
  const below = (folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file))
  return [...files, ...folders.flatMap(below)].sort()
}

/**
 * The side bar of a language, from the headings and links of an index page (docs/README.md, labs/README.md).
 * @param {string} file
 * @param {string} text
 * @returns {{ text: string, collapsed: boolean, items: { text: string, link: string }[] }[]}
 */
export function sectionsOf(file, text) {
  /** @type {ReturnType<typeof sectionsOf>} */
  const sections = []
  for (const [, heading, name, href = ''] of text.matchAll(headingOrLink)) {
    if (heading !== undefined) sections.push({ text: heading, collapsed: false, items: [] })
    const [, lab] = /^([\w-]+)\/README(?:\.ko)?\.md$/.exec(href) ?? []
    const link = heading === undefined ? linkOf(file, href) : undefined
    if (link !== undefined && (lab !== undefined || !file.startsWith('labs/')))
      sections.at(-1)?.items.push({ text: lab ?? name, link })
  }
  return sections.filter(({ items }) => items.length > 0)
}

/** A heading (`## Text` or `**Text**` on a line of its own), or a link to a Markdown file, which may go over two lines. */
const headingOrLink = /^(?:## |\*\*)([^*\n]+?)(?:\*\*)?$|\[([^\]]+)\]\(([^)]+\.md)\)/gm
