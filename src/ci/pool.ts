import pLimit from 'p-limit'

/** Runs `work` on each item, at most `limit` at once; after the first error no further item is started. */
export async function pool<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const limited = pLimit(limit)
  let failure: { readonly error: unknown } | undefined
  await Promise.all(
    items.map((item) =>
      limited(async () => {
        if (failure !== undefined) return
        await work(item).catch((error: unknown) => {
          failure ??= { error }
        })
      }),
    ),
  )
  if (failure !== undefined) throw failure.error
}
