/** Id of a query made from a card: the card's id, and which of its queries it is. */
export const selfQueryId = (card: string, which: string): string => `${card}#${which}`

/** The card a query was made from. */
export const cardOfSelfQuery = (id: string): string => id.slice(0, id.lastIndexOf('#'))
