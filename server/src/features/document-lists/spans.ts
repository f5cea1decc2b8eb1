/** Moments of publication, both ends included, as PostgreSQL writes them. */
export interface Span {
  readonly first: string;
  readonly last: string;
}

/** When the deliveries were published whose texts can have a word: null, none of them. Words that are not in it can be in any. */
export type Whereabouts = ReadonlyMap<string, Span | null>;
