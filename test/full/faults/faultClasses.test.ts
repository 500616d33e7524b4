import t from 'tap'
import { others } from '../../kernel/faultClasses.js'
import { checkFaults } from '../../kernel/faultLab.js'

checkFaults(t, others)
