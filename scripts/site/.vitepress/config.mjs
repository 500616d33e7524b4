// The static site: the README, docs/ and labs/ as pages in English and Korean, with search. `npm run site` builds it.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { defineConfig } from 'vitepress'
import { anchorOf, linkOf, pageFiles, pageOf, sectionsOf } from '../pages.mjs'

const root = join(import.meta.dirname, '../../..')
const files = pageFiles(root)
const fileOf = new Map(files.map((file) => [pageOf(file), file]))
const read = (file) => readFileSync(join(root, file), 'utf8')

// Each file is copied to the place of its page: search would take Korean pages for English ones if they were only renamed.
const pages = join(root, 'build/site-pages')
rmSync(pages, { recursive: true, force: true })
for (const [page, file] of fileOf) copy(file, page)
for (const page of fileOf.keys())
  if (!page.startsWith('ko/') && !fileOf.has(`ko/${page}`)) writeEnglishOnly(page)
copy('docs/nodeport.svg', 'public/nodeport.svg')

function copy(file, target) {
  mkdirSync(dirname(join(pages, target)), { recursive: true })
  copyFileSync(join(root, file), join(pages, target))
}

/** The Korean page of a document in English: the menu of languages leads there. */
function writeEnglishOnly(page) {
  const target = join(pages, 'ko', page)
  mkdirSync(dirname(target), { recursive: true })
  const text = `이 문서는 한국어로 번역되지 않았습니다. [영어 문서](${page})를 참고하세요.`
  writeFileSync(target, `---\nsearch: false\n---\n\n# 영어 문서\n\n${text}\n`)
}

/** Links lead to pages; a file that is not a page is shown by its name only. Pictures are in the folder `public`. */
function pageLinks(md) {
  md.core.ruler.push('page-links', ({ tokens, env }) => {
    const file = fileOf.get(relative(pages, env.path)) ?? ''
    const removed = { type: 'text', tag: '', content: '', nesting: 0 }
    for (const { children } of tokens) {
      const open = []
      for (const token of children ?? []) {
        if (token.type === 'image') token.attrSet('src', `/${basename(token.attrGet('src') ?? '')}`)
        if (token.type === 'link_open') {
          const href = linkOf(file, token.attrGet('href') ?? '')
          open.push(href)
          if (href === undefined) Object.assign(token, removed)
          else token.attrSet('href', href)
        } else if (token.type === 'link_close' && open.pop() === undefined) Object.assign(token, removed)
      }
    }
  })
}

/** Indented code looks like fenced code, and scrolls in its own frame. */
function framedCode(md) {
  md.core.ruler.push('framed-code', ({ tokens }) => {
    for (const token of tokens)
      if (token.type === 'code_block') Object.assign(token, { type: 'fence', tag: 'code', info: 'text' })
  })
}

/** Braces are text: a page is a Vue template otherwise. */
function literalBraces(md) {
  const { text, code_inline: code } = md.renderer.rules
  md.renderer.rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;')
  md.renderer.rules.code_inline = (tokens, index, ...others) => {
    tokens[index].attrSet('v-pre', '')
    return code(tokens, index, ...others)
  }
}

const koreanSearch = {
  button: { buttonText: '검색', buttonAriaLabel: '검색' },
  modal: {
    displayDetails: '자세히 보기',
    resetButtonTitle: '검색어 지우기',
    backButtonTitle: '검색 닫기',
    noResultsText: '결과가 없습니다',
    footer: { selectText: '선택', navigateText: '이동', closeText: '닫기' },
  },
}

export default defineConfig({
  title: 'vethlab',
  srcDir: pages,
  outDir: join(root, 'build/site'),
  cacheDir: join(root, 'build/site-cache'),
  // the pages are outside of this package, and import Vue
  vite: { resolve: { alias: { vue: join(import.meta.dirname, '../node_modules/vue') } } },
  cleanUrls: true,
  lastUpdated: false,
  markdown: {
    anchor: { slugify: anchorOf },
    config: (md) => md.use(pageLinks).use(literalBraces).use(framedCode),
  },
  themeConfig: {
    search: { provider: 'local', options: { locales: { ko: { translations: koreanSearch } } } },
    outline: [2, 3],
  },
  locales: {
    root: {
      label: 'English',
      lang: 'en',
      description: 'How Kubernetes Services work, shown on a Linux kernel',
      themeConfig: {
        nav: [
          { text: 'Docs', link: '/docs/' },
          { text: 'Labs', link: '/labs/' },
        ],
        sidebar: {
          '/labs/': sectionsOf('labs/README.md', read('labs/README.md')),
          '/': sectionsOf('docs/README.md', read('docs/README.md')),
        },
      },
    },
    ko: {
      label: '한국어',
      lang: 'ko',
      description: '쿠버네티스 서비스의 동작을 리눅스 커널에서 보여 줍니다',
      themeConfig: {
        nav: [{ text: '실습', link: '/ko/labs/' }],
        sidebar: { '/ko/': sectionsOf('labs/README.ko.md', read('labs/README.ko.md')) },
        outline: { level: [2, 3], label: '이 페이지의 내용' },
        docFooter: { prev: '이전', next: '다음' },
        langMenuLabel: '언어',
        darkModeSwitchLabel: '화면',
        darkModeSwitchTitle: '어두운 화면',
        lightModeSwitchTitle: '밝은 화면',
        sidebarMenuLabel: '목차',
        returnToTopLabel: '맨 위로',
      },
    },
  },
})
