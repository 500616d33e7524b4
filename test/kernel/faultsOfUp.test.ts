// One kill each of the commands that leave a lab running; the full suite kills them at many moments.
import '../full/faults/killsOfUp.test.js'
