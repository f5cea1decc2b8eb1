/** Between attempts since the last byte that came: half a minute in all, longer than a tunnel. */
const defaultPausesMs = [1_000, 2_000, 4_000, 8_000, 16_000];

interface Continuing {
  /** Asks for the same again, with these headers besides. Rejects with a refusal, or with what `isBroken` is true of. */
  readonly again: (headers: Readonly<Record<string, string>>) => Promise<Response>;
  /** The line broke, as opposed to an answer or to somebody who does not want it any more. */
  readonly isBroken: (error: unknown) => boolean;
  readonly pausesMs?: readonly number[];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/**
 * All bytes of an answer. Where the line breaks, they are asked for from there on, and only of the same file (If-Range): of another one, all of it
 * comes, and what came before is dropped. Rejects with the last break when nothing more comes.
 */
export const readContinued = async (first: Response, { again, isBroken, pausesMs = defaultPausesMs }: Continuing): Promise<Blob> => {
  const etag = first.headers.get('etag');
  const type = first.headers.get('content-type') ?? '';
  // What a proxy compressed has other lengths here than there.
  if (etag === null || etag.startsWith('W/') || first.headers.has('content-encoding')) return first.blob();
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  let failed = 0;
  let answer: Response | undefined = first;
  for (;;)
    try {
      answer ??= await again({ range: `bytes=${received}-`, 'if-range': etag });
      if (answer !== first && answer.status !== 206) [pieces, received] = [[], 0];
      const reader = answer.body?.getReader();
      // Not `for await`: Safari has it of streams since version 26 only.
      for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
        pieces.push(piece.value);
        received += piece.value.length;
        failed = 0;
      }
      return new Blob(pieces, { type });
    } catch (error) {
      const pauseMs = pausesMs[failed];
      if (!isBroken(error) || pauseMs === undefined) throw error;
      failed += 1;
      answer = undefined;
      await pause(pauseMs);
    }
};
