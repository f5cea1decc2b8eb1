import { expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import { FileRefused, type ManifestFiles } from './manifest-files.ts';
import type { ManifestLine } from './manifest-lines.ts';
import { type LineOutcome, publishManifest, type Sending } from './manifest-run.ts';

const sha256 = 'ab'.repeat(32);
/** More than two checks. */
const count = 1_200;

const linesOf = async function* (): AsyncGenerator<ManifestLine> {
  for (let line = 1; line <= count; line += 1)
    yield {
      line,
      record: { file: `${line}.pdf`, fileName: `${line}.pdf`, type: 'PRIVATE', cif: '7001', uniqueName: `u-${line}`, metadata: {} },
    };
};

test('no file is sent before the last line is judged, and each line that fits is sent with its checksum', async () => {
  const events: string[] = [];
  const outcomes: LineOutcome[] = [];
  const files: Pick<ManifestFiles, 'hash'> = {
    async hash(name) {
      if (name === `${count}.pdf`) throw new FileRefused('VALIDATION_ERROR', 'file: not there');
      return { sha256, size: 10 };
    },
  };
  const connection: Pick<Connection, 'call'> = {
    // What a check answers when nothing is wrong.
    call: async () => {
      events.push('check');
      return { refused: [], published: [] } as never;
    },
  };
  const sending: Sending = {
    find: () => undefined,
    async send(lines) {
      for (const { line, record } of lines) {
        events.push('send');
        outcomes.push({ line, kind: 'published', id: record.sha256, flags: [] });
      }
    },
  };
  await publishManifest({
    lines: linesOf(),
    files: files as ManifestFiles,
    connection: connection as Connection,
    atOnce: 4,
    onOutcome: (outcome) => outcomes.push(outcome),
    sending,
  });
  expect(events).toEqual([...Array.from({ length: 3 }, () => 'check'), ...Array.from({ length: count - 1 }, () => 'send')]);
  const { line, kind } = outcomes[0] ?? {};
  expect({ line, kind }).toEqual({ line: count, kind: 'refused' });
  expect(outcomes.slice(1)).toEqual(
    Array.from({ length: count - 1 }, (_, nth) => ({ line: nth + 1, kind: 'published', id: sha256, flags: [] })),
  );
});
