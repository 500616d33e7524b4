import t from 'tap'
import { sheetPage } from '../../../src/view/class/sheet.js'

const links = ['ada', 'bob'].map((name) => ({ name, url: `https://class.example:8480/?token=${name}&x=1` }))

t.test('the sheet has a card with link and QR code for each participant', async (t) => {
  const page = sheetPage('A class', links)
  t.equal(page.match(/<section>/g)?.length, 2)
  t.equal(page.match(/<svg/g)?.length, 2)
  t.match(page, '<h2>ada</h2>')
  t.match(page, '<p>https://class.example:8480/?token=bob&amp;x=1</p>')
  const [first, second] = page.match(/<svg[\s\S]*?<\/svg>/g) ?? []
  t.not(first, second, 'the codes are those of the links')
  t.match(page, 'size: A4')
})

t.test('titles and names are text', async (t) => {
  const page = sheetPage('<script>alert(1)</script>', [{ name: '<b>', url: 'http://x/?"<i>' }])
  t.notMatch(page, /<script|<b>|<i>/)
  t.match(page, '&lt;script&gt;')
})

t.test('the sheet loads nothing', async (t) => {
  t.notMatch(sheetPage('A class', links), /\b(?:src|href)=|@import|url\(/)
})
