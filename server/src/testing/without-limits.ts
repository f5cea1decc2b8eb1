import type { CallLimits } from '#platform/http/call-limit.ts';

/** Lifts the limits of calls for one client that sends the load of thousands, as measurements do. */
export const withoutLimits: CallLimits = { takeFrom() {}, takeOf() {}, takeOfKey() {} };
