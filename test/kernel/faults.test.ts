// Faults of test/reliability.md, of which the full suite has many more: kills of commands that end by themselves, races, a broken host.
import '../full/faults/kills.test.js'
import '../full/faults/races.test.js'
import '../full/faults/hostFaults.test.js'
