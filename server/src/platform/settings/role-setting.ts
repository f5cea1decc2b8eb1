import * as z from 'zod/mini';

export const roleSettingRow = {
  ROLE: {
    doc: 'What this process does: web answers calls, worker runs jobs and opens METRICS_PORT only, all does both.',
    schema: z.enum(['all', 'web', 'worker']),
    standard: 'all',
    public: true,
  },
} as const;
