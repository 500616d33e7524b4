import t from 'tap'
import { representatives } from './faultClasses.js'
import { isFull } from '../suite.js'
import { checkFaults } from './faultLab.js'

// the full suite makes the others
checkFaults(t, {
  title: 'the classes of failures in one running lab',
  folder: 'test/fixtures/faultClasses',
  faults: representatives.filter((_, at) => isFull || at % 2 === 0),
})
