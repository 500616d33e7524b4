import t from 'tap'
import { others } from '../../kernel/faultClasses.js'
import { checkFaults } from '../../kernel/faultLab.js'
import { labs } from './faultLabs.js'

checkFaults(t, {
  title: 'the classes of failures in one running lab',
  folder: 'test/fixtures/faultClasses',
  faults: others,
})

for (const lab of labs) checkFaults(t, lab)
