import axe from 'axe-core'
import { chromium, type Browser, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { findTool } from '../../../src/host/environment.js'
import { cannotRun } from '../../kernel/ability.js'

/** Debian's package chromium, or what runners of GitHub have. */
const executablePath = findTool('chromium') ?? findTool('google-chrome')

/** Why tests in a browser cannot run; false if they can. */
export const noBrowser =
  cannotRun || (executablePath === undefined ? 'neither chromium nor google-chrome is installed' : false)

/** Starts the browser; the caller closes it. */
export function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('there is no browser')
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

/** A page of a browser with the errors of its scripts. */
export interface Opened {
  readonly page: Page
  readonly errors: readonly string[]
}

export interface View {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  readonly reducedMotion?: 'reduce'
  /** Keeps the content security policy, under which `violations` cannot run. */
  readonly keepsPolicy?: true
}

/** Opens a page of vethlab in a context of its own, which the test closes. */
export async function openPage(t: Test, browser: Browser, address: string, view: View = {}): Promise<Opened> {
  const { width = 1440, keepsPolicy = false, ...media } = view
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    bypassCSP: !keepsPolicy,
    ...media,
  })
  t.teardown(() => context.close())
  // a busy host is late
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto(address)
  await page.waitForSelector('.bar')
  return { page, errors }
}

/** The rules of accessibility that the page breaks, in light and in dark. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await violationsNow(page)).map((text) => `${colorScheme}: ${text}`))
  }
  return found
}

function violationsNow(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
}

/** How many moments the path that is shown has. */
export async function momentsOf(page: Page): Promise<number> {
  const [, count] = /of (\d+)$/.exec((await page.textContent('.moment h2')) ?? '') ?? []
  return Number(count)
}
