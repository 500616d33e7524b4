import { resolve } from 'node:path'
import t from 'tap'
import { launch, noBrowser } from './browser.js'

t.test('a handout prints to one page of A4, and nothing of it is cut off', { skip: noBrowser }, async (t) => {
  const browser = await launch()
  t.teardown(() => browser.close())
  for (const file of ['handout.html', 'handout.ko.html']) {
    const page = await browser.newPage()
    await page.goto(`file://${resolve('docs/course', file)}`)
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true })
    t.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length, 1, file)
    // the width of A4 without the margins
    await page.setViewportSize({ width: Math.floor((186 / 25.4) * 96), height: 1000 })
    await page.emulateMedia({ media: 'print' })
    t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${file} is not too wide`)
  }
})
