import { z } from 'zod'

/** A list, which in an address may be one value. */
export const list = <Item extends z.ZodType>(item: Item, most = 50) =>
  z.preprocess(
    (given) => (given === undefined || Array.isArray(given) ? given : [given]),
    z.array(item).max(most),
  )

/** Nothing is asked. */
export const nothing = z.strictObject({})
