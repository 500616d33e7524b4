import t from 'tap'
import { resultsFolder, type ServeFlags } from '../../src/commands/workshop/classOptions.js'

const flags: ServeFlags = { participantMemory: 512, participantTasks: 500 }

t.test('results are written where they were written before, unless a folder is named', async (t) => {
  t.equal(resultsFolder(flags, undefined), process.cwd())
  t.equal(resultsFolder(flags, '/course/results'), '/course/results')
  t.equal(resultsFolder({ ...flags, results: '/other' }, '/course/results'), '/other')
  t.equal(resultsFolder({ ...flags, results: 'here' }, '/course/results'), `${process.cwd()}/here`)
})
