import type { ManifestLine } from './manifest-lines.ts';

/** The lines of a manifest, and of which of them it was told what became of them. */
export interface ToldLines {
  /** To be read once; reading them may break off. */
  readonly lines: AsyncIterable<ManifestLine>;
  tell(line: number): void;
  /** By their numbers, in their order, those that were not read before among them. */
  listUntold(): AsyncGenerator<number>;
}

export const createToldLines = (given: AsyncIterable<ManifestLine>): ToldLines => {
  const told = new Set<number>();
  const read: number[] = [];
  const iterator = given[Symbol.asyncIterator]();
  const next = async (): Promise<ManifestLine | undefined> => {
    const result = await iterator.next();
    if (result.done === true) return undefined;
    read.push(result.value.line);
    return result.value;
  };
  // A reader that breaks off leaves the manifest open, since the rest of it is still to be told.
  async function* rest(): AsyncGenerator<ManifestLine> {
    for (let line = await next(); line !== undefined; line = await next()) yield line;
  }
  return {
    lines: rest(),
    tell: (line) => void told.add(line),
    async *listUntold() {
      for (const line of read) if (!told.has(line)) yield line;
      for await (const { line } of rest()) yield line;
    },
  };
};
