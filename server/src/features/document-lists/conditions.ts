/** Collects the parameters of one statement; `add` gives the placeholder. */
export interface Parameters {
  readonly values: readonly unknown[];
  add(value: unknown): string;
}

export const createParameters = (first: readonly unknown[] = []): Parameters => {
  const values = [...first];
  return {
    values,
    add(value) {
      values.push(value);
      return `$${values.length}`;
    },
  };
};

/** Something to compare or to sort by: SQL of the delivery `entry`, or of its document `doc`. */
export interface Value {
  readonly of: 'delivery' | 'document';
  readonly sql: (parameters: Parameters) => string;
}

type Scalar = string | number | boolean;

/** What must hold for a delivery. A comparison with a value that is missing does not hold. */
export type Condition =
  | { readonly is: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly is: 'not'; readonly of: Condition }
  | { readonly is: '=' | '>=' | '<='; readonly value: Value; readonly to: Scalar }
  | { readonly is: 'one of'; readonly value: Value; readonly to: readonly string[] }
  | { readonly is: 'containing'; readonly value: Value; readonly to: string }
  /** `to`: a regular expression of PostgreSQL, which no caller writes. `part`: what every match has as it is. */
  | { readonly is: 'matching'; readonly value: Value; readonly to: string; readonly part: string | undefined };

export const all = (of: readonly Condition[]): Condition => ({ is: 'all', of });
export const any = (of: readonly Condition[]): Condition => ({ is: 'any', of });
export const not = (of: Condition): Condition => ({ is: 'not', of });

/**
 * Compiles a condition. Values of documents are read by the document's id.
 * @NOTE without `offset 0` the planner may scan the documents of all clients first.
 */
export const conditionSql = (condition: Condition, parameters: Parameters): string => {
  switch (condition.is) {
    case 'all':
      return condition.of.length === 0 ? 'true' : `(${condition.of.map((one) => conditionSql(one, parameters)).join(' and ')})`;
    case 'any':
      return condition.of.length === 0 ? 'false' : `(${condition.of.map((one) => conditionSql(one, parameters)).join(' or ')})`;
    case 'not':
      return `(${conditionSql(condition.of, parameters)}) is not true`;
    default: {
      const comparison = comparisonSql(condition, parameters);
      if (condition.value.of === 'delivery') return comparison;
      return `exists (select from document doc where doc.id = entry.document_id and ${comparison} offset 0)`;
    }
  }
};

type Comparison = Exclude<Condition, { is: 'all' | 'any' | 'not' }>;

const comparisonSql = (condition: Comparison, parameters: Parameters): string => {
  const sql = condition.value.sql(parameters);
  switch (condition.is) {
    case 'one of':
      return `${sql} = any(${parameters.add(condition.to)}::text[])`;
    case 'containing':
      return `strpos(${sql}, ${parameters.add(condition.to)}) > 0`;
    case 'matching':
      return matchingSql(sql, condition, parameters);
    default:
      return `${sql} ${condition.is} ${parameters.add(condition.to)}`;
  }
};

/** Most rows lack the part, which is seen more quickly; PostgreSQL would look for it last. */
const matchingSql = (sql: string, { to, part }: Extract<Comparison, { is: 'matching' }>, parameters: Parameters): string =>
  part === undefined
    ? `${sql} ~ ${parameters.add(to)}`
    : `(case when strpos(${sql}, ${parameters.add(part)}) > 0 then ${sql} ~ ${parameters.add(to)} else false end)`;
