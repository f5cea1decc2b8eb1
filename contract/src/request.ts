import type { Call, CallInput } from './call.ts';

interface Parts {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  form?: FormData | undefined;
}

const entries = (value: unknown): [string, unknown][] => (value !== null && typeof value === 'object' ? Object.entries(value) : []);

/** Path and query of a call, parameters percent-encoded; undefined query values are left out. Throws when a path parameter is missing. */
export const pathOf = <C extends Call>(call: C, input: Pick<CallInput<C>, never> & Parts = {}): string => {
  const params = new Map(entries(input.params));
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params.get(name);
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    // A segment of points alone is a folder of the path, encoded or not.
    if (/^\.{0,2}$/.test(text)) throw new Error(`${call.name}: the path parameter ${name} is missing`);
    return encodeURIComponent(text.toWellFormed());
  });
  const query = new URLSearchParams();
  for (const [name, value] of entries(input.query))
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') query.set(name, String(value));
  return query.size > 0 ? `${path}?${query.toString()}` : path;
};

/** A request for `fetch`, made from a row and its input. JSON bodies get their content type; multipart bodies get theirs from fetch. */
export const requestOf = <C extends Call>(call: C, input: CallInput<C>): { path: string; init: RequestInit } => {
  const parts: Parts = input;
  const init: RequestInit = { method: call.method };
  if (parts.form !== undefined) init.body = parts.form;
  else if (call.body !== undefined) {
    init.body = JSON.stringify(parts.body ?? {});
    init.headers = { 'content-type': 'application/json' };
  }
  return { path: pathOf(call, parts), init };
};
