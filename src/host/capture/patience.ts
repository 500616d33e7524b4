/** Longest time for a capture to write its packets. */
export const patienceMs = 30_000

/** Time between two looks at what it has written. */
export const askAgainMs = 2
