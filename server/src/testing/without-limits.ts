import type { CallLimits } from '#platform/http/call-limit.ts';

/** For one client who asks what thousands would: measurements, and whatever sends more than a minute allows. */
export const withoutLimits: CallLimits = { takeFrom() {}, takeOf() {} };
