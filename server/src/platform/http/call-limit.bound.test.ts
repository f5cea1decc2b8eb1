import { callLimits, openCallLimits } from '@pergamin/contract';
import { expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createCallLimits } from './call-limit.ts';
import { PortalError } from './errors.ts';

const numbers = [...new Set<number>([...Object.values(callLimits), ...Object.values(openCallLimits)])];

test.each(numbers)('with a limit of %i calls a minute exactly as many pass at once, and not one more', (perMinute) => {
  const nowMs = 1_790_000_000_123;
  const limits = createCallLimits({ clock: { now: () => new Date(nowMs) }, log: silentLog() });
  const call = () => limits.takeOf({ name: 'asked', area: 'protected', perMinute }, { personalId: '10000001', sessionId: 's' });
  for (let made = 0; made < perMinute; made += 1) call();
  expect(call).toThrow(PortalError);
});

test.each(numbers)('with a limit of %i calls a minute exactly as many pass from one address, and not one more', (perMinute) => {
  const nowMs = 1_790_000_000_123;
  const limits = createCallLimits({ clock: { now: () => new Date(nowMs) }, log: silentLog() });
  const call = () => limits.takeFrom({ name: 'asked', area: 'open', perMinute }, '192.0.2.1');
  for (let made = 0; made < perMinute; made += 1) call();
  expect(call).toThrow(PortalError);
});
