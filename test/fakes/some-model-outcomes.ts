const things = ['words', 'numbers', 'names', 'dates', 'lists', 'trees', 'files', 'rows', 'keys', 'dogs']

/** Outcomes in which a big model writes code and a small one knows who painted what, a record a line. */
export const someOutcomes = things
  .flatMap((thing) => [
    { query: `write a function that sorts ${thing}`, scores: { big: 1, small: 0 } },
    { query: `write a function that counts ${thing} in a text`, scores: { big: 1, small: 0 } },
    { query: `who painted the ${thing} at the harbour?`, scores: { big: 0, small: 1 } },
    { query: `who painted ${thing} in winter?`, scores: { big: 0, small: 1 } },
  ])
  .map((record) => JSON.stringify(record))
  .join('\n')
