/** Judged relevance of one query's candidates: id to grade, an integer >= 0; an absent id is unjudged. */
export type Grades = ReadonlyMap<string, number>

/** Judged relevance per query id. */
export type Qrels = ReadonlyMap<string, Grades>
