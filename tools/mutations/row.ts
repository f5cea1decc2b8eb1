/** One change of a rule that matters. At least one of the named tests must fail on it. */
export interface Mutation {
  readonly name: string;
  /** The rule that the change breaks. */
  readonly rule: string;
  readonly file: string;
  /** Must be in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly string[];
}
