import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { createRepeatedLines } from './repeated-lines.ts';
import { markLines } from './request-lines.ts';

test('each subject has one line a minute, which counts what was not written since the one before', () => {
  const written: object[] = [];
  let nowMs = 0;
  const log = createLog('warn', { write: (line) => void written.push(JSON.parse(line)) });
  const lines = createRepeatedLines({ log, clock: { now: () => new Date(nowMs) } });
  for (let time = 0; time < 100; time += 1) lines.warn('one', { reason: 'none' }, 'refused');
  lines.warn('other', {}, 'refused');
  expect(written).toMatchObject([{ msg: 'refused', reason: 'none', times: 1 }, { times: 1 }]);
  nowMs = 59_999;
  lines.warn('one', {}, 'refused');
  expect(written).toHaveLength(2);
  nowMs = 60_000;
  lines.warn('one', {}, 'refused');
  expect(written[2]).toMatchObject({ times: 101 });
});

test('what one network causes hides nothing of what another one does', () => {
  const written: Record<string, unknown>[] = [];
  const log = createLog('warn', { write: (line) => void written.push(JSON.parse(line)) });
  const lines = createRepeatedLines({ log, clock: { now: () => new Date(0) } });
  for (const address of ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:2:1::1', '192.0.2.1', '192.0.2.2'])
    markLines(
      () => ({ requestId: 'a', address }),
      () => lines.warn('one', {}, 'refused'),
    );
  expect(written.map((line) => line['address'])).toEqual(['2001:db8:1:1::1', '2001:db8:2:1::1', '192.0.2.1', '192.0.2.2']);
});
