import t from 'tap'
import { labs, tryLesson } from '../../kernel/lessonCommands.js'

t.jobs = 2

for (const lab of labs) tryLesson(t, lab)
