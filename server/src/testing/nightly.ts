/** By day a rule is shown once or a few times, beside other test files; at night in full, and with nothing else on the machine. */
export const isNightly = process.env['NIGHTLY'] === '1';

/** How often a property is tried: by day few times and always the same, at night many times and each night others. */
export const propertyRuns = ({ day, night }: { day: number; night: number }): { numRuns: number; seed?: number } =>
  isNightly ? { numRuns: night } : { numRuns: day, seed: 20_261_123 };
