// One interrupt at every fourth kind of action; the full suite interrupts each in labs of every kind, and other commands.
import '../full/faults/interrupts.test.js'
