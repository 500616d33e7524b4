import t from 'tap'
import { listExercises } from '../../src/lab/workshop/findExercise.js'
import { loadExercise } from '../../src/lab/workshop/loadExercise.js'
import { solveExercise } from '../kernel/solveExercise.js'

t.jobs = 2

for (const directory of listExercises()) solveExercise(t, loadExercise(directory))
