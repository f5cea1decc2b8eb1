/** The names of alarms, as entries of the log carry them in `alarm`. docs/alerts.md says what to do for each. */
export const alarmNames = [
  'check',
  'corrupted',
  'database',
  'database-role',
  'disk',
  'encryption',
  'export',
  'ledger',
  'malware',
  'object-lock',
  'removal',
  'scanner',
  'scrub',
  'unnamed-objects',
  'unreadable',
  'webhook',
] as const;

export type AlarmName = (typeof alarmNames)[number];
