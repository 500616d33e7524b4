import t from 'tap'
import { parseLabelSelector } from '../../src/apiserver/labelSelector.js'
import { thrownStatus } from './thrownStatus.js'

const labels = { app: 'web', tier: 'front', empty: '', weight: '10', 'example.com/zone': 'a' }

const selectors: readonly (readonly [string, boolean])[] = [
  ['', true],
  ['app', true],
  ['!app', false],
  ['! app', false],
  ['missing', false],
  ['!missing', true],
  ['app=web', true],
  ['app==web', true],
  ['app = web', true],
  ['app=db', false],
  ['app!=web', false],
  ['app!=db', true],
  ['missing!=web', true],
  ['missing=', false],
  ['empty=', true],
  ['empty==', true],
  ['empty!=', false],
  ['app=,tier=front', false],
  ['app in (web)', true],
  ['app in (db,web)', true],
  ['app in ( db , web )', true],
  ['app in (db)', false],
  ['missing in (web)', false],
  ['empty in ()', true],
  ['empty in (a,)', true],
  ['empty in (,a)', true],
  ['app notin (db, cache)', true],
  ['app notin (web)', false],
  ['missing notin (web)', true],
  ['app=web,tier=front', true],
  ['app=web,tier=back', false],
  ['app in (web),tier notin (back),!missing,empty', true],
  ['example.com/zone=a', true],
  ['!example.com/zone', false],
  ['weight>9', true],
  ['weight>10', false],
  ['weight<11', true],
  ['app<11', false],
  ['in', false],
  ['app=in', false],
  ['constructor', false],
]

for (const [text, selected] of selectors)
  void t.test(`'${text}' ${selected ? 'selects' : 'does not select'}`, (t) => {
    t.equal(parseLabelSelector(text)(labels), selected)
    t.end()
  })

const wrong = [
  'app web',
  'app=web tier',
  'app=web,,tier',
  'app=web,',
  ',app',
  '=web',
  '!',
  'app in',
  'app in web',
  'app in (web',
  'app in (web db)',
  'app in (web,',
  'app!!web',
  'app===web',
  'app=-web',
  'a/b/c=d',
  '/app',
  'app/',
  'UPPER.example/app',
  'app>many',
  `app=${'x'.repeat(64)}`,
  `${'x'.repeat(64)}=a`,
  'app=wéb',
]

for (const text of wrong)
  void t.test(`'${text}' is rejected`, (t) => {
    t.match(
      thrownStatus(() => parseLabelSelector(text)),
      { code: 400, reason: 'BadRequest' },
    )
    t.end()
  })
