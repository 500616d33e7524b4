import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'
import { basename } from 'node:path'
import { copyOfLab, start, vethlab } from '../../kernel/commandLine.js'
import { openPage, type View } from './browser.js'

/** The page of a running copy of a lab. */
export async function pageOf(
  t: Test,
  browser: Browser,
  lab: string,
  options: readonly string[] = [],
  view?: View,
) {
  const server = start(['view', lab, ...options])
  t.teardown(() => server.kill('SIGKILL'))
  const [url = ''] = /http:\S+/.exec(await server.says('token=')) ?? []
  const { page, errors } = await openPage(t, browser, url, view)
  await page.waitForSelector('.topology svg')
  return { page, errors }
}

/** Starts a copy of the lab nodeport for a test; returns its name. */
export async function startCopy(t: Test): Promise<string> {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  t.teardown(() => vethlab(['down', lab]))
  t.equal((await vethlab(['up', path])).code, 0)
  return lab
}

/** Shows a pane by its tab. */
export async function showPane(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click()
}

/** Sends a request from the client; returns how it ended. */
export async function send(page: Page, to: string): Promise<string> {
  const sent = await page.locator('.requests > li').count()
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const first = page.locator('.requests > li').first()
  await page.waitForFunction(`document.querySelectorAll('.requests > li').length > ${sent}`)
  await first.locator('small:not(:has-text("running"))').waitFor()
  return (await first.locator('small').first().textContent()) ?? ''
}

/** Chooses an option of the list with this label. */
export function choose(page: Page, label: RegExp, option: string): Promise<unknown> {
  return page.getByRole('combobox', { name: label }).selectOption({ label: option })
}
